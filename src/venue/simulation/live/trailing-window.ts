import type { Micros, Trade } from '../../core/model.ts';

const WINDOW = 86_400_000_000;
/** Expired trades are removed from the list in batches of this size. */
const BATCH = 512;

interface Totals {
  readonly volume: number;
  readonly cents: number;
}

/** The totals of a product over the last 24 hours. */
export interface TrailingWindow {
  readonly add: (trade: Trade) => void;
  /** Null without trades. Instants must not decrease. */
  readonly at: (now: Micros) => Totals | null;
}

export function createTrailingWindow(): TrailingWindow {
  const trades: Trade[] = [];
  let first = 0;
  let volume = 0;
  let cents = 0;

  const count = (trade: Trade, sign: 1 | -1): void => {
    volume += sign * trade.quantity;
    cents += sign * trade.cents;
  };
  const dropExpired = (before: Micros): void => {
    for (let trade = trades[first]; trade !== undefined && trade.time <= before; trade = trades[first]) {
      count(trade, -1);
      first += 1;
    }
    if (first < BATCH) return;
    trades.splice(0, first);
    first = 0;
  };
  return {
    add: (trade) => {
      trades.push(trade);
      count(trade, 1);
    },
    at: (now) => {
      dropExpired(now - WINDOW);
      return first === trades.length ? null : { volume, cents };
    },
  };
}
