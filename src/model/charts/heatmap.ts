/** A cell as painted: a strength from −4 to 4; hatched, if a figure is missing; a dot, if there can be none. */
export type HeatCell =
  | {
      readonly kind: 'filled';
      readonly strength: number;
      /** Whether the figure is beyond the scale. */
      readonly clipped: boolean;
      /** Whether the figure has a minus sign, because colour must not be the only signal. */
      readonly isNegative: boolean;
    }
  | { readonly kind: 'hatched' | 'dotted' };

/** A name above the column with which a day or a month begins. */
export interface HeatmapMark {
  readonly column: number;
  /** For example `11-20`. */
  readonly name: string;
}

interface HeatmapSize {
  readonly columns: number;
  /** The width of a column in CSS pixels. */
  readonly width: number;
  /** The fewest columns from one mark to the next. */
  readonly every: number;
}

/** Keeps as many marks as have space for their names, evenly spaced, including the newest. */
export function keepReadable(
  marks: readonly HeatmapMark[],
  { columns, width, every }: HeatmapSize,
): readonly HeatmapMark[] {
  const room = Math.max(0, ...marks.map(({ name }) => name.length)) * LETTER;
  const step = Math.max(1, Math.ceil(room / (every * width)));
  const within = marks.filter(({ column }) => (columns - column) * width >= room);
  return within.filter((_, at) => (within.length - 1 - at) % step === 0);
}

/** The width of a letter of a name, with a share of the space around it, in CSS pixels. */
const LETTER = 8;
