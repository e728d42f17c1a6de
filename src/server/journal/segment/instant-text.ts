/** An instant as two numbers that are exact together. */
export interface InstantParts {
  readonly millis: number;
  /** Within the millisecond, 0 to 999,999. */
  readonly nanos: number;
}

/** How many fractional digits an instant is written with. SHORTEST: as many as it takes, without zeros at the end. */
export type FractionDigits = number;
const SHORTEST: FractionDigits = 10;

/** Instants as texts of JSON, in one style. Remembers minutes: most instants of a block fall into few of them. */
export interface InstantStyle {
  /** Null: not an instant, or not in this style. */
  readonly parse: (text: string) => InstantParts | null;
  readonly format: (instant: InstantParts) => string;
}

const INSTANT_TEXT = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z"$/;
/** `"2026-08-17T23:45:` and `"2026-08-17T23:45:21.`. */
const [MINUTE_LENGTH, FRACTION_START] = [18, 21];
const END = 'Z"';
const SECOND_MS = 1_000;
const LAST_SECOND = 59;
const NANOS_PER_MILLI = 1_000_000;
const MOST_DIGITS = 9;
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, power) => 10 ** power);
const ZERO = '0'.charCodeAt(0);
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

export function isInstantText(text: string): boolean {
  return INSTANT_TEXT.test(text);
}

/** The style that these texts, if they are instants, have in common. */
export function findDigits(texts: readonly string[]): FractionDigits {
  const lengths = new Set(texts.filter(isInstantText).map((text) => text.length));
  const [length = 0] = lengths;
  return lengths.size === 1 ? Math.max(0, length - FRACTION_START - END.length) : SHORTEST;
}

export function createInstantStyle(digits: FractionDigits): InstantStyle {
  const minuteOf = remember(parseMinute);
  const upToSeconds = remember(
    (second: number) => `"${new Date(second * SECOND_MS).toISOString().slice(0, FRACTION_START - 2)}`,
  );
  const format = ({ millis, nanos }: InstantParts): string => {
    const second = Math.floor(millis / SECOND_MS);
    const thousands = Math.floor(nanos / 1_000);
    const all = digitsOf(millis - second * SECOND_MS) + digitsOf(thousands) + digitsOf(nanos - thousands * 1_000);
    const fraction = digits === 9 ? all : digits === SHORTEST ? all.replace(/0+$/, '') : all.slice(0, digits);
    return fraction === '' ? `${upToSeconds(second)}Z"` : `${upToSeconds(second)}.${fraction}Z"`;
  };
  const parse = (text: string): InstantParts | null => {
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

/** NaN where there is no such day or minute, which would come back as another text. */
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

/** Faster than to make a text of the digits first. */
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
