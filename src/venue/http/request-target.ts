import type { Mount } from '#contract/exchange/endpoints.ts';
import { matchRoute, type Route } from '#contract/exchange/routes.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/venues.ts';
import { toQuotedText, Refusal } from './refusal.ts';

/** The characters exactly as received, because they are what was signed. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly rawQuery: string;
}

const LONGEST_URL = 8_192;
const TARGET_PATTERN = /^[!"$-~]*$/;
/** Requests to a proxy name the host, too. */
const ORIGIN_PATTERN = /^https?:\/\/[^/?]*/i;

export function readRequestTarget(url: string): RequestTarget {
  if (url.length > LONGEST_URL) throw new Refusal(414, `The URL is longer than ${LONGEST_URL} characters.`);
  if (!TARGET_PATTERN.test(url)) throw new Refusal(400, 'The URL contains a character that must be percent-encoded.');
  const target = url.replace(ORIGIN_PATTERN, '');
  const questionMark = target.indexOf('?');
  const path = (questionMark < 0 ? target : target.slice(0, questionMark)) || '/';
  const rawQuery = questionMark < 0 ? '' : target.slice(questionMark + 1);
  if (!path.startsWith('/')) throw new Refusal(400, 'The request has no path.');
  return { path, rawQuery };
}

/** Finds the endpoint of a path below the endpoint's own mount. */
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
    throw new Refusal(404, `There is nothing at ${toQuotedText(path)}.`);
  };
}

function requireDecodable(path: string): void {
  if (decodePart(path) === null) throw new Refusal(400, 'The path has invalid percent-encoding.');
}

/** Percent-decoded, or null where the encoding is invalid. A plus sign stays a plus sign. */
export function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
