/** What is counted of the orders with the same traits in one minute. */
export const FIGURES = [
  /** Orders that the first reading of the journal showed: nobody knows when they were placed. */
  'found',
  /** Orders that any later reading showed for the first time. */
  'placed',
  'changed',
  /** Changes of something else than what fills change. */
  'modified',
  'gone',
  'ended',
  /** Changes that show a larger filled quantity. */
  'fills',
  /** How orders that were gone in this minute ended, as far as the order history has shown it since. */
  'filled',
  'partly',
  'unfilled',
  'quantityPlaced',
  /** Of placed orders, what was filled before a reading showed them. */
  'quantityFilledBefore',
  'quantityFilled',
  'quantityEnded',
  'quantityEndedFilled',
  /** Changes whose quantities the exchange did not publish, or not as a number. */
  'unmeasured',
  /** Orders that were listed again, and had not gone. */
  'returned',
  /** Of the orders that were gone in this minute, those that have been listed again since. */
  'takenBack',
] as const;
export type Figure = (typeof FIGURES)[number];

/** Where each figure is in a list of all. */
export const AT = Object.fromEntries(FIGURES.map((figure, place) => [figure, place])) as Readonly<
  Record<Figure, number>
>;

export const MINUTE_MS = 60_000;

export function toMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS);
}

export interface Cell {
  /** Since 1970. */
  readonly minute: number;
  /** Which traits. */
  readonly place: number;
  readonly figures: number[];
  /** How long orders that ended had lived, in steps of the scale of lives. */
  readonly lives: number[];
}

/** The changes of a stretch, counted. What ended or returned counts in the minute in which it was gone, which may be before the stretch. */
export interface Summary {
  readonly traits: readonly (readonly string[])[];
  readonly cells: readonly Cell[];
}
