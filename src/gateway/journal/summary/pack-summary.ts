import { createContentReader, createContentWriter, itemAt, numberAt } from '../segment/content.ts';
import { openFrame, sealFrame } from '../segment/frame.ts';
import { FIGURES, MINUTE_MS, type Summary } from './summary.ts';
import { TRAITS } from './traits.ts';

/** A summary by columns: of each cell its minute, its traits, its figures and its lives. */
export interface SummaryColumns {
  readonly traits: readonly (readonly string[])[];
  readonly minutes: Float64Array;
  readonly places: Float64Array;
  readonly figures: readonly Float64Array[];
  /** Of each cell how many lives it has; then these, cell by cell. */
  readonly lifeCounts: Float64Array;
  readonly lives: Float64Array;
}

/** In their order in time. */
export function toColumns({ traits, cells }: Summary): SummaryColumns {
  const sorted = cells.toSorted((a, b) => a.minute - b.minute || a.place - b.place);
  return {
    traits,
    minutes: Float64Array.from(sorted, ({ minute }) => minute),
    places: Float64Array.from(sorted, ({ place }) => place),
    figures: FIGURES.map((_, at) => Float64Array.from(sorted, ({ figures }) => figures[at] ?? 0)),
    lifeCounts: Float64Array.from(sorted, ({ lives }) => lives.length),
    lives: Float64Array.from(sorted.flatMap(({ lives }) => lives.toSorted((a, b) => a - b))),
  };
}

/** When the first change in it happened, in epoch milliseconds; null without any. */
export function reachesBack({ minutes }: SummaryColumns): number | null {
  const [first] = minutes;
  return first === undefined ? null : first * MINUTE_MS;
}

export function packSummary(columns: SummaryColumns): Uint8Array {
  const { traits, minutes, places, figures, lifeCounts, lives } = columns;
  const content = createContentWriter();
  for (const at of TRAITS.keys()) content.texts(traits.map((values) => values[at] ?? ''));
  content.numbers(toSteps(minutes));
  content.numbers(toSteps(places, minutes));
  for (const figure of figures) content.numbers(Array.from(figure));
  content.numbers(Array.from(lifeCounts));
  content.numbers(Array.from(lives));
  return sealFrame(content.toBytes());
}

/** Throws `UnreadableBlock`. */
export function unpackSummary(bytes: Uint8Array): SummaryColumns {
  const content = createContentReader(openFrame(bytes));
  const texts = TRAITS.map(() => content.texts());
  const minutes = fromSteps(content.numbers());
  const places = fromSteps(content.numbers(), minutes);
  const figures = FIGURES.map(() => content.numbers());
  const [lifeCounts, lives] = [content.numbers(), content.numbers()];
  content.end();
  const traits = itemAt(texts, 0).map((_, place) => texts.map((ofTrait) => itemAt(ofTrait, place)));
  return { traits, minutes, places, figures, lifeCounts, lives };
}

/** Float64Array that rise, by how much; within a minute, where minutes are given. */
function toSteps(numbers: Float64Array, minutes?: Float64Array): readonly number[] {
  return Array.from(numbers, (number, at) => number - (isInSame(minutes, at) ? (numbers[at - 1] ?? 0) : 0));
}

function fromSteps(steps: Float64Array, minutes?: Float64Array): Float64Array {
  for (let at = 0; at < steps.length; at++) steps[at] = numberAt(steps, at) + (isInSame(minutes, at) ? numberAt(steps, at - 1) : 0);
  return steps;
}

function isInSame(minutes: Float64Array | undefined, at: number): boolean {
  return at > 0 && (minutes === undefined || minutes[at] === minutes[at - 1]);
}
