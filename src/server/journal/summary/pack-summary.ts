import {
  type ContentReader,
  type ContentWriter,
  createContentReader,
  createContentWriter,
  itemAt,
  numberAt,
  openEnvelope,
  sealEnvelope,
} from '../segment/content.ts';
import { AT, FIGURES, TRAITS } from './summary.ts';
import { AMOUNT_PLACES, fromCells, orderTraits, type SummaryColumns, type TraitColumn } from './summary-columns.ts';

/** The versions of the summary format. Any change to what is written needs a new version. */
const [BY_CELLS, WITHOUT_RETURNED, WITHOUT_PASSED, BY_PATTERNS] = [1, 2, 3, 4];
/** The number of figures in the first two formats; the others were added later. */
const FIRST_FIGURES = AT.returned;
const FIGURES_OF: Readonly<Record<number, number>> = { [WITHOUT_RETURNED]: FIRST_FIGURES, [WITHOUT_PASSED]: AT.passed };
/**
 * A summary is a twentieth the size of its blocks. From this level on it is a fifth smaller, because its content hardly
 * repeats.
 */
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
  return sealEnvelope(content.toBytes(), BY_PATTERNS, LEVEL);
}

/** Throws `UnreadableBlock`. */
export function unpackSummary(bytes: Uint8Array): SummaryColumns {
  const { version, content: opened } = openEnvelope(bytes, BY_PATTERNS);
  const content = createContentReader(opened);
  const columns =
    version === BY_CELLS ? readCells(content) : readColumns(content, FIGURES_OF[version] ?? FIGURES.length);
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

/** Reads the patterns of the figures that the format has, then of the lives; other figures are zero. */
function readPatterns({ numbers }: ContentReader, figures: number): readonly Float64Array[] {
  const found = Array.from({ length: figures }, numbers);
  const lives = numbers();
  return [...found, ...Array.from({ length: FIGURES.length - figures }, () => new Float64Array(lives.length)), lives];
}

/** Writes the traits with most values first, because others follow from them. */
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

/** Marks a trait that follows from no other. */
const FROM_NONE = 0;

/**
 * Writes a trait that follows from an earlier one, as the symbol from the product ID, only once for each value of that
 * one.
 */
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

/** Returns the value that goes with each value of another trait; null if that varies. */
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

/** Returns the steps between successive places, wrapping around after the last value. */
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

/** Returns the steps within each minute. */
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

/** Reads the first format, which has minute, traits, figures and lives for each cell. */
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
