import type { Micros } from '../model.ts';

/** The exchange's clock: it begins at an instant of its own and may run faster than the one on the wall. */
export interface ExchangeClock {
  readonly now: () => Micros;
}

export interface ClockSettings {
  /** Milliseconds on the wall. */
  readonly wall: () => number;
  readonly start: Micros;
  readonly speed: number;
}

export function createExchangeClock({ wall, start, speed }: ClockSettings): ExchangeClock {
  const begin = wall();
  let last = start;
  return {
    // A wall clock may be set back; an exchange's must not be.
    now: () => (last = Math.max(last, start + Math.floor((wall() - begin) * 1000 * speed))),
  };
}
