import type { Micros, Trade } from '../../model.ts';

const WINDOW = 86_400_000_000;
/** So many forgotten trades are let stand before the list is cut. */
const SLACK = 512;

interface Totals {
  readonly volume: number;
  readonly cents: number;
}

/** What a product traded in the last 24 hours. */
export interface TrailingWindow {
  readonly add: (trade: Trade) => void;
  /** Null where nothing traded. Instants are asked for in order. */
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
  const forget = (before: Micros): void => {
    for (let trade = trades[first]; trade !== undefined && trade.time <= before; trade = trades[first]) {
      count(trade, -1);
      first += 1;
    }
    if (first < SLACK) return;
    trades.splice(0, first);
    first = 0;
  };
  return {
    add: (trade) => {
      trades.push(trade);
      count(trade, 1);
    },
    at: (now) => {
      forget(now - WINDOW);
      return first === trades.length ? null : { volume, cents };
    },
  };
}
