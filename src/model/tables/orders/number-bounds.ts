import type { GridFilter } from '../grid-state.ts';

/** The texts of the two fields while they are edited. Both bounds are inclusive. */
interface BoundTexts {
  readonly from: string;
  readonly to: string;
}

export const NO_BOUNDS: BoundTexts = { from: '', to: '' };

/** Null if neither field has a bound. */
export function toBoundsFilter({ from, to }: BoundTexts): GridFilter | null {
  const bounds = { from: toBound(from), to: toBound(to) };
  return bounds.from === null && bounds.to === null ? null : { kind: 'between', ...bounds };
}

/** The edited text while it means the same as the filter (`5.` for 5), else the filter’s own bound. */
export function toBoundTexts(filter: GridFilter | undefined, written: BoundTexts): BoundTexts {
  if (filter?.kind !== 'between') return NO_BOUNDS;
  return { from: toText(filter.from, written.from), to: toText(filter.to, written.to) };
}

function toText(bound: number | null, written: string): string {
  if (toBound(written) === bound) return written;
  return bound === null ? '' : String(bound);
}

function toBound(text: string): number | null {
  return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
}
