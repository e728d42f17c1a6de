import { describe, expect, it } from 'vitest';
import { createRangeTest, describeRange, parseBound, parseWrittenInstant, toBoundInstant } from './written-time.ts';

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

const NOW = Date.parse('2026-08-17T12:30:00.250Z');

describe('a bound', () => {
  it.each([
    ['1h', '1 h ago'],
    [' 15 Minutes ago ', '15 min ago'],
    ['2 days', '2 d ago'],
    ['1 w ago', '1 w ago'],
    ['Today', 'today'],
    ['2026-08-17', '2026-08-17'],
    ['2026-08-17 09:30', '2026-08-17 09:30'],
    ['2026-08-17T23:45:21.496334704Z', '2026-08-17T23:45:21.496334704Z'],
  ])('written as %s is %s', (text, bound) => {
    expect(parseBound(text)).toBe(bound);
    expect(parseBound(bound)).toBe(bound);
  });

  it.each(['', 'soon', '1', '1 y ago', '-1 h', '1.5 h', '2026-02-30', '2026-08-17 25:00', 'constructor'])(
    'is not %j',
    (text) => {
      expect(parseBound(text)).toBeNull();
    },
  );

  it.each([
    ['1 h ago', '2026-08-17T11:30:00.250000000Z', '2026-08-17T11:30:00.250000000Z'],
    ['today', '2026-08-17T00:00:00Z', '2026-08-18T00:00:00Z'],
    ['yesterday', '2026-08-16T00:00:00Z', '2026-08-17T00:00:00Z'],
    ['2026-08-31', '2026-08-31T00:00:00Z', '2026-09-01T00:00:00Z'],
    ['2026-08-17 09:30', '2026-08-17T09:30:00Z', '2026-08-17T09:30:00Z'],
  ])('%s begins a range at %s, and ends one at %s', (text, from, to) => {
    expect([toBoundInstant(text, 'from', NOW), toBoundInstant(text, 'to', NOW)]).toEqual([from, to]);
  });
});

describe('a range', () => {
  it.each([
    [{ from: '1 h ago', to: '' }, [false, true, true]],
    [{ from: '', to: '1 h ago' }, [true, false, false]],
    [{ from: 'today', to: '' }, [true, true, true]],
    [{ from: '', to: 'yesterday' }, [false, false, false]],
    [{ from: '2026-08-17 11:30', to: '2026-08-17T11:30:00.250000001Z' }, [false, true, false]],
  ])('%j includes its beginning and not its end', (range, within) => {
    const test = createRangeTest(range);
    expect(
      ['2026-08-17T11:29:59.999999999Z', '2026-08-17T11:30:00.25Z', '2026-08-17T11:30:00.250000001Z'].map((at) =>
        test(at, NOW),
      ),
    ).toEqual(within);
  });

  it('moves with the time it refers to', () => {
    const test = createRangeTest({ from: '1 h ago', to: '' });
    expect([NOW, NOW + 1, NOW].map((now) => test('2026-08-17T11:30:00.250Z', now))).toEqual([true, false, true]);
  });

  it('includes nothing that is no time', () => {
    const test = createRangeTest({ from: '', to: 'today' });
    expect([test(null, NOW), test('yesterday', NOW)]).toEqual([false, false]);
  });

  it.each([
    [{ from: '1 h ago', to: '' }, 'in the last 1 h'],
    [{ from: '', to: '1 d ago' }, 'more than 1 d ago'],
    [{ from: 'today', to: '' }, 'today (UTC)'],
    [{ from: 'yesterday', to: 'yesterday' }, 'yesterday (UTC)'],
    [{ from: 'yesterday', to: '' }, 'since yesterday (UTC)'],
    [{ from: '2026-08-17', to: '' }, 'since 2026-08-17 (UTC)'],
    [{ from: '', to: '2026-08-17 09:30' }, 'up to 2026-08-17 09:30 (UTC)'],
    [{ from: '2026-08-01', to: '2 h ago' }, 'from 2026-08-01 (UTC) to 2 h ago'],
  ])('%j reads "%s"', (range, text) => {
    expect(describeRange(range)).toBe(text);
  });
});
