import { type Decimal, toDecimal } from '../units/decimal.ts';

/** A price, and when the exchange last traded at it, in epoch milliseconds. */
export interface TradedPrice {
  readonly price: Decimal;
  readonly at: number;
}

/** A change of side: the last price on one side of a level and the first on the other. */
interface Crossing {
  readonly before: TradedPrice;
  readonly after: TradedPrice;
  readonly noticedAt: number;
}

/** What is known of a product: its last price beside the level, and its last crossing. */
interface KnownSide {
  readonly last: TradedPrice;
  readonly crossing: Crossing | null;
}

/** A crossing counts as long as this, so that it is seen on the screen and a second one soon after is no new alert. */
export const CROSSED_FOR_MS = 300_000;

/** The sides of a level on which the prices of products were. */
export interface Crossings {
  /**
   * Notes the price of a product at a reading and returns the crossing that counts at this moment; null if there is
   * none. A price exactly at the level is on neither side. The first price only shows the side.
   */
  readonly find: (product: string, price: TradedPrice, now: number) => Crossing | null;
  /** Writes what is known. */
  readonly write: () => string;
}

/** `written`: what was known before a restart. */
export function createCrossings(level: Decimal, written?: string): Crossings {
  const known = new Map(written === undefined ? [] : read(written));
  return {
    find: (product, price, now) => {
      const side = price.price.comparedTo(level);
      const { last = price, crossing = null } = known.get(product) ?? {};
      if (side === 0) return stillCounts(crossing, now);
      const hasCrossed = last.price.comparedTo(level) !== side;
      const newest = hasCrossed ? { before: last, after: price, noticedAt: now } : crossing;
      known.set(product, { last: price, crossing: newest });
      return stillCounts(newest, now);
    },
    write: () => JSON.stringify([...known]),
  };
}

function stillCounts(crossing: Crossing | null, now: number): Crossing | null {
  return crossing !== null && now - crossing.noticedAt < CROSSED_FOR_MS ? crossing : null;
}

/** JSON has decimals as texts. */
function read(written: string): readonly (readonly [product: string, known: KnownSide])[] {
  return JSON.parse(written, (name, value: unknown) =>
    name === 'price' && typeof value === 'string' ? toDecimal(value) : value,
  ) as readonly (readonly [string, KnownSide])[];
}
