/** An instant as two numbers that are exact together. */
interface InstantDeps {
  readonly millis: number;
  /** Within the millisecond, 0 to 999,999. */
  readonly nanos: number;
}

/** The number of fractional digits in a written instant. SHORTEST: as many as needed, without trailing zeros. */
type FractionDigits = number;
const SHORTEST: FractionDigits = 10;

/**
 * Parses and formats instants as JSON texts in one style. Caches minutes, because most instants of a block fall into a
 * few of them.
 */
interface InstantStyle {
  /** Null: not an instant, or not in this style. */
  readonly parse: (text: string) => InstantDeps | null;
  readonly format: (instant: InstantDeps) => string;
}

const INSTANT_TEXT = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z"$/;
/** The lengths of `"2026-08-17T23:45:` and `"2026-08-17T23:45:21.`. */
const [MINUTE_LENGTH, FRACTION_START] = [18, 21];
const END = 'Z"';
const SECOND_MS = 1_000;
const LAST_SECOND = 59;
const NANOS_PER_MILLI = 1_000_000;
const MOST_DIGITS = 9;
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, power) => 10 ** power);
const ZERO = '0'.charCodeAt(0);
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

function isInstantText(text: string): boolean {
  return INSTANT_TEXT.test(text);
}

/** Returns the style that these texts share, if they are instants. */
function findDigits(texts: readonly string[]): FractionDigits {
  const lengths = new Set(texts.filter(isInstantText).map((text) => text.length));
  const [length = 0] = lengths;
  return lengths.size === 1 ? Math.max(0, length - FRACTION_START - END.length) : SHORTEST;
}

function createInstantStyle(digits: FractionDigits): InstantStyle {
  const minuteOf = remember(parseMinute);
  const upToSeconds = remember(
    (second: number) => `"${new Date(second * SECOND_MS).toISOString().slice(0, FRACTION_START - 2)}`,
  );
  const format = ({ millis, nanos }: InstantDeps): string => {
    const second = Math.floor(millis / SECOND_MS);
    const thousands = Math.floor(nanos / 1_000);
    const all = digitsOf(millis - second * SECOND_MS) + digitsOf(thousands) + digitsOf(nanos - thousands * 1_000);
    const fraction = digits === 9 ? all : digits === SHORTEST ? all.replace(/0+$/, '') : all.slice(0, digits);
    return fraction === '' ? `${upToSeconds(second)}Z"` : `${upToSeconds(second)}.${fraction}Z"`;
  };
  const parse = (text: string): InstantDeps | null => {
    if (!isInstantText(text)) return null;
    const seconds = numberOf(text, MINUTE_LENGTH, FRACTION_START - 1);
    const millis = minuteOf(text.slice(0, MINUTE_LENGTH)) + seconds * SECOND_MS;
    if (Number.isNaN(millis) || seconds > LAST_SECOND || !isOfStyle(text, digits)) return null;
    const count = fractionDigitsOf(text);
    const fraction = numberOf(text, FRACTION_START, FRACTION_START + count) * (POWERS[MOST_DIGITS - count] ?? 1);
    const whole = Math.floor(fraction / NANOS_PER_MILLI);
    return { millis: millis + whole, nanos: fraction - whole * NANOS_PER_MILLI };
  };
  return { parse, format };
}

/** Returns NaN for a day or minute that does not exist, which would not format to the same text. */
function parseMinute(text: string): number {
  const millis = Date.parse(`${text.slice(1)}00Z`);
  return Number.isNaN(millis) || !new Date(millis).toISOString().startsWith(text.slice(1)) ? NaN : millis;
}

function isOfStyle(text: string, digits: FractionDigits): boolean {
  return digits === SHORTEST
    ? !text.endsWith('0Z"') || fractionDigitsOf(text) === 0
    : fractionDigitsOf(text) === digits;
}

function fractionDigitsOf({ length }: string): number {
  return Math.max(0, length - FRACTION_START - END.length);
}

/** Parses digits in place, which is faster than cutting them out first. */
function numberOf(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

function digitsOf(number: number): string {
  return THREE_DIGITS[number] ?? '';
}

function remember<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>();
  return (key) => {
    const known = found.get(key);
    if (known !== undefined) return known;
    const value = find(key);
    found.set(key, value);
    return value;
  };
}

