import type { SubQuota } from '#server/proxy/budget/sub-quota.ts';
import { isProblemOf, type VenueFailure } from '#server/core/venue-failure.ts';
import type { ReadDirectory } from '../products/product-directory.ts';
import type { Filter, Part } from './part.ts';
import { readInParts, type PartReader, type Split } from './read-in-parts.ts';

/** The parts of a split working set that were read so far: reading continues from there, however often it was interrupted. */
export interface PartCache {
  readonly read: (reader: PartReader, filter: Filter) => Promise<Split>;
}

/** A part's orders, or that they are too many for one response. */
type Outcome = Part | VenueFailure;

/** Two clocks, because each can be wrong: one may be set, the other may stop while the machine sleeps. */
export interface Clocks {
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
export function createPartCache(quota: SubQuota, clocks: Clocks): PartCache {
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
