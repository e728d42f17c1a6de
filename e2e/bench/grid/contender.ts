import type { WireOrder } from '../lib/wire-orders.ts';

export type Direction = 'asc' | 'desc' | null;

/** A grid under measurement. Each page holds one. */
export interface Contender {
  readonly mount: (root: HTMLElement, orders: readonly WireOrder[]) => void;
  /** The id that stands in the first row; what the page shows is known by it. */
  readonly topId: () => string | null;
  readonly scroller: () => HTMLElement;
  readonly update: (orders: readonly WireOrder[]) => void;
  readonly sortByPrice: (direction: Direction) => void;
  /** Rows whose symbol is this one. */
  readonly filterSymbol: (symbol: string | null) => void;
  /** Rows with this anywhere in their text. */
  readonly search: (text: string) => void;
}
