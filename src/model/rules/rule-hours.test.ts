import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RuleHours, WEEKDAYS } from '#contract/desk/rule-timing.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { describeHours, describeOutside, findNextBegin, findOccurrence } from './rule-hours.ts';

const CHICAGO: RuleHours = {
  ...{ zone: 'America/Chicago', days: [...WEEKDAYS], from: '08:30', to: '16:00', except_holidays: false },
};
const at = (text: string): number => Date.parse(text);
const within = (hours: Partial<RuleHours>, text: string, holidays: readonly string[] | null = null): boolean =>
  findOccurrence({ ...CHICAGO, ...hours }, at(text), holidays && new Set(holidays as readonly Day[])) !== null;

describe('hours of a rule', () => {
  it.each([
    ['before their begin', {}, '2026-08-18T13:29:59.999Z', false],
    ['at their begin', {}, '2026-08-18T13:30:00Z', true],
    ['just before their end', {}, '2026-08-18T20:59:59.999Z', true],
    ['at their end', {}, '2026-08-18T21:00:00Z', false],
    ['an hour later by UTC in winter', {}, '2026-12-01T14:29:59Z', false],
    ['an hour later by UTC in winter, within', {}, '2026-12-01T14:30:00Z', true],
    [
      'after midnight of a day on which they began',
      { days: ['Fri'], from: '22:00', to: '06:00' },
      '2026-08-22T10:59:00Z',
      true,
    ],
    [
      'after midnight of a day on which they did not',
      { days: ['Sat'], from: '22:00', to: '06:00' },
      '2026-08-22T10:59:00Z',
      false,
    ],
    [
      'as long as a day, from the minute before',
      { days: ['Mon'], from: '17:00', to: '17:00' },
      '2026-08-17T21:59:59Z',
      false,
    ],
    ['as long as a day, to the next', { days: ['Mon'], from: '17:00', to: '17:00' }, '2026-08-18T21:59:59Z', true],
  ] satisfies readonly [string, Partial<RuleHours>, string, boolean][])('%s', (_, hours, text, is) => {
    expect(within(hours, text)).toBe(is);
  });

  it.each([
    // On 8 March 2026, 02:00 to 03:00 is skipped in Chicago.
    [
      'a begin that is skipped counts by the clock before',
      '02:30',
      '05:00',
      '2026-03-08T08:30:00Z',
      '2026-03-08T10:00:00Z',
    ],
    ['a day in spring is an hour shorter', '00:00', '06:00', '2026-03-08T06:00:00Z', '2026-03-08T11:00:00Z'],
    // On 1 November 2026, 01:00 to 02:00 comes twice.
    ['a begin that comes twice is the first', '01:30', '05:00', '2026-11-01T06:30:00Z', '2026-11-01T11:00:00Z'],
    ['an end that comes twice is the second', '00:00', '01:30', '2026-11-01T05:00:00Z', '2026-11-01T07:30:00Z'],
    ['a day in autumn is an hour longer', '00:00', '06:00', '2026-11-01T05:00:00Z', '2026-11-01T12:00:00Z'],
  ])('%s', (_, from, to, begin, end) => {
    const found = findOccurrence({ ...CHICAGO, from, to }, at(begin), null);
    expect(found).toEqual({ from: at(begin), to: at(end) });
    expect(within({ from, to }, new Date(at(begin) - 1).toISOString())).toBe(false);
  });

  it('begin on no holiday, in their own zone, and end after one that follows', () => {
    const hours = { from: '22:00', to: '06:00', except_holidays: true };
    expect(within(hours, '2026-12-25T10:00:00Z', ['2026-12-25'])).toBe(true);
    expect(within(hours, '2026-12-26T05:00:00Z', ['2026-12-25'])).toBe(false);
    expect(within(hours, '2026-12-26T05:00:00Z', [])).toBe(true);
    expect(within({ ...hours, except_holidays: false }, '2026-12-26T05:00:00Z', ['2026-12-25'])).toBe(true);
  });

  it('are entered exactly when they next begin, in any zone and at any time of the year', () => {
    const clock = fc.nat(1_439).map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16));
    const zones = fc.constantFrom('America/Chicago', 'Europe/Berlin', 'UTC', 'Australia/Lord_Howe', 'Asia/Kolkata');
    const someDays = fc.subarray([...WEEKDAYS], { minLength: 1 });
    const instants = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });
    fc.assert(
      fc.property(zones, someDays, clock, clock, instants, (zone, days, from, to, now) => {
        const hours = { ...CHICAGO, zone, days, from, to };
        const next = findNextBegin(hours, now, null);
        if (next === null) throw new Error('They begin within a week.');
        expect(findOccurrence(hours, next, null)?.from).toBe(next);
        const present = findOccurrence(hours, now, null);
        // Nothing begins between the end of the present hours and the next begin.
        const quiet = (Math.max(now, present?.to ?? now) + next) / 2;
        if (present === null || present.to < next) expect(findOccurrence(hours, Math.floor(quiet), null)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('are described with their zone, and say what is not known', () => {
    const office = {
      ...CHICAGO,
      days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as RuleHours['days'],
      except_holidays: true,
    };
    expect(describeHours(office, false)).toBe(
      'on Mon to Fri from 08:30 to 16:00 America/Chicago, except on holidays (holidays unknown)',
    );
    expect(describeHours({ ...CHICAGO, days: ['Sun', 'Tue'], from: '22:00', to: '06:00' }, true)).toBe(
      'on Tue, Sun from 22:00 to 06:00 of the next day America/Chicago',
    );
    expect(describeOutside(office, at('2026-08-21T21:00:00Z'), new Set(['2026-08-24'] as Day[]))).toBe(
      'outside its hours, next at Tue 2026-08-25 08:30 America/Chicago',
    );
    expect(describeOutside(office, at('2026-08-21T20:59:00Z'), null)).toBeNull();
  });
});
