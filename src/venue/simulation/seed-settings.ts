import type { Micros } from '../core/model.ts';
import type { SavedState } from '../core/ports.ts';

/** The settings that the generated history follows from. They are stored once and never change. */
export interface SeedSettings {
  readonly seed: number;
  /** When the exchange was first started. */
  readonly genesis: Micros;
  readonly historyDays: number;
  readonly orders: number;
  readonly working: number;
  /** Authenticates cursors; stored, so that they stay valid after a restart. */
  readonly cursorKey: string;
}

const NUMBERS = ['seed', 'genesis', 'historyDays', 'orders', 'working'] as const;
/** The time that the market has reached; absent while the history is being generated. */
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
    throw new Error('The store holds no exchange, or one of another version. Choose another with --store.');
  return {
    seed: seed ?? 0,
    genesis: genesis ?? 0,
    historyDays: historyDays ?? 0,
    orders: orders ?? 0,
    working: working ?? 0,
    cursorKey: facts['cursorKey'] ?? '',
  };
}
