import type { VenueRequest, VenueResponse } from '../ports.ts';
import { VenueFailure, type Problem } from '../venue-failure.ts';
import type { DiskCache } from './disk-cache.ts';
import type { CacheEntry, MemoryCache } from './memory-cache.ts';
import { isLongOver, isSettled } from './settled.ts';

export interface CachedResponse {
  readonly response: VenueResponse;
  /** Valid however old it is. */
  readonly isSettled: boolean;
}

/** Cached responses: in memory for as long as the endpoint table allows, on disk for good if they can never change again. */
export interface ResponseCache {
  /** Fresh and in memory. Throws a rejection that would be repeated. */
  readonly find: (request: VenueRequest) => CachedResponse | undefined;
  /** Settled and on disk; from then on also in memory. */
  readonly findOnDisk: (request: VenueRequest) => CachedResponse | undefined;
  /** However old it is. */
  readonly findStale: (request: VenueRequest) => VenueResponse | undefined;
  /** Returns the response to use: with the cached body and tag, if the same bytes came again. */
  readonly put: (request: VenueRequest, response: VenueResponse) => VenueResponse;
  readonly putRejection: (request: VenueRequest, rejection: Problem) => void;
}

export interface ResponseCacheParts {
  readonly memoryCache: MemoryCache;
  readonly diskCache: DiskCache;
  readonly keyOf: (request: VenueRequest) => string;
  readonly now: () => number;
  /** Converts our time to the exchange's, as far as its clock is known. */
  readonly toVenueTime: (at: number) => number;
}

/** The exchange may change its mind. */
const MAX_REJECTION_SECONDS = 60;

/** Memory serves one exchange and one identity. The disk may hold those of several, so `keyOf` includes them. */
export function createResponseCache({ memoryCache, diskCache, keyOf, now, toVenueTime }: ResponseCacheParts): ResponseCache {
  const isFinal = (request: VenueRequest, response: VenueResponse): boolean => isSettled(request, response, toVenueTime(response.answeredAt));
  const findStale = ({ target }: VenueRequest): VenueResponse | undefined => {
    const entry = memoryCache.find(target);
    return entry !== undefined && 'response' in entry ? entry.response : undefined;
  };
  return {
    findStale,
    find: (request) => {
      const [entry, rejected] = [memoryCache.find(request.target), memoryCache.find(rejectionKeyOf(request))];
      if (rejected !== undefined && 'rejection' in rejected && isLater(rejected, entry) && isUsable(rejected, request, now())) throw new VenueFailure(rejected.rejection);
      return entry !== undefined && 'response' in entry && isUsable(entry, request, now()) ? entry : undefined;
    },
    findOnDisk: (request) => {
      const response = isLongOver(request, toVenueTime(now())) ? diskCache.find(keyOf(request)) : undefined;
      if (response === undefined || !isFinal(request, response)) return undefined;
      const cached = { response, isSettled: true };
      memoryCache.put(request.target, cached);
      return cached;
    },
    put: (request, fresh) => {
      const old = findStale(request);
      // Equal bytes are stored once, compressed once, and revalidate as unchanged in the browser.
      const response = old?.body.equals(fresh.body) === true ? { ...fresh, body: old.body, tag: old.tag } : fresh;
      const cached = { response, isSettled: isFinal(request, response) };
      memoryCache.put(request.target, cached);
      if (cached.isSettled) diskCache.put(keyOf(request), response);
      return response;
    },
    putRejection: (request, rejection) => {
      memoryCache.put(rejectionKeyOf(request), { rejection, answeredAt: now() });
    },
  };
}

/** Stored beside the last response, which may be all there is during an outage. */
function rejectionKeyOf({ target }: VenueRequest): string {
  return `refused ${target}`;
}

function isLater(rejected: Extract<CacheEntry, { readonly rejection: Problem }>, entry: CacheEntry | undefined): boolean {
  return entry === undefined || !('response' in entry) || entry.response.answeredAt + (entry.response.heldMs ?? 0) < rejected.answeredAt;
}

/** Seconds for which a response is still fresh; negative when stale. */
export function freshSeconds({ endpoint: { reuseSeconds } }: VenueRequest, { answeredAt, heldMs = 0 }: VenueResponse, now: number): number {
  // An intermediate cache that held it longer than that has nothing newer, however often it is read.
  const isHeldTooLong = heldMs >= reuseSeconds * 1_000;
  return secondsLeft(reuseSeconds, isHeldTooLong ? answeredAt + heldMs : answeredAt, now);
}

function secondsLeft(reuseSeconds: number, answeredAt: number, now: number): number {
  // The clock was set back since, so the age is unknown.
  if (answeredAt > now) return -1;
  return reuseSeconds - (now - answeredAt) / 1_000;
}

function isUsable(entry: CacheEntry, request: VenueRequest, now: number): boolean {
  const { reuseSeconds } = request.endpoint;
  if ('rejection' in entry) return secondsLeft(Math.min(reuseSeconds, MAX_REJECTION_SECONDS), entry.answeredAt, now) > 0;
  return entry.isSettled || freshSeconds(request, entry.response, now) > 0;
}
