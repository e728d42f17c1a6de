import { describe, expect, it } from 'vitest';
import { formatDuration, formatInAllZones, formatInstant, formatTimeOfDay } from './format-time.ts';

describe('an instant', () => {
  it.each([
    ['2026-03-08T07:59:59Z', '2026-03-08 01:59:59 Chicago'],
    ['2026-03-08T08:00:00Z', '2026-03-08 03:00:00 Chicago'],
    ['2026-11-01T06:30:00Z', '2026-11-01 01:30:00 Chicago'],
    ['2026-11-01T07:30:00Z', '2026-11-01 01:30:00 Chicago'],
    ['2026-01-01T05:59:59Z', '2025-12-31 23:59:59 Chicago'],
  ])('%s is %s', (instant, text) => {
    expect(formatInstant(Date.parse(instant), 'chicago')).toBe(text);
  });

  it('has the hour 00 at midnight', () => {
    expect(formatInstant(Date.parse('2026-11-20T00:00:00Z'), 'utc')).toBe('2026-11-20 00:00:00 UTC');
    expect(formatTimeOfDay(Date.parse('2026-11-20T00:00:05Z'), 'utc')).toBe('00:00:05 UTC');
  });

  it('is shown in every zone in the tooltip', () => {
    const lines = formatInAllZones(Date.parse('2026-07-01T12:00:00Z')).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines).toContain('2026-07-01 12:00:00 UTC');
    expect(lines).toContain('2026-07-01 07:00:00 Chicago');
  });

  it('keeps every digit in every zone', () => {
    const lines = formatInAllZones('2026-08-17T23:45:21.496334704Z').split('\n');
    expect(lines).toContain('2026-08-17 23:45:21.496334704 UTC');
    expect(lines).toContain('2026-08-17 18:45:21.496334704 Chicago');
  });
});

it.each([
  [-3, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_600, '1 h 00 min'],
  [11_100, '3 h 05 min'],
  [86_400, '1 d 0 h'],
  [100 * 3_600, '4 d 4 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

it('an invalid time is missing in any zone, and its raw text is in the tooltip', () => {
  expect([formatInstant(NaN, 'utc'), formatInstant(NaN, 'chicago'), formatInAllZones('yesterday')]).toEqual([
    '–',
    '–',
    'yesterday',
  ]);
});
