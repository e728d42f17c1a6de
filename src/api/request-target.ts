import { API_PREFIX } from '#contract/desk.ts';
import type { Endpoint } from '#contract/endpoints.ts';
import { toPath } from '#contract/routes.ts';

/** Parameters by name, as a request has them: anything that a text says, or several where it may be repeated. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Where the desk answers a request, always with the same text for the same request. */
export function toTarget(endpoint: Endpoint, parameters: Parameters): string {
  const path = Object.fromEntries(Object.keys(endpoint.pathParameters).map((name) => [name, toTexts(parameters[name]).join()]));
  return API_PREFIX + toPath(endpoint, path) + toQuery(Object.keys(endpoint.query), parameters);
}

/** The query of the parameters named, in that order, from its question mark on; nothing where none is given. */
export function toQuery(names: readonly string[], parameters: Parameters): string {
  const pairs = names.flatMap((name) => toTexts(parameters[name]).map((text) => `${name}=${encodeURIComponent(text)}`));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function toTexts(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
