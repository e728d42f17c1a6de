import type { Micros } from '../core/model.ts';

/** The exchange's clock: it may start at any instant and run faster than the wall clock. */
export interface ExchangeClock {
  readonly now: () => Micros;
}

export interface ClockSettings {
  /** Milliseconds of the wall clock. */
  readonly wall: () => number;
  readonly start: Micros;
  readonly speed: number;
}

export function createExchangeClock({ wall, start, speed }: ClockSettings): ExchangeClock {
  const begin = wall();
  let last = start;
  return {
    // Even if the wall clock is set back, the exchange's clock never goes back.
    now: () => (last = Math.max(last, start + Math.floor((wall() - begin) * 1000 * speed))),
  };
}
