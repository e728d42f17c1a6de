import {
  createInstantStyle,
  findDigits,
  isInstantText,
  type FractionDigits,
  type InstantParts,
} from './instant-text.ts';

/** What the value of a field may be near to. */
export interface Surroundings {
  /** The reading that showed the change, in epoch milliseconds; null: the row was there at the start of the segment. */
  readonly reading: number | null;
  /** The order's id as a number; zero where it is none. */
  readonly order: bigint;
}

/**
 * The texts of a field as whole numbers, small ones where a text is near to what is known by then. NaN: the text is not
 * of this kind, or as a number too large. It takes all texts, in their order.
 */
type Encode = (text: string, near: Surroundings) => number;

/** The texts again, each made when it is needed. A number that is NaN stands for a text without one. */
type Decode = (numbers: Float64Array, nearOf: (index: number) => Surroundings) => (index: number) => string;

interface ValueCodec {
  readonly createEncode: () => Encode;
  readonly decode: Decode;
}

/** Which codec it is, as it stands in a block. 0 is none. */
export type CodecCode = number;
const [INTEGERS, IDS, INSTANTS] = [1, 2, 3];

/** So few digits that differences stay exact. */
const INTEGER_TEXT = /^(?:0|-?[1-9]\d{0,14})$/;
/** Ids with fewer digits are few different texts, as those of products, or not the exchange's. */
const ID_TEXT = /^"[1-9]\d{14,38}"$/;
const LARGEST = 2 ** 51;
/** Whose style all others of the field have, or nearly all. */
const SAMPLE = 256;
const NANOS_PER_MILLI = 1_000_000;

/** That of the first text that is of any kind: a field such as the average price is null at first. `different`: each text at least once. */
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

/** Differences from one to the next, since an order's own values follow each other. */
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

/** Differences from the order's own id. */
const ids: ValueCodec = {
  createEncode:
    () =>
    (text, { order }) =>
      ID_TEXT.test(text) ? (toExactNumber(BigInt(text.slice(1, -1)) - order) ?? NaN) : NaN,
  decode: (differences, nearOf) => (index) => `"${nearOf(index).order + BigInt(differences[index] ?? 0)}"`,
};

/** Nanoseconds from the reading that showed it, or from the one before. */
function createInstants(digits: FractionDigits): ValueCodec {
  const { parse, format } = createInstantStyle(digits);
  const startOf = ({ reading }: Surroundings, last: InstantParts): InstantParts =>
    reading === null ? last : { millis: reading, nanos: 0 };
  return {
    createEncode: () => {
      let last: InstantParts = { millis: 0, nanos: 0 };
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
      let last: InstantParts = { millis: 0, nanos: 0 };
      const instants = Array.from(differences, (difference, index) => {
        if (!Number.isNaN(difference)) last = toLater(startOf(nearOf(index), last), difference);
        return last;
      });
      return (index) => format(instants[index] ?? last);
    },
  };
}

function toLater({ millis, nanos }: InstantParts, difference: number): InstantParts {
  const sum = nanos + difference;
  const whole = Math.floor(sum / NANOS_PER_MILLI);
  return { millis: millis + whole, nanos: sum - whole * NANOS_PER_MILLI };
}

export function toExactNumber(value: bigint): number | null {
  const number = Number(value);
  return Math.abs(number) > LARGEST ? null : number;
}
