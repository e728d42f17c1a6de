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
const SECOND_MS = 1_000;
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

export function isInstantText(text: string): boolean {
  return INSTANT_TEXT.test(text);
}

/** The style that these texts, if they are instants, have in common. */
export function findDigits(texts: readonly string[]): FractionDigits {
  const lengths = new Set(texts.filter(isInstantText).map((text) => text.length));
  const [length = 0] = lengths;
  return lengths.size === 1 ? Math.max(0, length - FRACTION_START - 'Z"'.length) : SHORTEST;
}

export function createInstantStyle(digits: FractionDigits): InstantStyle {
  const minuteOf = remember((text: string) => Date.parse(`${text.slice(1)}00Z`));
  const upToSeconds = remember((second: number) => `"${new Date(second * SECOND_MS).toISOString().slice(0, FRACTION_START - 2)}`);
  const format = ({ millis, nanos }: InstantParts): string => {
    const second = Math.floor(millis / SECOND_MS);
    const thousands = Math.floor(nanos / 1_000);
    const all = digitsOf(millis - second * SECOND_MS) + digitsOf(thousands) + digitsOf(nanos - thousands * 1_000);
    const fraction = digits === 9 ? all : digits === SHORTEST ? all.replace(/0+$/, '') : all.slice(0, digits);
    return fraction === '' ? `${upToSeconds(second)}Z"` : `${upToSeconds(second)}.${fraction}Z"`;
  };
  const parse = (text: string): InstantParts | null => {
    if (!isInstantText(text)) return null;
    const fraction = text.slice(FRACTION_START, -2).padEnd(9, '0');
    const seconds = Number(text.slice(MINUTE_LENGTH, FRACTION_START - 1));
    const millis = minuteOf(text.slice(0, MINUTE_LENGTH)) + seconds * SECOND_MS + Number(fraction.slice(0, 3));
    const instant = { millis, nanos: Number(fraction.slice(3)) };
    // No such day or second, or another style: it would come back as another text.
    return Number.isNaN(millis) || format(instant) !== text ? null : instant;
  };
  return { parse, format };
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
