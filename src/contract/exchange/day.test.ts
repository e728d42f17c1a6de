import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDay } from './day.ts';

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
