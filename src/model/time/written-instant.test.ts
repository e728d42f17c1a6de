import { expect, it } from 'vitest';
import { parseWrittenInstant } from './written-instant.ts';

const times = { at: Date.parse('2026-08-17T09:00:00Z'), now: Date.parse('2026-08-20T12:00:00Z') };

it.each([
  ['14:03', '2026-08-17T14:03:00.000Z'],
  ['14:03:10', '2026-08-17T14:03:10.000Z'],
  ['14:03:10.25Z', '2026-08-17T14:03:10.250Z'],
  ['2026-08-18 14:03', '2026-08-18T14:03:00.000Z'],
  ['2026-08-18T14:03:10.123456789Z', '2026-08-18T14:03:10.123Z'],
  ['2026-08-18', '2026-08-18T00:00:00.000Z'],
  ['15 min ago', '2026-08-20T11:45:00.000Z'],
  ['yesterday', '2026-08-19T00:00:00.000Z'],
])('%s is %s', (text, instant) => {
  expect(new Date(parseWrittenInstant(text, times) ?? NaN).toISOString()).toBe(instant);
});

it.each(['', '25:00', '14:60', 'soon', '2026-02-31'])('“%s” is no time', (text) => {
  expect(parseWrittenInstant(text, times)).toBeNull();
});
