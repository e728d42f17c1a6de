import { TickMarkType, type Time } from 'lightweight-charts';
import { describe, expect, it } from 'vitest';
import type { Zone } from '../preferences/preferences.ts';
import { toTimeOptions } from './time-axis.ts';

const boundary = (Date.parse('2026-12-01T00:00:00Z') / 1_000) as Time;

function tick(time: Time, type: TickMarkType, zone: Zone): string {
  return toTimeOptions(zone).timeScale.tickMarkFormatter(time, type);
}

function label(time: Time, zone: Zone): string {
  return toTimeOptions(zone).localization.timeFormatter(time);
}

describe('the axis of a chart', () => {
  it.each([
    ['utc', '00:00'],
    ['chicago', '18:00'],
  ] as const)('tells moments in the zone chosen, %s, and names the day, month and year that begin at a mark', (zone, time) => {
    expect(tick(boundary, TickMarkType.DayOfMonth, zone)).toBe('1');
    expect(tick(boundary, TickMarkType.Time, zone)).toBe(time);
    expect(tick(boundary, TickMarkType.Month, zone)).toBe('Dec');
    expect(tick(boundary, TickMarkType.Year, zone)).toBe('2026');
  });

  it('names the moment pointed at as the legend does', () => {
    expect(label(boundary, 'chicago')).toBe('2026-11-30 18:00:00 Chicago');
  });

  it('moves no session’s date, whatever the zone', () => {
    expect(label('2026-12-01', 'chicago')).toBe('2026-12-01');
    expect(tick('2026-12-01', TickMarkType.DayOfMonth, 'chicago')).toBe('1');
    expect(tick('2026-12-01', TickMarkType.Month, 'chicago')).toBe('Dec');
    expect(tick({ year: 2026, month: 12, day: 1 }, TickMarkType.Year, 'chicago')).toBe('2026');
  });
});
