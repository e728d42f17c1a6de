import { createSingleFlight } from '#server/proxy/cache/single-flight.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import type { RateLimiterState, ReadOptions } from '#server/core/ports.ts';
import { createSubQuota, type SubQuota } from '#server/proxy/budget/sub-quota.ts';
import { isProblemOf, type VenueFailure } from '#server/core/venue-failure.ts';
import type { Filter, Part } from './part.ts';
import { readInParts, readWhole, type PartReader, type Split } from './read-in-parts.ts';
import type { ReadDirectory } from '../products/product-directory.ts';

export interface WorkingSetsParts extends Clocks {
  readonly limit: RateLimiterState['limit'];
  readonly readerFor: (options: ReadOptions) => PartReader;
}

/** Reads working sets. One that is too large for a single response is split once for all clients, within a share of the budget. */
export interface WorkingSets {
  readonly read: (filter: Filter, options: ReadOptions) => Promise<Split>;
}

/** A screen uses one filter, or a few. */
const MAX_CACHES = 4;
/** The filter of the set that everybody shares, and the journal keeps: no others take its place, or what it may read. */
const WHOLE = '{}';

export function createWorkingSets({ limit, readerFor, ...clocks }: WorkingSetsParts): WorkingSets {
  const quotas = { ofWhole: createSubQuota(limit, clocks.elapsed), ofOthers: createSubQuota(limit, clocks.elapsed) };
  const flights = createSingleFlight<Split>();
  const caches = new Map<string, PartCache>();
  const wholeCaches = new Map<string, PartCache>();
  const cachesFor = (key: string): Map<string, PartCache> => (key === WHOLE ? wholeCaches : caches);

  const openCache = (key: string): PartCache => {
    const cache = cachesFor(key).get(key) ?? createPartCache(key === WHOLE ? quotas.ofWhole : quotas.ofOthers, clocks);
    setBounded(cachesFor(key), key, cache, MAX_CACHES);
    return cache;
  };

  const readSplit = async (key: string, filter: Filter, { purpose, payers, signal }: ReadOptions): Promise<Split> => {
    // Hundreds of reads must not use the reserve, which is for interactive reads.
    const reader = readerFor({ purpose: purpose === 'prefetch' ? purpose : 'working', payers, signal });
    const split = await openCache(key).read(reader, filter);
    const isWhole = split.parts.some((part) => part.filter === filter);
    if (isWhole) cachesFor(key).delete(key);
    return split;
  };

  return {
    read: async (filter, options) => {
      const key = JSON.stringify(filter);
      try {
        if (!cachesFor(key).has(key)) return await readWhole(readerFor(options), filter);
      } catch (error) {
        if (!isProblemOf(error, 'too-many-working-orders')) throw error;
      }
      const flight =
        flights.find(key) ??
        flights.start(key, options, (dropped) => readSplit(key, filter, { ...options, signal: dropped }));
      return flight.join(options.signal);
    },
  };
}

/** The parts of a split working set that were read so far: reading continues from there, however often it was interrupted. */
interface PartCache {
  readonly read: (reader: PartReader, filter: Filter) => Promise<Split>;
}

/** A part's orders, or that they are too many for one response. */
type Outcome = Part | VenueFailure;

/** Two clocks, because each can be wrong: one may be set, the other may stop while the machine sleeps. */
interface Clocks {
  readonly now: () => number;
  readonly elapsed: () => number;
}

interface Timed<Value> {
  readonly value: Value;
  /** By the clock that shows more. */
  readonly ageMs: () => number;
}

function withAge<Value>(value: Value, { now, elapsed }: Clocks): Timed<Value> {
  const [readAt, readElapsed] = [now(), elapsed()];
  return { value, ageMs: () => Math.max(now() - readAt, elapsed() - readElapsed) };
}

/** In rounds, the time to read all parts within the quota; twice as long while other parts are missing. */
const MAX_AGE = 1;
const MAX_AGE_WHILE_BEHIND = 2;

/** How many reads a full round takes, and whether the last one was incomplete. */
interface Pace {
  reads: number;
  isBehind: boolean;
}

/** One pass over the set: the keys it needed, and the first budget failure, after which it sends no more reads. */
interface Round {
  readonly visited: Set<string>;
  budgetFailure: VenueFailure | null;
}

/** Caches each part until its turn to be read again, together with the directory and the accounts that the set is split by. */
function createPartCache(quota: SubQuota, clocks: Clocks): PartCache {
  const pace: Pace = { reads: 0, isBehind: true };
  const outcomes = createStore<Outcome>(quota, clocks, pace);
  const directories = createStore<ReadDirectory>(quota, clocks, pace);
  const accounts = createStore<readonly string[]>(quota, clocks, pace);
  return {
    read: async (reader, filter) => {
      const round: Round = { visited: new Set(), budgetFailure: null };
      const cached: PartReader = {
        ...reader,
        readPart: async (narrower, refresh = false) =>
          orThrow(
            await outcomes.read(round, toKey(narrower, refresh), () => orTooMany(reader.readPart(narrower, refresh))),
          ),
        directory: () => directories.read(round, 'directory', reader.directory),
        accounts: () => accounts.read(round, 'accounts', reader.accounts),
      };
      const split = await readInParts(cached, filter);
      pace.reads = round.visited.size;
      pace.isBehind = split.missing.length > 0;
      if (!pace.isBehind) outcomes.keepOnly(round.visited);
      return { ...split, roundMs: pace.reads * quota.millisPerRead };
    },
  };
}

/** Values of one kind, each valid for a round. */
function createStore<Value>(quota: SubQuota, clocks: Clocks, pace: Pace) {
  const known = new Map<string, Timed<Value>>();
  const isUsable = ({ ageMs }: Timed<Value>): boolean => {
    const rounds = ageMs() / (Math.max(pace.reads, known.size) * quota.millisPerRead);
    return rounds < (pace.isBehind ? MAX_AGE_WHILE_BEHIND : MAX_AGE);
  };

  const readAnew = async (round: Round, key: string, read: () => Promise<Value>): Promise<Value> => {
    if (round.budgetFailure !== null) throw round.budgetFailure;
    quota.take();
    const value = await read();
    known.set(key, withAge(value, clocks));
    return value;
  };

  return {
    read: async (round: Round, key: string, read: () => Promise<Value>): Promise<Value> => {
      round.visited.add(key);
      const old = known.get(key);
      if (old !== undefined && isUsable(old)) return old.value;
      try {
        return await readAnew(round, key, read);
      } catch (error) {
        if (!isProblemOf(error, 'budget-spent')) throw error;
        round.budgetFailure = error;
        pace.isBehind = true;
        if (old !== undefined && isUsable(old)) return old.value;
        throw error;
      }
    },
    keepOnly: (keys: ReadonlySet<string>): void => {
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    },
  };
}

/** A refreshed outcome is stored beside the first one. */
function toKey(filter: Filter, refresh: boolean): string {
  return JSON.stringify([filter, refresh]);
}

async function orTooMany(read: Promise<Part>): Promise<Outcome> {
  try {
    return await read;
  } catch (error) {
    if (isProblemOf(error, 'too-many-working-orders')) return error;
    throw error;
  }
}

function orThrow(outcome: Outcome): Part {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
