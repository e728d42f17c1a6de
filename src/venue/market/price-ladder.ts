import type { Side } from '../core/model.ts';

interface Priced {
  readonly price: number;
}

/** The prices of one side of a book, sorted. */
export interface PriceLadder<Rung extends Priced> {
  readonly best: () => Rung | null;
  /** The rung of a price, made if there is none. */
  readonly at: (price: number) => Rung;
  readonly remove: (rung: Rung) => void;
  /** Best first. */
  readonly top: (limit: number) => Rung[];
  readonly size: () => number;
}

/**
 * An array with the best price last: prices are found by binary search, and the busiest ones are near the end, where
 * inserting is cheap.
 */
export function createPriceLadder<Rung extends Priced>(side: Side, make: (price: number) => Rung): PriceLadder<Rung> {
  const direction = side === 'Bid' ? 1 : -1;
  const rungs: Rung[] = [];

  const isWorse = (rung: Rung | undefined, price: number): boolean =>
    rung !== undefined && (rung.price - price) * direction < 0;

  /** The index of a price, or where it belongs. */
  const indexOf = (price: number): number => {
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
      const index = indexOf(price);
      const known = rungs[index];
      if (known?.price === price) return known;
      const rung = make(price);
      rungs.splice(index, 0, rung);
      return rung;
    },
    remove: (rung) => {
      if (rungs.at(-1) === rung) rungs.pop();
      else rungs.splice(indexOf(rung.price), 1);
    },
    top: (limit) => rungs.slice(Math.max(0, rungs.length - limit)).reverse(),
    size: () => rungs.length,
  };
}
