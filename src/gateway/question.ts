import { ENDPOINTS, type Endpoint, type EndpointName } from '#contract/endpoints.ts';
import { toCursorText } from '#contract/paging.ts';
import { cursorGrammar } from '#contract/parameters.ts';
import { matchRoute, toPath } from '#contract/routes.ts';
import { toMountPrefix, type VenueProfile } from '#contract/venues.ts';
import type { Problem, Question } from './ports.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

export const notInTheInterface: Problem = { type: 'not-in-the-interface', detail: 'There is no such path in the interface.' };

/**
 * Holds a request against the table. Nothing of the request's own text goes on: what is sent is written anew from the
 * values that passed their grammar.
 */
export function readQuestion(path: string, rawQuery: string, profile: VenueProfile): Question | Problem {
  const route = matchRoute(path);
  if (route === null) return notInTheInterface;
  const { path: template, query }: Endpoint = ENDPOINTS[route.name];
  const problem = checkPath(route.name, route.pathParameters);
  if (problem !== null) return problem;
  const pairs = readPairs(template, query, rawQuery);
  return isProblem(pairs) ? pairs : toQuestion(profile, route.name, route.pathParameters, pairs);
}

/** The parameters of a request for a path, each of its grammar. */
export function readPairs(path: string, known: Endpoint['query'], rawQuery: string): Pairs | Problem {
  const pairs = parsePairs(rawQuery);
  if (pairs === null) return { type: 'bad-parameter', detail: 'The query is not percent-encoded as it should be.' };
  return checkQuery(path, known, pairs) ?? pairs;
}

/** A question from values known to be good, such as one of the gateway's own. */
export function toQuestion(profile: VenueProfile, name: EndpointName, pathParameters: Question['pathParameters'], pairs: Pairs): Question {
  const endpoint: Endpoint = ENDPOINTS[name];
  const query = inTableOrder(name, pairs);
  const path = toMountPrefix(profile, endpoint.mount) + toPath(endpoint, pathParameters);
  const rawQuery = query.map(([key, value]) => `${key}=${encode(endpoint, key, value)}`).join('&');
  const target = rawQuery === '' ? path : `${path}?${rawQuery}`;
  return { name, endpoint, pathParameters, query, path, rawQuery, target };
}

/** Pairs that ask for at most so many rows; undefined leaves it to the venue. */
export function toLimitPairs(limit: number | undefined): Pairs {
  return limit === undefined ? [] : [['limit', String(limit)]];
}

/** One that needs neither key nor parameter: any venue answers it. Of another kind than the one that was asked already. */
export function toPublicQuestion(profile: VenueProfile, asked?: EndpointName): Question {
  return toQuestion(profile, asked === 'trailingStatsAll' ? 'fundingRates' : 'trailingStatsAll', {}, []);
}

export function isProblem(read: Question | Pairs | Problem): read is Problem {
  return 'type' in read;
}

function parsePairs(rawQuery: string): Pairs | null {
  if (rawQuery === '') return [];
  // A fragment never goes on the wire: who sends one and who reads it could differ about where the query ends.
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
    if (rule === undefined) return bad(parameter, `${printable(parameter)} is not a parameter of ${path}.`);
    if (seen.has(parameter) && rule.repeatable !== true) return bad(parameter, `${parameter} may be given once.`);
    if (!rule.grammar.accepts(value)) return bad(parameter, `${parameter} must be ${rule.grammar.sentence}.`);
    seen.add(parameter);
  }
  return null;
}

const LONGEST_NAME = 40;

/** What came from outside is shown short and without anything that is not a plain character. */
function printable(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '?').slice(0, LONGEST_NAME);
}

function bad(parameter: string, detail: string): Problem {
  return { type: 'bad-parameter', detail, parameter: printable(parameter) };
}

/** Equal questions are sent with equal bytes, whatever the order they were asked in. Repeated values keep theirs. */
function inTableOrder(name: EndpointName, pairs: Pairs): Pairs {
  const order = Object.keys(ENDPOINTS[name].query);
  return pairs.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** A cursor may come percent-encoded from the venue already: it is decoded once, and encoded once like any other value. */
function encode({ query }: Endpoint, name: string, value: string): string {
  const text = query[name]?.grammar === cursorGrammar ? toCursorText(value) : value;
  return encodeURIComponent(text).replaceAll('%3A', ':');
}
