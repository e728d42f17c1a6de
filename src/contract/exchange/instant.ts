import type { Brand } from './brand.ts';

/** A point in time on the wire: ISO 8601, UTC, 0 to 9 fractional digits: `2026-08-17T23:45:21.496334704Z`. */
export type Instant = Brand<string, 'instant'>;

/** Nanoseconds since 1970-01-01T00:00:00Z. A `Date` or a `number` would drop the last six digits of an `Instant`. */
export type EpochNanos = Brand<bigint, 'epoch nanoseconds'>;

/** The format of an instant: zone Z only, no leap seconds, no 24:00. `isInstant` also checks that the day exists. */
export const INSTANT_PATTERN =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?Z$/;

const NANOS_PER_MILLI = 1_000_000n;
const NANOS_PER_SECOND = 1_000_000_000n;

/** Parses an instant; null if the text is not one, which includes 31 February. */
export function parseInstant(text: string): EpochNanos | null {
  const match = INSTANT_PATTERN.exec(text);
  if (!match) return null;
  const [, seconds = '', fraction = ''] = match;
  const millis = Date.parse(`${seconds}Z`);
  // `Date.parse` reads 31 February as 3 March, so only a date that prints back unchanged exists.
  if (Number.isNaN(millis) || !new Date(millis).toISOString().startsWith(seconds)) return null;
  return (BigInt(millis) * NANOS_PER_MILLI + BigInt(fraction.padEnd(9, '0'))) as EpochNanos;
}

/** Returns whether a text is an instant in the years 0000 to 9999. */
export function isInstant(text: string): text is Instant {
  // Every month has 28 days, so most instants need no calendar.
  return INSTANT_PATTERN.test(text) && (text.slice(8, 10) <= '28' || parseInstant(text) !== null);
}

/**
 * Formats an instant for the wire with the given number of fractional digits, truncated, never rounded. Throws a
 * `RangeError` outside the years 0000 to 9999, which the format cannot express.
 */
export function formatInstant(nanos: EpochNanos, fractionDigits: 0 | 3 | 6 | 9 = 9): Instant {
  const fraction = ((nanos % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  const iso = new Date(Number((nanos - fraction) / NANOS_PER_MILLI)).toISOString();
  if (!/^\d/.test(iso)) throw new RangeError(`no four-digit year: ${iso}`);
  const seconds = iso.slice(0, 19);
  const digits = fraction.toString().padStart(9, '0').slice(0, fractionDigits);
  return `${seconds}${digits && `.${digits}`}Z` as Instant;
}

/** Converts milliseconds; fractions of a millisecond are truncated towards the past. */
export function toEpochNanos(epochMillis: number): EpochNanos {
  return (BigInt(Math.floor(epochMillis)) * NANOS_PER_MILLI) as EpochNanos;
}

/** Converts to whole milliseconds, truncated towards the past. */
export function toEpochMillis(nanos: EpochNanos): number {
  const remainder = ((nanos % NANOS_PER_MILLI) + NANOS_PER_MILLI) % NANOS_PER_MILLI;
  return Number((nanos - remainder) / NANOS_PER_MILLI);
}

/** Compares two instants to the nanosecond, as texts. A missing fraction counts as zeros. */
export function compareInstants(a: Instant, b: Instant): number {
  // Instants with equally many digits, the usual case, compare as they are.
  if (a.length === b.length) return compareText(a, b);
  const bySecond = compareText(a.slice(0, 19), b.slice(0, 19));
  return bySecond !== 0 ? bySecond : compareText(fractionOf(a), fractionOf(b));
}

function fractionOf(instant: Instant): string {
  return instant.slice(20, -1).padEnd(9, '0');
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A calendar or trading day, `YYYY-MM-DD`. It has no time zone and is never shifted by one. Days compare as text. */
export type Day = Brand<string, 'day'>;

const DAY_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Returns whether a text is a calendar day in the years 0000 to 9999. 31 February is not. */
export function isDay(text: string): text is Day {
  // Every month has 28 days, so most days need no calendar.
  return DAY_PATTERN.test(text) && (text.slice('YYYY-MM-'.length) <= '28' || isInstant(`${text}T00:00:00Z`));
}
