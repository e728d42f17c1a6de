import type { Mount, Parameter } from '#contract/exchange/endpoints.ts';
import { matchRoute, type Route, toMountPrefix, type VenueProfile } from '#contract/exchange/addresses.ts';
import { Rejection, toQuotedText } from './response.ts';

/** The target of a request, character by character as received, because this is what was signed. */
export interface RequestTarget {
  readonly path: string;
  /** The query without its question mark; empty if there is none. */
  readonly rawQuery: string;
}

const LONGEST_URL = 8_192;
const TARGET_PATTERN = /^[!"$-~]*$/;
/** Requests to a proxy also name the host. */
const ORIGIN_PATTERN = /^https?:\/\/[^/?]*/i;

export function readRequestTarget(url: string): RequestTarget {
  if (url.length > LONGEST_URL) throw new Rejection(414, `The URL is longer than ${LONGEST_URL} characters.`);
  if (!TARGET_PATTERN.test(url)) throw new Rejection(400, 'The URL contains a character that must be percent-encoded.');
  const target = url.replace(ORIGIN_PATTERN, '');
  const questionMark = target.indexOf('?');
  const path = (questionMark < 0 ? target : target.slice(0, questionMark)) || '/';
  const rawQuery = questionMark < 0 ? '' : target.slice(questionMark + 1);
  if (!path.startsWith('/')) throw new Rejection(400, 'The request has no path.');
  return { path, rawQuery };
}

/** Creates a function that finds the endpoint of a path below that endpoint's own mount. */
export function createRouter(basePath: string, profile: VenueProfile): (path: string) => Route {
  const mounts = Object.keys(profile.mounts) as Mount[];
  const prefixes = mounts.map((mount) => ({ mount, prefix: basePath + toMountPrefix(profile, mount) }));
  return (path) => {
    requireDecodable(path);
    for (const { mount, prefix } of prefixes) {
      if (!path.startsWith(`${prefix}/`)) continue;
      const route = matchRoute(path.slice(prefix.length));
      if (route?.endpoint.mount === mount) return route;
    }
    throw new Rejection(404, `There is nothing at ${toQuotedText(path)}.`);
  };
}

function requireDecodable(path: string): void {
  if (decodePart(path) === null) throw new Rejection(400, 'The path has invalid percent-encoding.');
}

/** Decodes percent-encoding; null if it is invalid. A plus sign stays a plus sign. */
function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

type Values = Readonly<Partial<Record<string, readonly string[]>>>;

/** Reads the values of a query by name and checks each against the endpoint's table. */
export function readQuery({ endpoint }: Route, rawQuery: string): Values {
  const values: Partial<Record<string, string[]>> = {};
  for (const [name, value] of splitQuery(rawQuery)) {
    const parameter = Object.hasOwn(endpoint.query, name) ? endpoint.query[name] : undefined;
    if (!parameter) throw unknownParameter(name, Object.keys(endpoint.query));
    requireGrammar(name, value, parameter);
    const known = (values[name] ??= []);
    if (known.length > 0 && !parameter.repeatable) throw new Rejection(400, `${name} must be given only once.`);
    known.push(value);
  }
  return values;
}

export function checkPath({ endpoint, pathParameters }: Route): void {
  for (const [name, parameter] of Object.entries(endpoint.pathParameters)) {
    requireGrammar(name, pathParameters[name] ?? '', parameter);
  }
}

function* splitQuery(rawQuery: string): Iterable<readonly [name: string, value: string]> {
  for (const part of rawQuery.split('&')) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    const name = decodePart(mark < 0 ? part : part.slice(0, mark));
    const value = decodePart(mark < 0 ? '' : part.slice(mark + 1));
    if (name === null || value === null)
      throw new Rejection(400, `${toQuotedText(part)} has invalid percent-encoding.`);
    yield [name, value];
  }
}

function requireGrammar(name: string, value: string, { grammar }: Parameter): void {
  if (!grammar.accepts(value))
    throw new Rejection(400, `${name} must be ${grammar.sentence}; ${toQuotedText(value)} is not.`);
}

function unknownParameter(name: string, known: readonly string[]): Rejection {
  const list = known.length === 0 ? 'This endpoint has none' : `This endpoint has ${known.join(', ')}`;
  return new Rejection(400, `Unknown parameter ${toQuotedText(name)}. ${list}.`);
}
