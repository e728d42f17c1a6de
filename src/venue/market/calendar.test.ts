import { describe, expect, it } from 'vitest';
import type { Micros } from '../core/model.ts';
import {
  expiryOf,
  isOpen,
  monthLetter,
  scheduleOf,
  sessionAt,
  sessionOn,
  settleInstant,
  type TradingSession,
} from './calendar.ts';

const at = (iso: string): Micros => Date.parse(iso) * 1000;
const iso = (instant: Micros): string => new Date(instant / 1000).toISOString().replace(':00.000Z', 'Z');
const toUtcTexts = (session: TradingSession | null) =>
  session && { date: session.date, open: iso(session.open), settle: iso(session.settle) };

describe('perpetuals', () => {
  it('open when they settle, at 16:00 in Chicago, every day', () => {
    expect(toUtcTexts(sessionOn('daily', '2026-08-16'))).toEqual({
      date: '2026-08-16',
      open: '2026-08-15T21:00Z',
      settle: '2026-08-16T21:00Z',
    });
    expect(isOpen('daily', at('2026-08-16T04:00:00Z'))).toBe(true);
  });

  it('begin the next session at the instant of settlement', () => {
    expect(sessionAt('daily', at('2026-08-16T21:00:00Z') - 1).date).toBe('2026-08-16');
    expect(sessionAt('daily', at('2026-08-16T21:00:00Z')).date).toBe('2026-08-17');
  });

  it('trade 23 hours on the day the clock goes forward, 25 where it goes back', () => {
    expect(toUtcTexts(sessionOn('daily', '2026-03-08'))).toMatchObject({
      open: '2026-03-07T22:00Z',
      settle: '2026-03-08T21:00Z',
    });
    expect(toUtcTexts(sessionOn('daily', '2026-11-01'))).toMatchObject({
      open: '2026-10-31T21:00Z',
      settle: '2026-11-01T22:00Z',
    });
  });
});

describe('futures, spreads and options', () => {
  it('trade from 19:00 of the evening before to 16:00', () => {
    expect(toUtcTexts(sessionOn('weekdays', '2026-08-18'))).toEqual({
      date: '2026-08-18',
      open: '2026-08-18T00:00Z',
      settle: '2026-08-18T21:00Z',
    });
  });

  it('are closed from 16:00 to 19:00, and from Friday to Sunday', () => {
    expect(isOpen('weekdays', at('2026-08-18T20:59:59Z'))).toBe(true);
    expect(isOpen('weekdays', at('2026-08-18T21:00:00Z'))).toBe(false);
    expect(isOpen('weekdays', at('2026-08-18T23:59:59Z'))).toBe(false);
    expect(isOpen('weekdays', at('2026-08-19T00:00:00Z'))).toBe(true);
    expect(isOpen('weekdays', at('2026-08-21T21:00:00Z'))).toBe(false);
    expect(isOpen('weekdays', at('2026-08-23T23:59:59Z'))).toBe(false);
    expect(isOpen('weekdays', at('2026-08-24T00:00:00Z'))).toBe(true);
  });

  it('begin Monday’s session on Sunday evening, and have none on Saturday and Sunday', () => {
    expect(sessionOn('weekdays', '2026-08-22')).toBeNull();
    expect(sessionOn('weekdays', '2026-08-23')).toBeNull();
    expect(toUtcTexts(sessionAt('weekdays', at('2026-08-22T12:00:00Z')))).toEqual({
      date: '2026-08-24',
      open: '2026-08-24T00:00Z',
      settle: '2026-08-24T21:00Z',
    });
  });

  it('open an hour later by UTC on the evening of the day the clock goes back', () => {
    expect(toUtcTexts(sessionOn('weekdays', '2026-11-02'))).toMatchObject({
      open: '2026-11-02T01:00Z',
      settle: '2026-11-02T22:00Z',
    });
    expect(toUtcTexts(sessionOn('weekdays', '2026-03-09'))).toMatchObject({
      open: '2026-03-09T00:00Z',
      settle: '2026-03-09T21:00Z',
    });
  });

  it('are everything but the perpetuals', () => {
    expect(scheduleOf('perpetual')).toBe('daily');
    expect((['future', 'spread', 'option'] as const).map(scheduleOf)).toEqual(['weekdays', 'weekdays', 'weekdays']);
  });
});

