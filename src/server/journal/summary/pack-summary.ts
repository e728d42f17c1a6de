import {
  createContentReader,
  createContentWriter,
  itemAt,
  numberAt,
  type ContentReader,
  type ContentWriter,
} from '../segment/content.ts';
import { openFrame, sealFrame } from '../segment/frame.ts';
import { AT, FIGURES } from './summary.ts';
import { AMOUNT_PLACES, fromCells, orderTraits, type SummaryColumns, type TraitColumn } from './summary-columns.ts';
import { TRAITS } from './traits.ts';

/** Of the format of summaries. A change of anything that is written is a new version. */
const [BY_CELLS, WITHOUT_RETURNED, BY_PATTERNS] = [1, 2, 3];
/** The figures of the first two formats: others were added after them. */
const FIRST_FIGURES = AT.returned;
/** A summary is a twentieth of its blocks, and from here on a fifth smaller: what is in it hardly repeats. */
const LEVEL = 16;

export function packSummary(columns: SummaryColumns): Uint8Array {
  const { traits, minutes, cellCounts, combinations, patterns, patternColumns, amounts, lives } = columns;
  const content = createContentWriter();
  writeTraits(content, traits);
  content.numbers(toSteps(minutes));
  content.numbers(cellCounts);
  content.numbers(toStepsOfMinutes(combinations, cellCounts));
  content.numbers(patterns);
  for (const column of [...patternColumns, ...amounts]) content.numbers(column);
  content.numbers(lives);
  return sealFrame(content.toBytes(), BY_PATTERNS, LEVEL);
}

/** Throws `UnreadableBlock`. */
export function unpackSummary(bytes: Uint8Array): SummaryColumns {
  const { version, content: opened } = openFrame(bytes, BY_PATTERNS);
  const content = createContentReader(opened);
  const columns =
    version === BY_CELLS
      ? readCells(content)
      : readColumns(content, version === WITHOUT_RETURNED ? FIRST_FIGURES : FIGURES.length);
  content.end();
  return columns;
}

function readColumns(content: ContentReader, figures: number): SummaryColumns {
  const traits = readTraits(content);
  const minutes = fromSteps(content.numbers());
  const cellCounts = content.numbers();
  return {
    traits,
    minutes,
    cellCounts,
    combinations: fromStepsOfMinutes(content.numbers(), cellCounts),
    patterns: content.numbers(),
    patternColumns: readPatterns(content, figures),
    amounts: AMOUNT_PLACES.map(content.numbers),
    lives: content.numbers(),
  };
}

/** Of the figures that the format has, and of lives, which come last; the others are zero. */
function readPatterns({ numbers }: ContentReader, figures: number): readonly Float64Array[] {
  const found = Array.from({ length: figures }, numbers);
  const lives = numbers();
  return [...found, ...Array.from({ length: FIGURES.length - figures }, () => new Float64Array(lives.length)), lives];
}

/** Those with most values first, since others follow from them. */
function writeTraits(content: ContentWriter, traits: readonly TraitColumn[]): void {
  const order = orderTraits(traits.map(({ values }) => values.length));
  const ordered = order.map((at) => itemAt(traits, at));
  content.numbers(order);
  for (const [at, column] of ordered.entries()) writeTrait(content, column, ordered.slice(0, at));
}

function readTraits(content: ContentReader): readonly TraitColumn[] {
  const order = [...content.numbers()];
  const ordered: TraitColumn[] = [];
  while (ordered.length < order.length) ordered.push(readTrait(content, ordered));
  return TRAITS.map((_, at) => itemAt(ordered, order.indexOf(at)));
}

/** Stands for a trait that follows from no other. */
const FROM_NONE = 0;

/** What follows from a trait before it, as the symbol from the product id, is only said once for each value of that. */
function writeTrait(content: ContentWriter, { values, places }: TraitColumn, before: readonly TraitColumn[]): void {
  const implied = before.map((one) => findImplied(one, places));
  const from = implied.findIndex((found) => found !== null);
  content.texts(values);
  content.numbers([from === -1 ? FROM_NONE : from + 1]);
  content.numbers(implied[from] ?? toStepsAround(places, values.length));
}

function readTrait(content: ContentReader, before: readonly TraitColumn[]): TraitColumn {
  const values = content.texts();
  const [from = FROM_NONE] = content.numbers();
  const numbers = content.numbers();
  const places =
    from === FROM_NONE
      ? fromStepsAround(numbers, values.length)
      : itemAt(before, from - 1).places.map((place) => numberAt(numbers, place));
  return { values, places };
}

/** Which value each value of another trait comes with; null where that differs. */
function findImplied(other: TraitColumn, places: Float64Array): readonly number[] | null {
  const implied: number[] = other.values.map(() => 0);
  const isKnown = new Uint8Array(other.values.length);
  for (let at = 0; at < places.length; at++) {
    const place = numberAt(places, at);
    const given = numberAt(other.places, at);
    if (isKnown[given] === 1 && implied[given] !== place) return null;
    implied[given] = place;
    isKnown[given] = 1;
  }
  return implied;
}

/** From one to the next; past the last value, the first one follows. */
function toStepsAround(places: Float64Array, count: number): Float64Array {
  return places.map((place, at) => (place - (places[at - 1] ?? 0) + count) % count);
}

function fromStepsAround(steps: Float64Array, count: number): Float64Array {
  let place = 0;
  return steps.map((step) => (place = (place + step) % count));
}

function toSteps(numbers: Float64Array): Float64Array {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

function fromSteps(steps: Float64Array): Float64Array {
  let number = 0;
  return steps.map((step) => (number += step));
}

/** Within each minute. */
function toStepsOfMinutes(numbers: Float64Array, counts: Float64Array): Float64Array {
  return eachMinute(numbers, counts, toSteps);
}

function fromStepsOfMinutes(steps: Float64Array, counts: Float64Array): Float64Array {
  return eachMinute(steps, counts, fromSteps);
}

function eachMinute(
  numbers: Float64Array,
  counts: Float64Array,
  change: (ofMinute: Float64Array) => Float64Array,
): Float64Array {
  const changed = new Float64Array(numbers.length);
  let at = 0;
  for (const count of counts) {
    changed.set(change(numbers.subarray(at, at + count)), at);
    at += count;
  }
  return changed;
}

/** The first format: of each cell its minute, its traits, its figures and its lives. */
function readCells(content: ContentReader): SummaryColumns {
  const texts = TRAITS.map(() => content.texts());
  const minutes = fromSteps(content.numbers());
  const steps = content.numbers();
  const counts = countRuns(minutes);
  const places = fromStepsOfMinutes(steps, counts);
  const figures = FIGURES.map((_, at) => (at < FIRST_FIGURES ? content.numbers() : new Float64Array(minutes.length)));
  const [lifeCounts, lives] = [content.numbers(), content.numbers()];
  const traits = itemAt(texts, 0).map((_, place) => texts.map((ofTrait) => itemAt(ofTrait, place)));
  return fromCells({ traits, minutes, places, figures, lifeCounts, lives });
}

function countRuns(numbers: Float64Array): Float64Array {
  const counts: number[] = [];
  for (let at = 0; at < numbers.length; at++) {
    if (at > 0 && numbers[at] === numbers[at - 1]) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    else counts.push(1);
  }
  return Float64Array.from(counts);
}
