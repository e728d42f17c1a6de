import { API_PREFIX } from '#contract/desk/desk.ts';
import type { Endpoint } from '#contract/exchange/endpoints.ts';
import type { RequestPairs } from '#contract/parse/row-judges.ts';
import { toPath } from '#contract/exchange/routes.ts';

/** Values by parameter name; a list where the parameter is repeatable. */
export type RequestParameters = Readonly<Record<string, unknown>>;

/** The path and query of a request, always the same text for the same request. */
export function toTarget(endpoint: Endpoint, parameters: RequestParameters): string {
  const path = Object.fromEntries(
    Object.keys(endpoint.pathParameters).map((name) => [name, toTexts(parameters[name]).join()]),
  );
  return API_PREFIX + toPath(endpoint, path) + toQuery(Object.keys(endpoint.query), parameters);
}

/** The names and values of a request's parameters, those of the path first. */
export function toPairs(
  { pathParameters, query }: Pick<Endpoint, 'pathParameters' | 'query'>,
  parameters: RequestParameters,
): RequestPairs {
  return Object.keys({ ...pathParameters, ...query }).flatMap((name) =>
    toTexts(parameters[name]).map((text) => [name, text] as const),
  );
}

/** The query string of these parameters, in that order, with its question mark; empty without any. */
export function toQuery(names: readonly string[], parameters: RequestParameters): string {
  const pairs = names.flatMap((name) => toTexts(parameters[name]).map((text) => `${name}=${encodeURIComponent(text)}`));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function toTexts(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
