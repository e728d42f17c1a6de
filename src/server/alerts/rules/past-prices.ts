import { RecordedPrice } from '#contract/desk/journal.ts';
import { list } from '#contract/exchange/schema.ts';
import { createParser } from '#contract/parse/parse.ts';
import { createMarketPriceOf, type MarketPrice, type MarketPriceOf, type TermsOf } from '#model/orders/order-terms.ts';
import { toRecordedPrice } from '#server/journal/prices/price-rows.ts';
import type { PriceReading } from '#server/journal/prices/price-store.ts';
import type { PastPrices } from '#server/journal/prices/read-prices.ts';
import { fold } from '#server/journal/segment/change.ts';
import { toSource } from './rule-topics.ts';

/** The market prices during a trial, as its readings pass. */
export interface PassingPrices {
  /** Takes the next reading. Returns whether it shows another price, or follows a gap. */
  readonly take: (reading: PriceReading) => boolean;
  /** Another function once another price was read. */
  readonly termsOf: () => TermsOf;
  /** Why there are no prices at an instant; null if there are. */
  readonly missingAt: (now: number) => string | null;
  /** The prices are missing after this instant unless they are read again. */
  readonly knownUntil: () => number;
  /** The periods without prices from one instant to another, which is not before the last reading. */
  readonly gaps: (from: number, to: number) => readonly Gap[];
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

interface PassingDeps {
  readonly termsAt: (marketOf: MarketPriceOf) => TermsOf;
  readonly maxAgeMs: number;
}

/** `begin`: the prices before the first reading; null if there are none. */
export function createPassingPrices(begin: PastPrices | null, { termsAt, maxAgeMs }: PassingDeps): PassingPrices {
  const prices = new Map(begin?.prices);
  const marketOf = createMarketOf(prices);
  let readAt = begin?.readAt ?? -Infinity;
  let termsOf = termsAt(marketOf);
  const gaps: Gap[] = [];
  const isOld = (now: number): boolean => now - readAt > maxAgeMs;
  return {
    take: ({ at, changes }) => {
      const isAfterGap = isOld(at);
      if (isAfterGap) gaps.push({ from: readAt, to: at });
      readAt = at;
      if (changes.length === 0) return isAfterGap;
      fold(prices, changes);
      termsOf = termsAt(marketOf);
      return true;
    },
    termsOf: () => termsOf,
    missingAt: (now) => (isOld(now) ? 'Market prices were not recorded then.' : null),
    knownUntil: () => readAt + maxAgeMs,
    gaps: (from, to) =>
      [...gaps, ...(isOld(to) ? [{ from: readAt, to }] : [])].map((gap) => ({
        ...gap,
        from: Math.max(gap.from, from),
      })),
  };
}

const parser = createParser(list(RecordedPrice));

/** Parses prices on demand, each once: a trial passes many that none of its orders needs. */
function createMarketOf(prices: ReadonlyMap<string, string>): MarketPriceOf {
  const known = new Map<number, { readonly row: string; readonly price: MarketPrice | null }>();
  return (productId) => {
    const row = prices.get(String(productId));
    if (row === undefined) return null;
    const last = known.get(productId);
    if (last?.row === row) return last.price;
    const { value } = parser.tolerant(`[${toRecordedPrice(row)}]`);
    const price = createMarketPriceOf({ ...toSource('desk/journalPrices', 0), value: value ?? [] })(productId);
    known.set(productId, { row, price });
    return price;
  };
}