describe('one session after the other', () => {
  const follow = (schedule: 'daily' | 'weekdays', from: string, until: string): TradingSession[] => {
    const sessions: TradingSession[] = [];
    for (let next = sessionAt(schedule, at(from)); next.settle <= at(until); next = sessionAt(schedule, next.settle)) {
      sessions.push(next);
    }
    return sessions;
  };

  it('skips weekends of products that do not trade then', () => {
    expect(follow('weekdays', '2026-08-20T00:00:00Z', '2026-08-25T21:00:00Z').map(({ date }) => date)).toEqual([
      '2026-08-20',
      '2026-08-21',
      '2026-08-24',
      '2026-08-25',
    ]);
  });

  it('covers all time of a perpetual, over both changes of the clock', () => {
    const sessions = follow('daily', '2026-02-20T00:00:00Z', '2026-11-20T00:00:00Z');
    expect(sessions).toHaveLength(273);
    expect(sessions.slice(1).map(({ open }) => open)).toEqual(sessions.slice(0, -1).map(({ settle }) => settle));
    const hours = sessions.map(({ open, settle }) => (settle - open) / 3_600_000_000);
    expect(hours.filter((length) => length !== 24)).toEqual([23, 25]);
  });

  it('finds the same session from any instant of it', () => {
    for (const session of follow('daily', '2026-10-30T00:00:00Z', '2026-11-03T00:00:00Z')) {
      for (let instant = session.open; instant < session.settle; instant += 450_000_000) {
        expect(sessionAt('daily', instant)).toEqual(session);
      }
    }
  });
});

describe('expiry', () => {
  it('is the last Friday of the month, at the settlement', () => {
    expect(iso(expiryOf(2026, 8))).toBe('2026-08-28T21:00Z');
    expect(iso(expiryOf(2026, 12))).toBe('2026-12-25T22:00Z');
    expect(iso(expiryOf(2027, 2))).toBe('2027-02-26T22:00Z');
    expect(iso(expiryOf(2024, 5))).toBe('2024-05-31T21:00Z');
  });

  it('is a session’s settlement in every month', () => {
    for (let month = 1; month <= 12 * 7; month += 1) {
      const expiry = expiryOf(2024 + Math.floor((month - 1) / 12), ((month - 1) % 12) + 1);
      expect(sessionAt('weekdays', expiry - 1).settle).toBe(expiry);
    }
  });

  it('names months by the usual letters', () => {
    expect(Array.from({ length: 12 }, (_, i) => monthLetter(i + 1)).join('')).toBe('FGHJKMNQUVXZ');
    expect(() => monthLetter(13)).toThrow('month 13');
    expect(() => monthLetter(0)).toThrow('month 0');
  });
});

describe('compared with the time zone rules of the platform, 2024 to 2030', () => {
  const chicago = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/Chicago',
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  const days = Array.from({ length: 2557 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));

  it('settles every day at 16:00:00 of its date and opens at 16:00:00 or 19:00:00 of the day before', () => {
    expect(days.at(-1)).toBe('2030-12-31');
    days.forEach((date, i) => {
      const local = (instant: Micros | undefined) => chicago.format((instant ?? NaN) / 1000);
      expect(local(settleInstant(date))).toBe(`${date}, 16:00:00`);
      if (i === 0) return;
      expect(local(sessionOn('daily', date)?.open)).toBe(`${days[i - 1] ?? ''}, 16:00:00`);
      const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
      if (weekday % 6 === 0) expect(sessionOn('weekdays', date)).toBeNull();
      else expect(local(sessionOn('weekdays', date)?.open)).toBe(`${days[i - 1] ?? ''}, 19:00:00`);
    });
  });
});
