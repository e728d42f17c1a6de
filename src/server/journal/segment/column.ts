import { estimateBytes, itemAt, numberAt, type ContentReader, type ContentWriter } from './content.ts';
import { codecOf, findCodec, type CodecCode, type Surroundings } from './value-codecs.ts';

/** The values of one field in a block, in row order. */
export interface ColumnWriter {
  readonly add: (text: string, near: Surroundings) => void;
  readonly write: (content: ContentWriter) => void;
}

/** Returns a value by its index, prefixed with the field’s name. */
export type ColumnReader = (index: number) => string;

const NO_CODEC: CodecCode = 0;
/** Marks a value that is stored as text, so numbers are stored plus one. */
const AS_TEXT = 0;
/** The number of values that are checked for repetition. */
const SAMPLE = 256;

export function createColumnWriter(): ColumnWriter {
  const texts: string[] = [];
  const nears: Surroundings[] = [];
  return {
    add: (text, near) => {
      texts.push(text);
      nears.push(near);
    },
    write: (content) => {
      writeEncoded(content, encode({ texts, nears }));
    },
  };
}

interface Values {
  readonly texts: readonly string[];
  /** The surroundings of each value. */
  readonly nears: readonly Surroundings[];
}

interface Encoded {
  readonly code: CodecCode;
  /** Subtracted from each number, so that none is negative. */
  readonly lowest: number;
  readonly numbers: Float64Array;
  readonly dictionary: Dictionary;
}

/** Values that mostly differ take less space as numbers, and building a dictionary of them would take longest. */
function encode(values: Values): Encoded {
  const { texts } = values;
  const dictionary = areMostlyDifferent(texts) ? null : toDictionary(texts);
  const code = findCodec(texts, dictionary?.texts ?? texts);
  const asNumbers = code === null ? null : encodeAs(code, values);
  if (asNumbers !== null && dictionary === null) return asNumbers;
  const asTexts = {
    code: NO_CODEC,
    lowest: 0,
    numbers: new Float64Array(),
    dictionary: dictionary ?? toDictionary(texts),
  };
  return asNumbers !== null && sizeOf(asNumbers) < sizeOf(asTexts) ? asNumbers : asTexts;
}

function areMostlyDifferent(texts: readonly string[]): boolean {
  const some = texts.slice(0, SAMPLE);
  return new Set(some).size > some.length / 2;
}

function encodeAs(code: CodecCode, { texts, nears }: Values): Encoded {
  const toNumber = codecOf(code).createEncode();
  // Filled in place, because `Float64Array.from` builds an intermediate list.
  const found = new Float64Array(texts.length);
  for (const [index, text] of texts.entries()) found[index] = toNumber(text, itemAt(nears, index));
  const lowest = found.reduce((least, number) => (number < least ? number : least), Infinity);
  const numbers = found.map((number) => (Number.isNaN(number) ? AS_TEXT : number - lowest + 1));
  const others = texts.filter((_, index) => numbers[index] === AS_TEXT);
  return { code, lowest: Number.isFinite(lowest) ? lowest : 0, numbers, dictionary: toDictionary(others) };
}

function sizeOf({ numbers, dictionary }: Encoded): number {
  const characters = dictionary.texts.reduce((sum, text) => sum + text.length, 0);
  return estimateBytes(numbers) + estimateBytes(dictionary.places) + characters;
}

function writeEncoded(content: ContentWriter, { code, lowest, numbers, dictionary }: Encoded): void {
  content.numbers([code, lowest < 0 ? 1 : 0, Math.abs(lowest)]);
  content.numbers(numbers);
  content.numbers(dictionary.places);
  content.texts(dictionary.texts);
}

/** Joins the name with each text of the dictionary only once. */
export function readColumn(
  content: ContentReader,
  name: string,
  nearOf: (index: number) => Surroundings,
): ColumnReader {
  const [code = NO_CODEC, isBelowZero, distance = 0] = content.numbers();
  const numbers = content.numbers();
  const places = content.numbers();
  const texts = content.texts().map((text) => name + text);
  const textPlaces = toTextPlaces(places);
  if (code === NO_CODEC) return (index) => itemAt(texts, numberAt(textPlaces, index));
  const lowest = isBelowZero === 1 ? -distance : distance;
  const textAt = codecOf(code).decode(
    numbers.map((number) => (number === AS_TEXT ? NaN : number - 1 + lowest)),
    nearOf,
  );
  const placeAt = countTexts(numbers);
  return (index) =>
    numberAt(numbers, index) === AS_TEXT
      ? itemAt(texts, numberAt(textPlaces, numberAt(placeAt, index)))
      : name + textAt(index);
}

/** Returns, for each value, how many before it are stored as text. */
function countTexts(numbers: Float64Array): Float64Array {
  let count = 0;
  return numbers.map((number) => (number === AS_TEXT ? count++ : count));
}

interface Dictionary {
  readonly texts: readonly string[];
  readonly places: readonly number[];
}

/** Stands for the next text that is new. */
const NEXT_TEXT = 0;

function toDictionary(texts: readonly string[]): Dictionary {
  const known = new Map<string, number>();
  const places = texts.map((text) => {
    const place = known.get(text);
    if (place !== undefined) return place;
    known.set(text, known.size + 1);
    return NEXT_TEXT;
  });
  return { texts: [...known.keys()], places };
}

function toTextPlaces(places: Float64Array): Float64Array {
  let next = 0;
  return places.map((place) => (place === NEXT_TEXT ? next++ : place - 1));
}