/** Known values that the value of a field may be close to. */
export interface Surroundings {
  /** The reading that showed the change, in epoch milliseconds; null for a base row. */
  readonly reading: number | null;
  /** The order’s ID as a number; zero if it is not one. */
  readonly order: bigint;
}

/**
 * Encodes the texts of a field as integers, small ones if a text is close to values already known. Returns NaN for a
 * text that is not of this kind or would be too large. Must be given all texts in sequence.
 */
type Encode = (text: string, near: Surroundings) => number;

/** Restores the texts, each on demand. NaN stands for a text without a number. */
type Decode = (numbers: Float64Array, nearOf: (index: number) => Surroundings) => (index: number) => string;

interface ValueCodec {
  readonly createEncode: () => Encode;
  readonly decode: Decode;
}

/** The number of the codec in a block; 0 is none. */
export type CodecCode = number;
const [INTEGERS, IDS, INSTANTS] = [1, 2, 3];

/** Limited to 15 digits, so that differences stay exact. */
const INTEGER_TEXT = /^(?:0|-?[1-9]\d{0,14})$/;
/** IDs with fewer digits, such as those of products, have few distinct values or are not the exchange’s. */
const ID_TEXT = /^"[1-9]\d{14,38}"$/;
const LARGEST = 2 ** 51;
/** The number of texts from which the style of the field is found. */
const SAMPLE = 256;

/**
 * Chooses the codec of the first text that any codec fits: a field such as the average price is null at first.
 * `different` has each distinct text at least once.
 */
export function findCodec(texts: readonly string[], different: readonly string[]): CodecCode | null {
  for (const text of different) {
    if (INTEGER_TEXT.test(text)) return INTEGERS;
    if (ID_TEXT.test(text)) return IDS;
    if (isInstantText(text)) return INSTANTS + findDigits(texts.slice(0, SAMPLE));
  }
  return null;
}

export function codecOf(code: CodecCode): ValueCodec {
  if (code === INTEGERS) return integers;
  return code === IDS ? ids : createInstants(code - INSTANTS);
}

/** Encodes differences between successive values, because an order’s own values follow each other. */
const integers: ValueCodec = {
  createEncode: () => {
    let last = 0;
    return (text) => {
      if (!INTEGER_TEXT.test(text)) return NaN;
      const difference = Number(text) - last;
      last += difference;
      return difference;
    };
  },
  decode: (differences) => {
    let last = 0;
    const values = differences.map((difference) => (Number.isNaN(difference) ? NaN : (last += difference)));
    return (index) => String(values[index]);
  },
};

/** Encodes differences from the order’s own ID. */
const ids: ValueCodec = {
  createEncode:
    () =>
    (text, { order }) =>
      ID_TEXT.test(text) ? (toExactNumber(BigInt(text.slice(1, -1)) - order) ?? NaN) : NaN,
  decode: (differences, nearOf) => (index) => `"${nearOf(index).order + BigInt(differences[index] ?? 0)}"`,
};

/** Encodes nanoseconds since the reading that showed the value, or since the value before. */
function createInstants(digits: FractionDigits): ValueCodec {
  const { parse, format } = createInstantStyle(digits);
  const startOf = ({ reading }: Surroundings, last: InstantDeps): InstantDeps =>
    reading === null ? last : { millis: reading, nanos: 0 };
  return {
    createEncode: () => {
      let last: InstantDeps = { millis: 0, nanos: 0 };
      return (text, near) => {
        const instant = parse(text);
        if (instant === null) return NaN;
        const start = startOf(near, last);
        const difference = (instant.millis - start.millis) * NANOS_PER_MILLI + instant.nanos - start.nanos;
        if (Math.abs(difference) > LARGEST) return NaN;
        last = instant;
        return difference;
      };
    },
    decode: (differences, nearOf) => {
      let last: InstantDeps = { millis: 0, nanos: 0 };
      const instants = Array.from(differences, (difference, index) => {
        if (!Number.isNaN(difference)) last = toLater(startOf(nearOf(index), last), difference);
        return last;
      });
      return (index) => format(instants[index] ?? last);
    },
  };
}

function toLater({ millis, nanos }: InstantDeps, difference: number): InstantDeps {
  const sum = nanos + difference;
  const whole = Math.floor(sum / NANOS_PER_MILLI);
  return { millis: millis + whole, nanos: sum - whole * NANOS_PER_MILLI };
}

export function toExactNumber(value: bigint): number | null {
  const number = Number(value);
  return Math.abs(number) > LARGEST ? null : number;
}
