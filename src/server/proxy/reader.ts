import {
  type CacheOutcome,
  type FailureCause,
  type FailureCount,
  isMoreUrgent,
  isSamePayers,
  type Purpose,
  type ReadCause,
  type Reader,
  type ReaderState,
  type Served,
  type Venue,
  type VenueRequest,
  type VenueResponse,
} from '#server/core/ports.ts';
import { setBounded } from '#server/core/maps.ts';
import {
  concernsVenue,
  isProblemOf,
  type Problem,
  VenueFailure,
  withRemainingTime,
} from '#server/core/venue-failure.ts';
import {
  createResponseCache,
  type DiskCache,
  freshSeconds,
  type MemoryCache,
  type ResponseCache,
} from './response-cache.ts';

interface ReaderDeps {
  readonly venue: Venue;
  readonly memoryCache: MemoryCache;
  readonly diskCache: DiskCache;
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** Identifies whose responses these are: the exchange, and for private endpoints the connection that may see them. */
  readonly venueId: string;
  readonly identity: string;
}

/** A stale public response older than this, or of unknown age, is not served, however clearly marked. */
const MAX_STALE_MS = 24 * 3_600_000;
/** The exchange would reject the request again, so repeating it would only spend the budget. */
const LASTING_REJECTIONS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

/** Serves from memory while fresh, from disk if settled, and otherwise with one read that all callers share. */
export function createReader(deps: ReaderDeps): Reader {
  const { venue, memoryCache, diskCache, now, elapsed } = deps;
  const cache = createResponseCache({
    memoryCache,
    diskCache,
    keyOf: (request) => keyOf(deps, request),
    now,
    toVenueTime: (at) => toVenueTime(deps, at),
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
    kept: (request) => {
      const response = cache.findStale(request);
      return response === undefined ? null : serve(request, response, 'hit');
    },
    offer: (request, response) => {
      if (response.respondedAt > (cache.findStale(request)?.respondedAt ?? -Infinity)) cache.put(request, response);
    },
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

/** Reads from the exchange, and caches the response or the failure. */
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

/**
 * Whether a read of its own may succeed: the shared one may have been less urgent, so that it did not wait or retry as
 * long as this one would, or its payer’s share may be used up.
 */
function mayDoBetter(own: ReadCause, shared: ReadCause, error: unknown): boolean {
  return (
    isMoreUrgent(own.purpose, shared.purpose) ||
    (isProblemOf(error, 'budget-spent') && !isSamePayers(own.payers, shared.payers))
  );
}

function isRecent({ respondedAt }: VenueResponse, now: number): boolean {
  return respondedAt <= now && now - respondedAt < MAX_STALE_MS;
}

function toVenueTime({ venue }: ReaderDeps, at: number): number {
  return at + (venue.state().clockOffsetMs ?? 0);
}

/** Returns a key that is unique on disk, where other exchanges or identities may have left responses. */
function keyOf({ venueId, identity }: ReaderDeps, { endpoint, path, rawQuery, state }: VenueRequest): string {
  const owner = endpoint.access === 'signed' ? `${venueId} ${identity}` : venueId;
  return `${owner} ${path}?${rawQuery}${state === undefined ? '' : ` ${state}`}`;
}

function isLasting(error: unknown): error is VenueFailure {
  return error instanceof VenueFailure && LASTING_REJECTIONS.includes(error.problem.type);
}

/** Whether the error is a failure, which only hides the exchange’s current response; a rejection is that response. */
function isPassing(error: unknown): boolean {
  return error instanceof VenueFailure && !isLasting(error);
}

/** Whether a stale response may be served; never for private data. */
function mayBeStale({ endpoint }: VenueRequest, error: unknown): boolean {
  return endpoint.access === 'public' && isPassing(error);
}

/** Remembers failures for a moment, so that equal requests do not each repeat them and spend the budget. */
interface NegativeCache {
  /**
   * Returns the failure that a read for this purpose would repeat; undefined for a purpose that waits longer or retries
   * more than the failed read did.
   */
  readonly find: (key: string, purpose: Purpose) => VenueFailure | undefined;
  readonly put: (key: string, purpose: Purpose, failure: VenueFailure) => void;
  /** Forgets the failure of this key, and all failures because the exchange was unreachable. */
  readonly succeeded: (key: string) => void;
}

interface FailedRead {
  readonly purpose: Purpose;
  readonly failure: VenueFailure;
  readonly until: number;
}

/** For failures without a retry time of their own. */
const DEFAULT_MS = 10_000;
const MAX_ENTRIES = 1_000;

function createNegativeCache(elapsed: () => number): NegativeCache {
  const entries = new Map<string, FailedRead>();
  return {
    find: (key, purpose) => {
      const entry = entries.get(key);
      if (entry === undefined || elapsed() >= entry.until || isWorthAnother(purpose, entry)) return undefined;
      const { failure, until } = entry;
      return new VenueFailure(withRemainingTime(failure.problem, until, elapsed()), failure);
    },
    put: (key, purpose, failure) => {
      const { retryAfterSeconds } = failure.problem;
      const lastsMs = retryAfterSeconds === undefined ? DEFAULT_MS : retryAfterSeconds * 1_000;
      setBounded(entries, key, { purpose, failure, until: elapsed() + lastsMs }, MAX_ENTRIES);
    },
    succeeded: (responded) => {
      entries.delete(responded);
      for (const [key, { failure }] of entries) if (failure.problem.type === 'venue-unreachable') entries.delete(key);
    },
  };
}

/** Whether a read for this purpose may retry earlier; never before a time that the exchange has named. */
function isWorthAnother(purpose: Purpose, entry: FailedRead): boolean {
  return entry.failure.problem.retryAfterSeconds === undefined && isMoreUrgent(purpose, entry.purpose);
}

interface FailureCounts {
  readonly add: (how: 'stale' | 'failed', problem: Problem) => void;
  readonly state: () => Readonly<Record<FailureCause, FailureCount>>;
}

const NONE: FailureCount = { stale: 0, failed: 0, firstAt: null, lastAt: null };

/**
 * Counts requests without a new response by cause, because a failing exchange needs other measures than a spent budget.
 */
function createFailureCounts(now: () => number): FailureCounts {
  let counts: Readonly<Record<FailureCause, FailureCount>> = { venue: NONE, budget: NONE };
  return {
    add: (how, { type }) => {
      const cause = type === 'budget-spent' ? 'budget' : 'venue';
      const known = counts[cause];
      const at = now();
      counts = { ...counts, [cause]: { ...known, [how]: known[how] + 1, firstAt: known.firstAt ?? at, lastAt: at } };
    },
    state: () => counts,
  };
}

/** Runs one read at a time for each key, shared by all callers meanwhile, and dropped when the last of them leaves. */
interface SingleFlight<Result> {
  readonly find: (key: string) => Flight<Result> | undefined;
  /** The cause decides how long the read waits for the budget, how often it is retried, and whose share it uses. */
  readonly start: (key: string, cause: ReadCause, read: (signal: AbortSignal) => Promise<Result>) => Flight<Result>;
}

interface Flight<Result> extends ReadCause {
  /** Rejects with the signal’s reason if the caller aborts before the read settles. */
  readonly join: (signal: AbortSignal) => Promise<Result>;
}

export function createSingleFlight<Result>(): SingleFlight<Result> {
  // An array, since there are few and they are short-lived. A Map that shrinks and grows forever would keep their
  // responses from the garbage collector.
  const flights: { readonly key: string; readonly flight: Flight<Result> }[] = [];
  return {
    find: (key) => flights.find((entry) => entry.key === key)?.flight,
    start: (key, cause, read) => {
      const flight = startFlight(cause, read, () => {
        remove(flights, (entry) => entry.flight === flight);
      });
      flights.push({ key, flight });
      return flight;
    },
  };
}

function remove<Item>(items: Item[], matches: (item: Item) => boolean): void {
  const index = items.findIndex(matches);
  if (index !== -1) items.splice(index, 1);
}

function startFlight<Result>(
  { purpose, payers }: ReadCause,
  read: (signal: AbortSignal) => Promise<Result>,
  onEnd: () => void,
): Flight<Result> {
  const controller = new AbortController();
  let callers = 0;
  const result = read(controller.signal).finally(onEnd);
  // All callers may have left before it fails.
  result.catch(() => undefined);
  const leave = (): void => {
    callers -= 1;
    if (callers > 0) return;
    // The next caller must not join a dropped read.
    onEnd();
    controller.abort();
  };
  return {
    purpose,
    payers,
    join: (signal) =>
      new Promise((resolve, reject) => {
        callers += 1;
        const onAbort = (): void => {
          leave();
          reject(new DOMException('The caller has gone.', 'AbortError'));
        };
        if (signal.aborted) {
          onAbort();
          return;
        }
        signal.addEventListener('abort', onAbort, { once: true });
        const settleWith =
          <Value>(settle: (value: Value) => void) =>
          (value: Value): void => {
            signal.removeEventListener('abort', onAbort);
            settle(value);
          };
        result.then(settleWith(resolve), settleWith(reject));
      }),
  };
}
