import type { Micros } from '../model.ts';
import type { SavedState } from '../ports.ts';

/** What the exchange's past follows from. It is written down once, and holds for good. */
export interface SeedSettings {
  readonly seed: number;
  /** When the exchange was first started. */
  readonly genesis: Micros;
  readonly historyDays: number;
  readonly orders: number;
  readonly working: number;
  /** Seals cursors; the same after a restart, so that they stay good. */
  readonly cursorKey: string;
}

const NUMBERS = ['seed', 'genesis', 'historyDays', 'orders', 'working'] as const;
/** How far the market has come; absent while the past is still being made up. */
const REACHED = 'reached';

export function toFacts(settings: SeedSettings): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}

export function reachedFact(time: Micros): Readonly<Record<string, string>> {
  return { [REACHED]: String(time) };
}

export function readReached({ facts }: SavedState): Micros | null {
  const text = facts[REACHED];
  return text === undefined ? null : Number(text);
}

export function readSeedSettings({ facts }: SavedState): SeedSettings {
  const [seed, genesis, historyDays, orders, working] = NUMBERS.map((name) => Number(facts[name]));
  const values = [seed, genesis, historyDays, orders, working];
  if (values.some((value) => !Number.isSafeInteger(value)))
    throw new Error('This store is not an exchange’s, or of another version.');
  return {
    seed: seed ?? 0,
    genesis: genesis ?? 0,
    historyDays: historyDays ?? 0,
    orders: orders ?? 0,
    working: working ?? 0,
    cursorKey: facts['cursorKey'] ?? '',
  };
}
