import type { WireOrder } from '../lib/wire-orders.ts';

export type Direction = 'asc' | 'desc' | null;

/** A grid under measurement. Each page holds one. */
export interface Contender {
  readonly mount: (root: HTMLElement, orders: readonly WireOrder[]) => void;
  /** The id in the first row, by which the page's content is recognised. */
  readonly topId: () => string | null;
  readonly scroller: () => HTMLElement;
  readonly update: (orders: readonly WireOrder[]) => void;
  readonly sortByPrice: (direction: Direction) => void;
  /** Shows only rows with this symbol. */
  readonly filterSymbol: (symbol: string | null) => void;
  /** Shows only rows that contain this text. */
  readonly search: (text: string) => void;
}
