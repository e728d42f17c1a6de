import { BIG_ID_PATTERN } from '#contract/exchange/ids.ts';
import { createTrie } from '#server/core/maps.ts';
import type { Change } from './change.ts';
import { type ContentReader, type ContentWriter, itemAt, numberAt } from './content.ts';
import { toExactNumber } from './value-codecs.ts';
import type { Shape } from './shapes.ts';

/** The two readings between which something happened. Hundreds of changes share one moment. */
export type Moment = Pick<Change, 'from' | 'to'>;

interface MomentIndex {
  /** Sorted by time. */
  readonly moments: readonly Moment[];
  /** For each given moment, its index among the distinct ones. */
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

/** Stands for null, so differences are stored plus one. */
const NONE = 0;

/** Writes moments as differences, in milliseconds. */
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

/** Marks an ID that is stored as text, so differences are stored plus one. */
const AS_TEXT = 0;

/** Writes ascending IDs as differences. */
export function writeOrderIds(content: ContentWriter, ids: readonly string[]): void {
  let last = 0n;
  const texts: string[] = [];
  const differences = ids.map((id) => {
    const number = toOrderNumber(id);
    const difference = toExactNumber(number - last);
    if (difference === null || difference < 0 || String(number) !== id) {
      texts.push(id);
      last = number;
      return AS_TEXT;
    }
    last = number;
    return difference + 1;
  });
  content.numbers(differences);
  content.texts(texts);
}

export function readOrderIds(content: ContentReader): readonly string[] {
  const differences = content.numbers();
  const texts = content.texts();
  let [last, nextText] = [0n, 0];
  return Array.from(differences, (difference) => {
    const id = difference === AS_TEXT ? itemAt(texts, nextText++) : String(last + BigInt(difference - 1));
    last = toOrderNumber(id);
    return id;
  });
}

/** Returns zero if the ID is not in the exchange’s format. */
export function toOrderNumber(id: string): bigint {
  return BIG_ID_PATTERN.test(id) ? BigInt(id) : 0n;
}

/** `base` is the row of an order that was working when the segment began. */
const STEP_KINDS = ['base', 'seen', 'changed', 'gone', 'ended', 'returned', 'passed'] as const satisfies readonly (
  | Change['kind']
  | 'base'
)[];
export type StepKind = (typeof STEP_KINDS)[number];

/** How a row differs from its order’s previous row. A few different steps make up nearly all of a block. */
export interface Step {
  readonly kind: StepKind;
  readonly shape: number;
  /** The fields of the shape that changed. */
  readonly fields: readonly number[];
}

export interface StepIndex {
  readonly steps: readonly Step[];
  readonly placeOf: (kind: StepKind, shape: Shape, fields: readonly number[]) => number;
}

export function createStepIndex(): StepIndex {
  const steps: Step[] = [];
  const places = createTrie<number, number>();
  return {
    steps,
    placeOf: (kind, shape, fields) =>
      places(
        [STEP_KINDS.indexOf(kind), shape.place, ...fields],
        () => steps.push({ kind, shape: shape.place, fields }) - 1,
      ),
  };
}

export function writeSteps(content: ContentWriter, steps: readonly Step[]): void {
  content.numbers(steps.map(({ kind }) => STEP_KINDS.indexOf(kind)));
  content.numbers(steps.map(({ shape }) => shape));
  content.numbers(steps.map(({ fields }) => fields.length));
  content.numbers(steps.flatMap(({ fields }) => fields));
}

export function readSteps(content: ContentReader): readonly Step[] {
  const [kinds, shapes, counts, fields] = [content.numbers(), content.numbers(), content.numbers(), content.numbers()];
  let at = 0;
  return Array.from(kinds, (kind, place) => {
    const count = numberAt(counts, place);
    at += count;
    return {
      kind: itemAt(STEP_KINDS, kind),
      shape: numberAt(shapes, place),
      fields: [...fields.subarray(at - count, at)],
    };
  });
}
