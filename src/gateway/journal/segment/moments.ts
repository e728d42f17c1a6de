import type { Change } from '../change.ts';
import { numberAt, type ContentReader, type ContentWriter } from './content.ts';

/** Between which two readings something happened. Hundreds of changes share one. */
export type Moment = Pick<Change, 'from' | 'to'>;

export interface MomentIndex {
  /** In their order. */
  readonly moments: readonly Moment[];
  readonly placeOf: (moment: Moment) => number;
}

export function indexMoments(all: readonly Moment[]): MomentIndex {
  const starts = new Map<number, Set<number | null>>();
  for (const { from, to } of all) {
    const known = starts.get(to);
    if (known === undefined) starts.set(to, new Set([from]));
    else known.add(from);
  }
  const moments = [...starts].flatMap(([to, each]) => Array.from(each, (from) => ({ from, to })));
  moments.sort((a, b) => a.to - b.to || (a.from ?? 0) - (b.from ?? 0));
  const places = new Map<number, Map<number | null, number>>();
  for (const [place, { from, to }] of moments.entries()) places.set(to, (places.get(to) ?? new Map<number | null, number>()).set(from, place));
  return { moments, placeOf: ({ from, to }) => places.get(to)?.get(from) ?? 0 };
}

function isPossible({ from, to }: Moment): boolean {
  return Number.isSafeInteger(to) && to >= 0 && (from === null || (Number.isSafeInteger(to - from) && to >= from));
}

/** Stands for null; differences are counted on from here. */
const NONE = 0;

/** In milliseconds, from one to the next. */
export function writeMoments(content: ContentWriter, moments: readonly Moment[]): void {
  if (!moments.every(isPossible)) throw new RangeError('The times of readings are whole milliseconds, and the earlier one comes first.');
  content.numbers(moments.map(({ to }, place) => to - (moments[place - 1]?.to ?? 0)));
  content.numbers(moments.map(({ from, to }) => (from === null ? NONE : to - from + 1)));
}

export function readMoments(content: ContentReader): readonly Moment[] {
  const steps = content.numbers();
  const spans = content.numbers();
  let to = 0;
  return Array.from(steps, (step, place) => {
    to += step;
    const span = numberAt(spans, place);
    return { from: span === NONE ? null : to - (span - 1), to };
  });
}
