import type { Quote } from '../../market/matching.ts';
import type { Micros, Product } from '../../core/model.ts';
import { activityOf, atLeastOneTick, halfSpread, quoteStep } from '../products/activity.ts';
import type { MarketSetup } from '../market-setup.ts';
import type { CachedCalendar } from '../../market/calendar.ts';
import type { ChangeBuffer } from './change-buffer.ts';
import { isDormant } from '../products/dated-products.ts';
import { createRandom } from '../../core/random.ts';

const MAKERS = ['maker-1', 'maker-2'] as const;
/** The number of price levels of both makers together, on each side. The makers alternate. */
const LEVELS = 4;
/** Quotes stay until the fair price has moved by this share of the half spread. */
const REQUOTE_SHARE = 0.8;

/** Market makers, who quote around the fair price of a product. */
export interface MarketMakers {
  /** Replaces the quotes if the price has moved enough. */
  readonly refresh: (product: Product, time: Micros) => void;
}

interface LastQuotes {
  readonly fair: number;
  readonly settle: Micros;
  /** The session's volume when the quotes were made. Quotes are replaced after trades. */
  readonly traded: number;
}

export interface MarketMakersContext {
  readonly setup: MarketSetup;
  readonly buffer: ChangeBuffer;
  readonly calendar: CachedCalendar;
  readonly start: Micros;
}

export function createMarketMakers({ setup, buffer, calendar, start }: MarketMakersContext): MarketMakers {
  const { matching, prices, settings } = setup;
  const random = createRandom(settings.seed, `makers/${start}`);
  const lastQuotes = new Map<number, LastQuotes>();

  const place = (product: Product, time: Micros, fair: number): void => {
    const quotes = makeQuotes(product, fair, () => 0.6 + 0.8 * random.next(), activityOf(product, time).quantity);
    const stamp = buffer.stamp(time);
    // Both makers cancel before either of them quotes: after a jump they would otherwise trade with each other.
    for (const maker of MAKERS) matching.quote(maker, product.id, [], stamp);
    for (const [turn, maker] of MAKERS.entries()) {
      const own = quotes.filter((_, at) => at % MAKERS.length === turn);
      buffer.record(matching.quote(maker, product.id, own, stamp));
    }
  };

  return {
    refresh: (product, time) => {
      if (isDormant(product) || !calendar.isOpen(product, time)) return;
      const { settle } = calendar.sessionOf(product, time);
      const fair = prices.exact.fair(product, time);
      const last = lastQuotes.get(product.id);
      const traded = buffer.summaryOf(product.id)?.volume ?? 0;
      const isCurrent = last?.settle === settle && last.traded === traded;
      if (isCurrent && Math.abs(fair - last.fair) < REQUOTE_SHARE * halfSpread(product, fair)) return;
      place(product, time, fair);
      lastQuotes.set(product.id, { fair, settle, traded: buffer.summaryOf(product.id)?.volume ?? 0 });
    },
  };
}

function makeQuotes(product: Product, fair: number, size: () => number, usual: number): Quote[] {
  const half = halfSpread(product, fair);
  const step = quoteStep(half);
  const quotes: Quote[] = [];
  for (let level = 0; level < LEVELS; level++) {
    const away = half + level * step;
    const quantity = Math.max(1, Math.round(usual * (2 + level) * size()));
    quotes.push({ side: 'Bid', price: atLeastOneTick(product, Math.floor(fair - away)), quantity });
    quotes.push({ side: 'Ask', price: Math.ceil(fair + away), quantity });
  }
  return quotes;
}
