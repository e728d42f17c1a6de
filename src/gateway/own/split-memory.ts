import type { VenueFailure } from '../ports.ts';
import type { ReadDirectory } from './directory.ts';
import type { Share } from './share.ts';
import { isProblemOf, readParts, type Filter, type Part, type Split, type SplitParts } from './working-parts.ts';

/** What a split of the working set has read so far: it goes on from there, however often it had to stop. */
export interface SplitMemory {
  readonly read: (parts: SplitParts, filter: Filter) => Promise<Split>;
}

/** Of a part: its orders, or that they are too many for one answer. */
type Outcome = Part | VenueFailure;

/** Two clocks, since each can be wrong: one may be set, the other stands still while the machine sleeps. */
export interface Clocks {
  readonly now: () => number;
  readonly elapsed: () => number;
}

interface Known<Value> {
  readonly value: Value;
  /** How old it is, by the clock that says more. */
  readonly ageMs: () => number;
}

function keep<Value>(value: Value, { now, elapsed }: Clocks): Known<Value> {
  const [byClock, evenly] = [now(), elapsed()];
  return { value, ageMs: () => Math.max(now() - byClock, elapsed() - evenly) };
}

/** As long as it takes to read all parts within the share; twice as long where others are not read at all. */
const MOST_AGE = 1;
const MOST_AGE_WHILE_BEHIND = 2;

/** How many reads a whole round takes, and whether the last one left some out. */
interface Pace {
  reads: number;
  isBehind: boolean;
}

/** One reading of a set: what it asked for, and the first refusal for want of budget, after which nothing more is asked. */
interface Round {
  readonly visited: Set<string>;
  spent: VenueFailure | null;
}

/** Keeps each part until it is the turn of it again, and what the set is split by like any of them. */
export function createSplitMemory(share: Share, clocks: Clocks): SplitMemory {
  const pace: Pace = { reads: 0, isBehind: true };
  const outcomes = createShelf<Outcome>(share, clocks, pace);
  const directories = createShelf<ReadDirectory>(share, clocks, pace);
  const accounts = createShelf<readonly string[]>(share, clocks, pace);
  return {
    read: async (parts, filter) => {
      const round: Round = { visited: new Set(), spent: null };
      const remembering: SplitParts = {
        ...parts,
        ask: async (narrower, again) => orThrow(await outcomes.read(round, toKey(narrower, again), () => orTooMany(parts.ask(narrower, again)))),
        directory: () => directories.read(round, 'directory', parts.directory),
        accounts: () => accounts.read(round, 'accounts', parts.accounts),
      };
      const split = await readParts(remembering, filter);
      pace.reads = round.visited.size;
      pace.isBehind = split.missing.length > 0;
      if (!pace.isBehind) outcomes.keepOnly(round.visited);
      return { ...split, roundMs: pace.reads * share.millisPerRead };
    },
  };
}

/** Values of one kind that were read, each good for a round. */
function createShelf<Value>(share: Share, clocks: Clocks, pace: Pace) {
  const known = new Map<string, Known<Value>>();
  const isGood = ({ ageMs }: Known<Value>): boolean => {
    const rounds = ageMs() / (Math.max(pace.reads, known.size) * share.millisPerRead);
    return rounds < (pace.isBehind ? MOST_AGE_WHILE_BEHIND : MOST_AGE);
  };

  const readAnew = async (round: Round, key: string, read: () => Promise<Value>): Promise<Value> => {
    if (round.spent !== null) throw round.spent;
    share.take();
    const value = await read();
    known.set(key, keep(value, clocks));
    return value;
  };

  return {
    read: async (round: Round, key: string, read: () => Promise<Value>): Promise<Value> => {
      round.visited.add(key);
      const old = known.get(key);
      if (old !== undefined && isGood(old)) return old.value;
      try {
        return await readAnew(round, key, read);
      } catch (error) {
        if (!isProblemOf(error, 'budget-spent')) throw error;
        round.spent = error;
        pace.isBehind = true;
        if (old !== undefined && isGood(old)) return old.value;
        throw error;
      }
    },
    keepOnly: (keys: ReadonlySet<string>): void => {
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    },
  };
}

/** What came of asking again is known beside what came of it before. */
function toKey(filter: Filter, again?: 'again'): string {
  return JSON.stringify([filter, again]);
}

async function orTooMany(asked: Promise<Part>): Promise<Outcome> {
  try {
    return await asked;
  } catch (error) {
    if (isProblemOf(error, 'too-many-working-orders')) return error;
    throw error;
  }
}

function orThrow(outcome: Outcome): Part {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
