import { expect, it } from 'vitest';
import { findNextTime } from './until.ts';

const NOW = Date.parse('2026-11-01T05:30:30Z');

it.each([
  ['05:45', 'utc', '2026-11-01T05:45:00.000Z'],
  ['5:45', 'utc', '2026-11-01T05:45:00.000Z'],
  ['05:31', 'utc', '2026-11-02T05:31:00.000Z'],
  ['05:15', 'utc', '2026-11-02T05:15:00.000Z'],
  // The clock in Chicago is set back at 07:00 UTC.
  ['00:45', 'chicago', '2026-11-01T05:45:00.000Z'],
  ['03:00', 'chicago', '2026-11-01T09:00:00.000Z'],
  ['24:00', 'utc', null],
  ['noon', 'utc', null],
] as const)('%s %s is next %s', (text, zone, expected) => {
  const found = findNextTime(text, NOW, zone);
  expect(found === null ? null : new Date(found).toISOString()).toBe(expected);
});
