import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareInstants,
  type EpochNanos,
  formatInstant,
  type Instant,
  isDay,
  isInstant,
  parseInstant,
  toEpochMillis,
  toEpochNanos,
} from './instant.ts';

test.each(['2026-08-17', '2024-02-29', '2000-02-29', '0000-01-01', '9999-12-31', '2025-12-31'])(
  '%s is a day',
  (text) => {
    expect(isDay(text)).toBe(true);
  },
);

test.each([
  '',
  'today',
  '2026-8-17',
  '26-08-17',
  '2026-08-17T00:00:00Z',
  '2026/08/17',
  '20260817',
  '2026-08-17 ',
  '2026-08-17\n',
  '2026-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-00-01',
  '2026-13-01',
  '2026-01-00',
  '2026-01-32',
  '+02026-01-01',
])('%j is not a day', (text) => {
  expect(isDay(text)).toBe(false);
});

test('exactly the days of the calendar are days', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_999 }),
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 0, max: 99 }),
      (y, m, d) => {
        const text = [String(y).padStart(4, '0'), String(m).padStart(2, '0'), String(d).padStart(2, '0')].join('-');
        const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
        const length = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1] ?? 0;
        expect(isDay(text)).toBe(d >= 1 && d <= length);
      },
    ),
    { numRuns: 2_000 },
  );
});

const SECOND = 1_000_000_000n;

/** The years of the format: 0000 to 9999. */
const anyNanos = fc
  .bigInt({ min: -62_167_219_200n * SECOND, max: 253_402_300_800n * SECOND - 1n })
  .map((n) => n as EpochNanos);

/** Times so close together that only their last digits differ. */
const nearNanos = fc.bigInt({ min: -20n, max: 20n }).map((n) => (1_787_010_321n * SECOND + n) as EpochNanos);

/** The same time without trailing zeros. */
function shortest(nanos: EpochNanos): Instant {
  return formatInstant(nanos).replace(/\.?0+Z$/, 'Z') as Instant;
}

test.each([
  ['1970-01-01T00:00:00Z', 0n],
  ['1970-01-01T00:00:00.000000001Z', 1n],
  ['1969-12-31T23:59:59.999999999Z', -1n],
  ['2026-08-17T23:45:21.496334704Z', 1_787_010_321_496_334_704n],
  ['2026-08-17T23:45:21.4Z', 1_787_010_321_400_000_000n],
  ['2026-08-17T23:45:21.49633470Z', 1_787_010_321_496_334_700n],
  ['2024-02-29T12:00:00Z', 1_709_208_000_000_000_000n],
  ['2000-02-29T00:00:00Z', 951_782_400_000_000_000n],
])('%s is %s ns', (text, nanos) => {
  expect(parseInstant(text)).toBe(nanos);
});

test.each(Array.from({ length: 10 }, (_, digits) => digits))('%i fractional digits are an instant', (digits) => {
  const text = `2026-08-17T23:45:21${digits > 0 ? `.${'123456789'.slice(0, digits)}` : ''}Z`;
  expect(parseInstant(text)).toBe(1_787_010_321n * SECOND + BigInt('123456789'.slice(0, digits).padEnd(9, '0')));
});

test.each([
  '',
  'now',
  '2026-08-17',
  '2026-08-17T23:45Z',
  '2026-08-17T23:45:21',
  '2026-08-17T23:45:21.Z',
  '2026-08-17T23:45:21.1234567890Z',
  '2026-08-17T23:45:21,5Z',
  '2026-08-17T23:45:21+00:00',
  '2026-08-17T23:45:21.5+02:00',
  '2026-08-17t23:45:21z',
  '2026-08-17 23:45:21Z',
  ' 2026-08-17T23:45:21Z',
  '2026-08-17T23:45:21Z\n',
  '20260817T234521Z',
  '+002026-08-17T23:45:21Z',
  '2026-8-17T23:45:21Z',
  '2026-08-17T24:00:00Z',
  '2026-08-17T23:60:00Z',
  '2026-08-17T23:59:60Z',
  '2026-00-17T00:00:00Z',
  '2026-13-17T00:00:00Z',
  '2026-08-00T00:00:00Z',
  '2026-08-32T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '２026-08-17T23:45:21Z',
])('%j is not an instant', (text) => {
  expect(parseInstant(text)).toBeNull();
  expect(isInstant(text)).toBe(false);
});

test('formatting and parsing a time gives the same time, to the nanosecond', () => {
  fc.assert(
    fc.property(anyNanos, (nanos) => {
      expect(parseInstant(formatInstant(nanos))).toBe(nanos);
      expect(parseInstant(shortest(nanos))).toBe(nanos);
    }),
  );
});

test('fewer digits truncate towards the past and never round', () => {
  const nanos = (toEpochNanos(1_787_010_321_999) + 999_999n) as EpochNanos;
  expect(formatInstant(nanos, 0)).toBe('2026-08-17T23:45:21Z');
  expect(formatInstant(nanos, 3)).toBe('2026-08-17T23:45:21.999Z');
  expect(formatInstant(nanos, 6)).toBe('2026-08-17T23:45:21.999999Z');
  expect(formatInstant(-1n as EpochNanos, 3)).toBe('1969-12-31T23:59:59.999Z');
});

test('a time outside the four-digit years cannot be formatted', () => {
  expect(() => formatInstant((253_402_300_800n * SECOND) as EpochNanos)).toThrow(RangeError);
  expect(() => formatInstant((-62_167_219_201n * SECOND) as EpochNanos)).toThrow(RangeError);
});

test.each([
  ['anywhere', anyNanos],
  ['a few nanoseconds apart', nearNanos],
])('texts compare like their times, whatever the number of digits: %s', (_, moments) => {
  const form = fc.constantFrom(formatInstant, shortest);
  fc.assert(
    fc.property(moments, moments, form, form, (a, b, writeA, writeB) => {
      expect(Math.sign(compareInstants(writeA(a), writeB(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test('texts of one time are equal, whatever the number of digits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 }), (tenths) => {
      const written = shortest((BigInt(tenths) * 100_000_000n) as EpochNanos);
      expect(compareInstants(written, formatInstant((BigInt(tenths) * 100_000_000n) as EpochNanos))).toBe(0);
    }),
  );
});

test('texts sort by time, to the nanosecond', () => {
  fc.assert(
    fc.property(fc.array(nearNanos), (moments) => {
      const sorted = moments.map(shortest).sort(compareInstants).map(parseInstant);
      expect(sorted).toEqual([...moments].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    }),
  );
});

test('milliseconds convert both ways; fractions are truncated towards the past', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
      fc.bigInt(0n, 999_999n),
      (millis, rest) => {
        expect(toEpochMillis(toEpochNanos(millis))).toBe(millis);
        expect(toEpochMillis((toEpochNanos(millis) + rest) as EpochNanos)).toBe(millis);
      },
    ),
  );
  expect(toEpochNanos(-0.5)).toBe(-1_000_000n);
});
