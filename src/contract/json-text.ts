import type { OpaqueNumber } from './brand.ts';

/**
 * Reading JSON without losing digits.
 *
 * A JavaScript number keeps about 15 digits; the wire may send more. Where it does, the row keeps the wire's own text
 * beside the rounded number, and `wireText` hands it out.
 */

const KEPT = Symbol('wire text');

type Holder = Record<string, unknown> & { [KEPT]?: Record<string, string> | undefined };

/**
 * A test for text that holds a number too long for a float, in one of the fields named. Being long is not enough: a mean
 * price is often written with all the digits of a float, and then none is lost.
 *
 * Answers have megabytes, so it must cost little beside parsing them; this takes a twentieth of it and leaves no garbage;
 * a regular expression over the whole text takes a fifth.
 */
export function createLongNumberTest(fields: readonly string[]): (text: string) => boolean {
  const needles = fields.map(toNeedle);
  return (text) => needles.some((needle) => losesDigitsAfter(needle, text));
}

/** The letters of English, rarest first. */
const RARE_FIRST = 'zqxjkvbpygfwmucldrhsnioate';

/** The end of a key, from its rarest letter on: engines look for the first character of a text much faster than for the rest. */
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

/** The long number that follows a key, if one does: then it is still going on after a colon and its first characters. */
function readLongNumber(text: string, keyEnd: number): string | null {
  const character = text.charAt(keyEnd + 16);
  if (character > '9' && character !== 'e' && character !== 'E') return null;
  LONG_NUMBER.lastIndex = keyEnd;
  return LONG_NUMBER.exec(text)?.[1] ?? null;
}

type ReviverWithSource = (this: Holder, key: string, value: unknown, context?: { source?: string }) => unknown;

/** Parses text and keeps the wire's text of every number that a float would change. Slow: for texts found to hold one. */
export function parseKeepingDigits(text: string): unknown {
  const keep: ReviverWithSource = function (key, value, context) {
    const source = context?.source;
    if (typeof value === 'number' && source !== undefined && losesDigits(source, value)) {
      (this[KEPT] ??= {})[key] = source;
    }
    return value;
  };
  return JSON.parse(text, keep);
}

type ScalarField<Row> = {
  [Field in keyof Row & string]-?: Row[Field] extends string | number | OpaqueNumber<string> | null | undefined
    ? Field
    : never;
}[keyof Row & string];

/** A field's value as text, with the wire's own digits where the number has lost some. Null and absent stay so. */
export function wireText<Row extends object, Field extends ScalarField<Row>>(
  row: Row,
  field: Field,
): string | Extract<Row[Field], null | undefined> {
  const value: unknown = row[field];
  if (typeof value !== 'number' && typeof value !== 'string') return value as Extract<Row[Field], null | undefined>;
  return (row as Holder)[KEPT]?.[field] ?? String(value);
}

/** Whether the wire's own text of any of a row's numbers was kept: where not, equal numbers were equal texts in all that counts. */
export function keepsDigits(row: object): boolean {
  return (row as Holder)[KEPT] !== undefined;
}

function losesDigits(source: string, value: number): boolean {
  const written = String(value);
  return source !== written && significand(source) !== significand(written);
}

/** Sign, significant digits and power of ten of a decimal text: equal for texts of equal value, such as 1.50 and 15e-1. */
function significand(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - trimmed.length;
  return `${text.startsWith('-') ? '-' : ''}${trimmed}e${String(power)}`;
}
