import { setBounded } from '#server/core/bounded-map.ts';
import type { VenueRequest, VenueResponse } from '#server/core/ports.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import type { DiskCache } from './disk-cache.ts';
import type { CachedResponse, MemoryCache } from './memory-cache.ts';
import { isLongOver, isSettled } from './settled.ts';

/** Cached responses: in memory for as long as the endpoint table allows, on disk for good if they can never change again. */
export interface ResponseCache {
  /** Fresh and in memory; or settled and on disk, and from then on also in memory. Rejects with a rejection that would be repeated. */
  readonly find: (request: VenueRequest) => Promise<CachedResponse | undefined>;
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

/** A rejection that the exchange would repeat. */
interface Rejection {
  readonly problem: Problem;
  readonly at: number;
}

/** The exchange may change its mind. */
const MAX_REJECTION_SECONDS = 60;
const MAX_REJECTIONS = 1_000;

/** Memory serves one exchange and one identity. The disk may hold those of several, so `keyOf` includes them. */
export function createResponseCache({
  memoryCache,
  diskCache,
  keyOf,
  now,
  toVenueTime,
}: ResponseCacheParts): ResponseCache {
  const isFinal = (request: VenueRequest, response: VenueResponse): boolean =>
    isSettled(request, response, toVenueTime(response.answeredAt));
  // Beside the last response, which may be all there is during an outage.
  const rejections = new Map<string, Rejection>();
  const findStale = ({ target }: VenueRequest): VenueResponse | undefined => memoryCache.find(target)?.response;
  const findInMemory = (request: VenueRequest): CachedResponse | undefined => {
    const rejection = rejections.get(request.target);
    if (rejection !== undefined && isRepeated(rejection, request, now())) throw new VenueFailure(rejection.problem);
    const cached = memoryCache.find(request.target);
    return cached !== undefined && isUsable(cached, request, now()) ? cached : undefined;
  };
  return {
    findStale,
    find: async (request) => {
      const inMemory = findInMemory(request);
      // Nothing else can be on disk.
      if (inMemory !== undefined || !isLongOver(request, toVenueTime(now()))) return inMemory;
      const response = await diskCache.find(keyOf(request));
      // Meanwhile, another caller may have read it from the exchange.
      const newer = findInMemory(request);
      if (newer !== undefined) return newer;
      if (response === undefined || !isFinal(request, response)) return undefined;
      const cached = { response, isSettled: true, isPublic: isPublic(request) };
      memoryCache.put(request.target, cached);
      return cached;
    },
    put: (request, fresh) => {
      const old = findStale(request);
      // Equal bytes are stored once, compressed once, and revalidate as unchanged in the browser.
      const response = old?.body.equals(fresh.body) === true ? { ...fresh, body: old.body, tag: old.tag } : fresh;
      const cached = { response, isSettled: isFinal(request, response), isPublic: isPublic(request) };
      memoryCache.put(request.target, cached);
      rejections.delete(request.target);
      if (cached.isSettled) void diskCache.put(keyOf(request), response);
      return response;
    },
    putRejection: ({ target }, problem) => {
      setBounded(rejections, target, { problem, at: now() }, MAX_REJECTIONS);
    },
  };
}

function isPublic({ endpoint }: VenueRequest): boolean {
  return endpoint.access === 'public';
}

/** Seconds for which a response is still fresh; negative when stale. */
export function freshSeconds(
  { endpoint: { reuseSeconds } }: VenueRequest,
  { answeredAt, heldMs = 0 }: VenueResponse,
  now: number,
): number {
  // An intermediate cache that held it longer than that has nothing newer, however often it is read.
  const isHeldTooLong = heldMs >= reuseSeconds * 1_000;
  return secondsLeft(reuseSeconds, isHeldTooLong ? answeredAt + heldMs : answeredAt, now);
}

function secondsLeft(reuseSeconds: number, answeredAt: number, now: number): number {
  // The clock was set back since, so the age is unknown.
  if (answeredAt > now) return -1;
  return reuseSeconds - (now - answeredAt) / 1_000;
}

function isUsable({ response, isSettled: isAlwaysValid }: CachedResponse, request: VenueRequest, now: number): boolean {
  return isAlwaysValid || freshSeconds(request, response, now) > 0;
}

function isRepeated({ at }: Rejection, { endpoint: { reuseSeconds } }: VenueRequest, now: number): boolean {
  return secondsLeft(Math.min(reuseSeconds, MAX_REJECTION_SECONDS), at, now) > 0;
}
