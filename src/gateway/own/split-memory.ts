import type { VenueFailure } from '../ports.ts';
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

/** Keeps each part until it is the turn of it again. */
export function createSplitMemory(share: Share, clocks: Clocks): SplitMemory {
  const known = new Map<string, Known<Outcome>>();
  let wanted = 0;
  let isBehind = true;
  const ageOf = ({ ageMs }: Known<unknown>): number => ageMs() / (Math.max(wanted, known.size) * share.millisPerRead);

  const askAnew = async (key: string, asked: () => Promise<Part>): Promise<Outcome> => {
    share.take();
    const value = await orTooMany(asked());
    known.set(key, keep(value, clocks));
    return value;
  };

  const isGood = (entry: Known<unknown>): boolean => ageOf(entry) < (isBehind ? MOST_AGE_WHILE_BEHIND : MOST_AGE);

  /** Stops asking with the first refusal for want of budget. */
  const createAsk = (parts: SplitParts, visited: Set<string>): SplitParts['ask'] => {
    let spent: VenueFailure | null = null;
    return async (filter, again) => {
      const key = toKey(filter, again);
      visited.add(key);
      const old = known.get(key);
      if (old !== undefined && isGood(old)) return orThrow(old.value);
      if (spent !== null) throw spent;
      try {
        return orThrow(await askAnew(key, () => parts.ask(filter, again)));
      } catch (error) {
        if (!isProblemOf(error, 'budget-spent')) throw error;
        spent = error;
        isBehind = true;
        if (old !== undefined && isGood(old)) return orThrow(old.value);
        throw error;
      }
    };
  };

  const directory = createKeeper<Awaited<ReturnType<SplitParts['directory']>>>(share, isGood, clocks);
  const accounts = createKeeper<readonly string[]>(share, isGood, clocks);

  return {
    read: async (parts, filter) => {
      const visited = new Set<string>();
      const ask = createAsk(parts, visited);
      const split = await readParts({ ...parts, ask, directory: () => directory(parts.directory), accounts: () => accounts(parts.accounts) }, filter);
      wanted = visited.size;
      isBehind = split.missing.length > 0;
      if (!isBehind) for (const key of known.keys()) if (!visited.has(key)) known.delete(key);
      return split;
    },
  };
}

function createKeeper<Value>(share: Share, isGood: (kept: Known<Value>) => boolean, clocks: Clocks) {
  let kept: Known<Value> | null = null;
  return async (read: () => Promise<Value>): Promise<Value> => {
    if (kept !== null && isGood(kept)) return kept.value;
    share.take();
    kept = keep(await read(), clocks);
    return kept.value;
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
