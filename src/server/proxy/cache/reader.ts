import {
  isMoreUrgent,
  isSamePayers,
  type CacheOutcome,
  type ReadCause,
  type Reader,
  type ReaderState,
  type Served,
  type Venue,
  type VenueRequest,
  type VenueResponse,
} from '#server/core/ports.ts';
import { createSingleFlight } from './single-flight.ts';
import { concernsVenue, isProblemOf, VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import type { DiskCache } from './disk-cache.ts';
import { createFailureCounts } from './failure-counts.ts';
import type { MemoryCache } from './memory-cache.ts';
import { createNegativeCache, type NegativeCache } from './negative-cache.ts';
import { createResponseCache, freshSeconds, type ResponseCache } from './response-cache.ts';

export interface ReaderParts {
  readonly venue: Venue;
  readonly memoryCache: MemoryCache;
  readonly diskCache: DiskCache;
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** Whose responses these are: the exchange's id, and for private endpoints the connection that may see them. */
  readonly venueId: string;
  readonly identity: string;
}

/** A stale public response older than this, or of unknown age, is not served, however clearly marked. */
const MAX_STALE_MS = 24 * 3_600_000;
/** The exchange would reject the request again: repeating it would only spend the budget. */
const LASTING_REJECTIONS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

/** Serves from memory while fresh, from disk if settled, and otherwise by one read that all callers share. */
export function createReader(parts: ReaderParts): Reader {
  const { venue, memoryCache, diskCache, now, elapsed } = parts;
  const cache = createResponseCache({
    memoryCache,
    diskCache,
    keyOf: (request) => keyOf(parts, request),
    now,
    toVenueTime: (at) => toVenueTime(parts, at),
  });
  const flights = createSingleFlight<VenueResponse>();
  const failures = createNegativeCache(elapsed);
  const readFromVenue = createVenueReading(venue, cache, failures);
  const outcomes: Record<CacheOutcome, number> = { 'hit': 0, 'disk-hit': 0, 'coalesced': 0, 'miss': 0, 'stale': 0 };
  const causes = createFailureCounts(now);
  let failed = 0;

  const serve = (
    request: VenueRequest,
    response: VenueResponse,
    outcome: CacheOutcome,
    staleBecause: Problem | null = null,
  ): Served => {
    outcomes[outcome] += 1;
    return { response, outcome, freshSeconds: freshSeconds(request, response, now()), staleBecause };
  };

  const serveStale = (request: VenueRequest, error: unknown): Served => {
    if (!(error instanceof VenueFailure)) throw error;
    const stale = mayBeStale(request, error) ? cache.findStale(request) : undefined;
    const isServed = stale !== undefined && isRecent(stale, now());
    causes.add(isServed ? 'stale' : 'failed', error.problem);
    if (isServed) return serve(request, stale, 'stale', error.problem);
    failed += 1;
    throw error;
  };

  const read: Reader['read'] = async (request, options) => {
    const { purpose, signal, refresh = false } = options;
    if (!refresh) {
      const cached = await cache.find(request);
      if (cached !== undefined) return serve(request, cached.response, cached.isSettled ? 'disk-hit' : 'hit');
      signal.throwIfAborted();
    }
    const underWay = flights.find(request.target);
    const failure = underWay === undefined ? failures.find(request.target, purpose) : undefined;
    if (failure !== undefined) return serveStale(request, failure);
    const flight =
      underWay ??
      flights.start(request.target, options, (dropped) => readFromVenue(request, { ...options, signal: dropped }));
    try {
      return serve(request, await flight.join(signal), underWay === undefined ? 'miss' : 'coalesced');
    } catch (error) {
      if (isPassing(error) && mayDoBetter(options, flight, error)) return read(request, options);
      return serveStale(request, error);
    }
  };

  return {
    read,
    state: (): ReaderState => ({
      ...memoryCache.size(),
      onDisk: diskCache.size(),
      outcomes: { ...outcomes },
      failed,
      causes: causes.state(),
    }),
    close: () => venue.close(),
  };
}

/** Reads from the exchange, and remembers the response or the failure. */
function createVenueReading(venue: Venue, cache: ResponseCache, failures: NegativeCache): Venue['read'] {
  return async (request, options) => {
    try {
      const response = cache.put(request, await venue.read(request, options));
      failures.succeeded(request.target);
      return response;
    } catch (error) {
      if (isLasting(error)) cache.putRejection(request, error.problem);
      else if (error instanceof VenueFailure && concernsVenue(error))
        failures.put(request.target, options.purpose, error);
      throw error;
    }
  };
}

/** The shared read was less urgent, so it did not wait or retry as long as this one may; or it was of somebody whose share is used up. */
function mayDoBetter(own: ReadCause, shared: ReadCause, error: unknown): boolean {
  return (
    isMoreUrgent(own.purpose, shared.purpose) ||
    (isProblemOf(error, 'budget-spent') && !isSamePayers(own.payers, shared.payers))
  );
}

function isRecent({ answeredAt }: VenueResponse, now: number): boolean {
  return answeredAt <= now && now - answeredAt < MAX_STALE_MS;
}

function toVenueTime({ venue }: ReaderParts, at: number): number {
  return at + (venue.state().clockOffsetMs ?? 0);
}

/** Keys on disk, where other exchanges or identities may have left responses. */
function keyOf({ venueId, identity }: ReaderParts, { endpoint, path, rawQuery }: VenueRequest): string {
  const owner = endpoint.access === 'signed' ? `${venueId} ${identity}` : venueId;
  return `${owner} ${path}?${rawQuery}`;
}

function isLasting(error: unknown): error is VenueFailure {
  return error instanceof VenueFailure && LASTING_REJECTIONS.includes(error.problem.type);
}

/** A rejection is the exchange's current answer; a failure only hides it. */
function isPassing(error: unknown): boolean {
  return error instanceof VenueFailure && !isLasting(error);
}

/** Private data is never served stale. */
function mayBeStale({ endpoint }: VenueRequest, error: unknown): boolean {
  return endpoint.access === 'public' && isPassing(error);
}
