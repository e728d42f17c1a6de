import type { Quote } from '../market/matching.ts';
import type { Micros, Product } from '../model.ts';
import { activityOf, halfSpread } from './activity.ts';
import type { Floor } from './floor.ts';
import type { Hours } from './hours.ts';
import type { Ledger } from './ledger.ts';
import { isDormant } from './options.ts';
import { createRandom } from './random.ts';

const MAKERS = ['maker-1', 'maker-2'] as const;
/** Price levels of both makers together, on either side; they take turns. */
const LEVELS = 4;
/** A quote stays while what it stands around has moved by less than this share of the way to it. */
const PATIENCE = 0.8;

/** Market makers: they quote around what a product is worth. */
export interface Makers {
  /** Quotes anew, if that is worth it. */
  readonly refresh: (product: Product, time: Micros) => void;
}

interface Standing {
  readonly fair: number;
  readonly settle: Micros;
  /** What had traded when the quotes were made: quotes that were hit are made anew. */
  readonly traded: number;
}

export interface MakersContext {
  readonly floor: Floor;
  readonly ledger: Ledger;
  readonly hours: Hours;
  readonly start: Micros;
}

export function createMakers({ floor, ledger, hours, start }: MakersContext): Makers {
  const { matching, prices, story } = floor;
  const random = createRandom(story.seed, `makers/${start}`);
  const standing = new Map<number, Standing>();

  const place = (product: Product, time: Micros, fair: number): void => {
    const quotes = makeQuotes(product, fair, () => 0.6 + 0.8 * random.next(), activityOf(product, time).quantity);
    const stamp = ledger.stamp(time);
    // Both leave before either comes back: after a jump they would trade with one another.
    for (const maker of MAKERS) matching.quote(maker, product.id, [], stamp);
    for (const [turn, maker] of MAKERS.entries()) {
      const own = quotes.filter((_, at) => at % MAKERS.length === turn);
      ledger.record(matching.quote(maker, product.id, own, stamp));
    }
  };

  return {
    refresh: (product, time) => {
      if (isDormant(product) || !hours.isOpen(product, time)) return;
      const { settle } = hours.sessionOf(product, time);
      const fair = prices.exact.fair(product, time);
      const last = standing.get(product.id);
      const traded = ledger.tallyOf(product.id)?.volume ?? 0;
      const stays = last?.settle === settle && last.traded === traded;
      if (stays && Math.abs(fair - last.fair) < PATIENCE * halfSpread(product, fair)) return;
      place(product, time, fair);
      standing.set(product.id, { fair, settle, traded: ledger.tallyOf(product.id)?.volume ?? 0 });
    },
  };
}

function makeQuotes(product: Product, fair: number, size: () => number, usual: number): Quote[] {
  const half = halfSpread(product, fair);
  const step = Math.max(1, Math.round(half * 0.5));
  const quotes: Quote[] = [];
  for (let level = 0; level < LEVELS; level++) {
    const away = half + level * step;
    const quantity = Math.max(1, Math.round(usual * (2 + level) * size()));
    const [bid, ask] = [Math.floor(fair - away), Math.ceil(fair + away)];
    if (product.kind === 'spread' || bid >= 1) quotes.push({ side: 'Bid', price: bid, quantity });
    quotes.push({ side: 'Ask', price: ask, quantity });
  }
  return quotes;
}
