import { TickMarkType, type Time } from 'lightweight-charts';
import { describe, expect, it } from 'vitest';
import type { Zone } from '#model/format/format-time.ts';
import { inZone, toTimeOptions } from './time-axis.ts';

/** Returns instants as the axis receives them. */
function drawn(zone: Zone, ...instants: readonly string[]): readonly Time[] {
  const times = instants.map((instant) => Date.parse(instant) / 1_000);
  return inZone({ times, timeName: '', timeText: String, panes: [], readouts: [] }, zone).times as Time[];
}

const boundaries = ['2026-12-01T00:00:00Z', '2026-12-01T08:00:00Z'] as const;

function tick(time: Time, type: TickMarkType, zone: Zone): string {
  return toTimeOptions(zone).timeScale.tickMarkFormatter(time, type);
}

function label(time: Time, zone: Zone): string {
  return toTimeOptions(zone).localization.timeFormatter(time);
}

/** Formats ticks as the library does, which marks the first time of each unit. */
function dayOf(time: Time): string {
  return new Date(Number(time) * 1_000).toISOString().slice(0, 10);
}

describe('the axis of a chart', () => {
  it.each([
    ['utc', ['2026-12-01', '2026-12-01'], ['00:00', '08:00'], ['1', '1'], ['Dec', 'Dec']],
    ['chicago', ['2026-11-30', '2026-12-01'], ['18:00', '02:00'], ['30', '1'], ['Nov', 'Dec']],
  ] as const)(
    'shows times in the zone %s, with days, months and years starting at its midnight',
    (zone, days, times, dates, months) => {
      const instants = drawn(zone, ...boundaries);
      const ticks = (type: TickMarkType) => instants.map((instant) => tick(instant, type, zone));
      expect(instants.map(dayOf)).toEqual(days);
      expect(ticks(TickMarkType.Time)).toEqual(times);
      expect(ticks(TickMarkType.DayOfMonth)).toEqual(dates);
      expect(ticks(TickMarkType.Month)).toEqual(months);
      expect(ticks(TickMarkType.Year)).toEqual(['2026', '2026']);
    },
  );

  it.each([
    ['utc', '2026-12-01 00:00:00 UTC'],
    ['chicago', '2026-11-30 18:00:00 Chicago'],
  ] as const)('labels the crosshair like the legend, %s', (zone, text) => {
    expect(drawn(zone, ...boundaries).map((instant) => label(instant, zone))[0]).toBe(text);
  });

  it('is strictly ascending also when clocks are set back', () => {
    const [first = 0, second = 0, third = 0] = drawn(
      'chicago',
      '2026-11-01T06:30:00Z',
      '2026-11-01T07:00:00Z',
      '2026-11-01T08:00:00Z',
    ).map(Number);
    expect(first).toBeLessThan(second);
    expect(second).toBeLessThan(third);
  });

  it('does not shift the date of a session in any zone', () => {
    expect(label('2026-12-01', 'chicago')).toBe('1 Dec 2026');
    expect(tick('2026-12-01', TickMarkType.DayOfMonth, 'chicago')).toBe('1');
    expect(tick('2026-12-01', TickMarkType.Month, 'chicago')).toBe('Dec');
    expect(tick({ year: 2026, month: 12, day: 1 }, TickMarkType.Year, 'chicago')).toBe('2026');
  });
});
