import { WIRE_TEXT, type RowWithTexts } from '../exchange/row-notes.ts';

/**
 * Reads JSON without losing digits.
 *
 * A JavaScript number keeps about 15 digits, but the wire may send more. If it does, the row keeps the wire's own text
 * beside the rounded number, and `wireText` returns it.
 */

/**
 * Returns a function that reports whether a text contains, in one of the given fields, a number that a float would
 * round. Length alone proves nothing: mean prices are often written with all the digits of a float.
 */
export function createLongNumberTest(fields: readonly string[]): (text: string) => boolean {
  const needles = fields.map(toNeedle);
  return (text) => needles.some((needle) => losesDigitsAfter(needle, text));
}

/** The letters of English, rarest first. */
const RARE_FIRST = 'zqxjkvbpygfwmucldrhsnioate';

/**
 * Returns the end of a key, from its rarest letter on, because engines find the first character much faster than the
 * rest.
 */
function toNeedle(field: string): string {
  for (const letter of RARE_FIRST) {
    const start = field.indexOf(letter);
    if (start >= 0) return `${field.slice(start)}"`;
  }
  return `"${field}"`;
}

const LONG_NUMBER = /\s*:\s*(-?\d[\d.eE+-]{15,})/y;

function losesDigitsAfter(needle: string, text: string): boolean {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const source = readLongNumber(text, at + needle.length);
    if (source !== null && losesDigits(source, Number(source))) return true;
  }
  return false;
}

/**
 * Reads the long number that follows a key, or returns null. A short number has ended sixteen characters after the key.
 */
function readLongNumber(text: string, keyEnd: number): string | null {
  const character = text.charAt(keyEnd + 16);
  if (character > '9' && character !== 'e' && character !== 'E') return null;
  LONG_NUMBER.lastIndex = keyEnd;
  return LONG_NUMBER.exec(text)?.[1] ?? null;
}

type ReviverWithSource = (this: RowWithTexts, key: string, value: unknown, context?: { source?: string }) => unknown;

/**
 * Parses a text and keeps the wire's text of every number that a float would round. Slow, so it is used only for texts
 * that contain one.
 */
export function parseKeepingDigits(text: string): unknown {
  const keep: ReviverWithSource = function (key, value, context) {
    const source = context?.source;
    // A number below the range of floats becomes zero: with its own exponent, it would take seconds to format.
    if (typeof value === 'number' && value !== 0 && source !== undefined && losesDigits(source, value)) {
      (this[WIRE_TEXT] ??= {})[key] = source;
    }
    return value;
  };
  return JSON.parse(text, keep);
}

function losesDigits(source: string, value: number): boolean {
  const written = String(value);
  return source !== written && significand(source) !== significand(written);
}

/**
 * Returns sign, significant digits and power of ten of a decimal text, which are equal for equal values such as 1.50
 * and 15e-1.
 */
export function significand(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - trimmed.length;
  return `${text.startsWith('-') ? '-' : ''}${trimmed}e${String(power)}`;
}
