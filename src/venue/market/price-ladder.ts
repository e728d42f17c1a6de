import type { Side } from '../model.ts';

interface Priced {
  readonly price: number;
}

/** The prices of one side of a book at which something rests. */
export interface PriceLadder<Rung extends Priced> {
  readonly best: () => Rung | null;
  /** The rung of a price, made where there is none. */
  readonly at: (price: number) => Rung;
  /** Of one that is there. */
  readonly remove: (rung: Rung) => void;
  /** Best first. */
  readonly top: (limit: number) => Rung[];
  readonly size: () => number;
}

/**
 * Kept in an array with the best price last: a price is found by halving, and those that come and go most are near the
 * end, where inserting moves next to nothing.
 */
export function createPriceLadder<Rung extends Priced>(side: Side, make: (price: number) => Rung): PriceLadder<Rung> {
  const direction = side === 'Bid' ? 1 : -1;
  const rungs: Rung[] = [];

  const isWorse = (rung: Rung | undefined, price: number): boolean =>
    rung !== undefined && (rung.price - price) * direction < 0;

  /** Where a price stands, or would. */
  const placeOf = (price: number): number => {
    let low = 0;
    let high = rungs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isWorse(rungs[middle], price)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    best: () => rungs.at(-1) ?? null,
    at: (price) => {
      const place = placeOf(price);
      const known = rungs[place];
      if (known?.price === price) return known;
      const rung = make(price);
      rungs.splice(place, 0, rung);
      return rung;
    },
    remove: (rung) => {
      if (rungs.at(-1) === rung) rungs.pop();
      else rungs.splice(placeOf(rung.price), 1);
    },
    top: (limit) => rungs.slice(Math.max(0, rungs.length - limit)).reverse(),
    size: () => rungs.length,
  };
}
