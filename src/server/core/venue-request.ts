import { ENDPOINTS, type Endpoint, type EndpointName } from '#contract/exchange/endpoints.ts';
import { toCursorText } from '#contract/exchange/paging.ts';
import { cursorGrammar } from '#contract/exchange/parameters.ts';
import { matchRoute, type Route, toMountPrefix, toPath, type VenueProfile } from '#contract/exchange/addresses.ts';
import type { VenueRequest } from './ports.ts';
import { toPrintableName } from './printable.ts';
import type { Problem } from './venue-failure.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

/** Returns the endpoint of a path below a prefix, as sent: `/api/web/charts/price/1547`. */
export function matchBelow(prefix: string, path: string): Route | null {
  // `/xyz/orders` is as long as `/api/orders`, so slicing alone would accept it.
  return path.startsWith(`${prefix}/`) ? matchRoute(path.slice(prefix.length)) : null;
}

/**
 * Checks a request against the endpoint table. None of its own text is forwarded: the request that is sent is rebuilt
 * from the values that passed their grammar.
 */
export function parseVenueRequest(route: Route, rawQuery: string, profile: VenueProfile): VenueRequest | Problem {
  const { path: template, query } = route.endpoint;
  const problem = checkPath(route.name, route.pathParameters);
  if (problem !== null) return problem;
  const pairs = parseQuery(template, query, rawQuery);
  return isProblem(pairs) ? pairs : toVenueRequest(profile, route.name, route.pathParameters, pairs);
}

/** Parses the query parameters and checks each against its grammar. */
export function parseQuery(path: string, known: Endpoint['query'], rawQuery: string): Pairs | Problem {
  const pairs = parsePairs(rawQuery);
  if (pairs === null) return { type: 'bad-parameter', detail: 'The query is not properly percent-encoded.' };
  return checkQuery(path, known, pairs) ?? pairs;
}

/** Builds a request from values that are known to be valid. */
export function toVenueRequest(
  profile: VenueProfile,
  name: EndpointName,
  pathParameters: VenueRequest['pathParameters'],
  pairs: Pairs,
): VenueRequest {
  const endpoint: Endpoint = ENDPOINTS[name];
  const query = inTableOrder(name, pairs);
  const path = toMountPrefix(profile, endpoint.mount) + toPath(endpoint, pathParameters);
  const rawQuery = query.map(([key, value]) => `${key}=${encode(endpoint, key, value)}`).join('&');
  const target = rawQuery === '' ? path : `${path}?${rawQuery}`;
  return { name, endpoint, pathParameters, query, path, rawQuery, target };
}

/** Returns query pairs that limit the number of rows; undefined leaves it to the exchange. */
export function toLimitPairs(limit: number | undefined): Pairs {
  return limit === undefined ? [] : [['limit', String(limit)]];
}

/** Returns a request that every exchange serves: without key or parameters, and to another endpoint than `other`. */
export function toPublicRequest(profile: VenueProfile, other?: EndpointName): VenueRequest {
  return toVenueRequest(profile, other === 'trailingStatsAll' ? 'fundingRates' : 'trailingStatsAll', {}, []);
}

export function isProblem(read: VenueRequest | Pairs | Problem): read is Problem {
  return 'type' in read;
}

function parsePairs(rawQuery: string): Pairs | null {
  if (rawQuery === '') return [];
  // A fragment is never sent: sender and receiver could disagree about where the query ends.
  if (rawQuery.includes('#')) return null;
  try {
    return rawQuery.split('&').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decode(name), decode(value.join('='))] as const;
    });
  } catch {
    return null;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function checkPath(name: EndpointName, values: Readonly<Record<string, string>>): Problem | null {
  const known: Endpoint['pathParameters'] = ENDPOINTS[name].pathParameters;
  for (const [parameter, { grammar }] of Object.entries(known)) {
    if (!grammar.accepts(values[parameter] ?? '')) return bad(parameter, `${parameter} must be ${grammar.sentence}.`);
  }
  return null;
}

function checkQuery(path: string, known: Endpoint['query'], pairs: Pairs): Problem | null {
  const seen = new Set<string>();
  for (const [parameter, value] of pairs) {
    const rule = Object.hasOwn(known, parameter) ? known[parameter] : undefined;
    if (rule === undefined) return bad(parameter, `${toPrintableName(parameter)} is not a parameter of ${path}.`);
    if (seen.has(parameter) && rule.repeatable !== true) return bad(parameter, `${parameter} may be given only once.`);
    if (!rule.grammar.accepts(value)) return bad(parameter, `${parameter} must be ${rule.grammar.sentence}.`);
    seen.add(parameter);
  }
  return null;
}

function bad(parameter: string, detail: string): Problem {
  return { type: 'bad-parameter', detail, parameter: toPrintableName(parameter) };
}

/** Sorts parameters, so that equal requests are sent as equal bytes. Repeated values keep their order. */
function inTableOrder(name: EndpointName, pairs: Pairs): Pairs {
  const order = Object.keys(ENDPOINTS[name].query);
  return pairs.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** Decodes a cursor once, because the exchange may send it percent-encoded, then encodes it like any other value. */
function encode({ query }: Endpoint, name: string, value: string): string {
  const text = query[name]?.grammar === cursorGrammar ? toCursorText(value) : value;
  return encodeURIComponent(text).replaceAll('%3A', ':');
}
