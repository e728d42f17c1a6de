import type { Change } from './change.ts';
import { numberAt, type ContentReader, type ContentWriter } from './content.ts';

/** Between which two readings something happened. Hundreds of changes share one. */
export type Moment = Pick<Change, 'from' | 'to'>;

interface MomentIndex {
  /** In their order. */
  readonly moments: readonly Moment[];
  /** Of each that was given, its place among them. */
  readonly places: readonly number[];
}

interface PlacedMoment extends Moment {
  place: number;
}

export function indexMoments(all: readonly Moment[]): MomentIndex {
  const known = new Map<PlacedMoment['to'], Map<PlacedMoment['from'], PlacedMoment>>();
  const momentOf = ({ from, to }: Moment): PlacedMoment => {
    const ofReading = known.get(to);
    const found = ofReading?.get(from);
    if (found !== undefined) return found;
    const moment = { from, to, place: 0 };
    if (ofReading === undefined) known.set(to, new Map([[from, moment]]));
    else ofReading.set(from, moment);
    return moment;
  };
  const found = all.map(momentOf);
  const moments = [...known.values()].flatMap((ofReading) => [...ofReading.values()]);
  moments.sort((a, b) => a.to - b.to || (a.from ?? 0) - (b.from ?? 0));
  for (const [place, moment] of moments.entries()) moment.place = place;
  return { moments, places: found.map(({ place }) => place) };
}

function isPossible({ from, to }: Moment): boolean {
  return Number.isSafeInteger(to) && to >= 0 && (from === null || (Number.isSafeInteger(to - from) && to >= from));
}

/** Stands for null; differences are counted on from here. */
const NONE = 0;

/** In milliseconds, from one to the next. */
export function writeMoments(content: ContentWriter, moments: readonly Moment[]): void {
  if (!moments.every(isPossible))
    throw new RangeError('The times of readings are whole milliseconds, and the earlier one comes first.');
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
