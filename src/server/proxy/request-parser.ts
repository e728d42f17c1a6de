import type { VenueProfile } from '#contract/exchange/venues.ts';
import type { VenueRequest } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { parseVenueRequest, unknownPath } from '#server/core/venue-request.ts';
import type { RequestTarget } from '#server/web/request-context.ts';

const MAX_REMEMBERED = 500;
const MAX_REMEMBERED_LENGTH = 512;

export interface RequestParser {
  /** Parses a request target below the prefix, as sent: `/api/web/charts/price/1547?end_time=now`. */
  readonly parse: (target: RequestTarget) => VenueRequest | Problem;
  /** Screens repeat the same few requests: a remembered one is not parsed again. */
  readonly remember: (url: string, request: VenueRequest) => void;
}

export function createRequestParser(prefix: string, profile: VenueProfile): RequestParser {
  const remembered = new Map<string, VenueRequest>();
  return {
    parse: (target) => remembered.get(target.url) ?? parseBelow(prefix, target, profile),
    remember: (url, request) => {
      if (url.length > MAX_REMEMBERED_LENGTH || remembered.has(url)) return;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(url, request);
    },
  };
}

function parseBelow(prefix: string, { path, rawQuery }: RequestTarget, profile: VenueProfile): VenueRequest | Problem {
  // `/xyz/orders` is as long as `/api/orders`, so slicing alone would accept it.
  if (!path.startsWith(`${prefix}/`)) return unknownPath;
  return parseVenueRequest(path.slice(prefix.length), rawQuery, profile);
}
