import { expect, test } from 'vitest';
import { describeOrigin, findEnds, toFileName } from './save-picture.ts';

const DAYS = ['2026-05-26', '2026-05-27', '2026-05-28', '2026-05-29'];
const origin = { source: 'Embedded exchange', readAt: Date.UTC(2026, 10, 26, 0, 30, 55, 400) };

test('an image names its exchange, the bars in view and when they were read', () => {
  expect(describeOrigin(origin, ['2026-05-26', '2026-05-29'])).toBe(
    'Embedded exchange · 26 May 2026 to 29 May 2026 · read 2026-11-26 00:30:55 UTC',
  );
  expect(describeOrigin({ ...origin, source: null }, null)).toBe('read 2026-11-26 00:30:55 UTC');
});

test('so does its file, in characters that every system allows', () => {
  expect(toFileName('PBTC/1D', origin, ['2026-05-26', '2026-05-29'])).toBe(
    'Embedded-exchange-PBTC-1D-2026-05-26-to-2026-05-29-read-20261126T003055Z',
  );
  expect(toFileName('PBTC', { ...origin, source: null }, null)).toBe('PBTC-read-20261126T003055Z');
});

test('instants are named by their day', () => {
  expect(toFileName('x', origin, [Date.UTC(2026, 0, 2, 8) / 1_000, Date.UTC(2026, 0, 3) / 1_000])).toContain(
    '-x-2026-01-02-to-2026-01-03-',
  );
});

test('one day is named once', () => {
  const instants = [Date.UTC(2026, 0, 2, 8) / 1_000, Date.UTC(2026, 0, 2, 16) / 1_000] as const;
  expect(describeOrigin(origin, instants)).toContain(' · 2 Jan 2026 · ');
  expect(toFileName('x', origin, instants)).toContain('-x-2026-01-02-read-');
});

test('bars in view are those that are whole within it', () => {
  expect(findEnds({ from: -1, to: 3.5 }, DAYS)).toEqual(['2026-05-26', '2026-05-29']);
  expect(findEnds({ from: 0.5, to: 2.5 }, DAYS)).toEqual(['2026-05-27', '2026-05-28']);
  expect(findEnds(null, DAYS)).toEqual(['2026-05-26', '2026-05-29']);
  expect(findEnds(null, [])).toBeNull();
});
