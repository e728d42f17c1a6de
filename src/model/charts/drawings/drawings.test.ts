import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { toPeriodStart } from '../../time/date-range.ts';
import { addDays, weekdayOf } from '../../time/session.ts';
import {
  type Drawing,
  describeDrawing,
  DRAWING_KINDS,
  findDrawingMistake,
  formatTicks,
  inOrder,
  MOST_DRAWINGS,
  MOST_NOTE,
  POINTS_OF,
  readTicks,
} from './drawing.ts';
import { mergeDrawings, readDrawings, writeDrawings } from './drawings-file.ts';
import { findHit, type Shape } from './find-hit.ts';
import { describeMeasured, measure } from './measure.ts';
import { moveDrawing, toMovement } from './move-drawing.ts';
import { barOf, dayAt, placeDrawings } from './place-drawings.ts';

const day = (text: string): Day => text as Day;
const FIRST = day('2026-06-01');
const daysFrom = (first: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index));
const trend = (from: string, to: string): Drawing => ({
  id: `${from} ${to}`,
  kind: 'trend',
  points: [
    { date: day(from), ticks: 100 },
    { date: day(to), ticks: 200 },
  ],
  text: '',
});

describe('a place in the chart', () => {
  it('is the bar of its session, also when older bars have loaded', () => {
    const keys = daysFrom(FIRST, 30);
    const older = daysFrom(addDays(FIRST, -90), 120);
    for (const date of keys) {
      const bars = { period: '1D', everyDay: true } as const;
      expect(keys[barOf(date, { ...bars, keys })]).toBe(date);
      expect(older[barOf(date, { ...bars, keys: older })]).toBe(date);
    }
  });

  it('is the week or the month that has the session', () => {
    const weeks = ['2026-05-25', '2026-06-01', '2026-06-08'].map(day);
    const months = ['2026-05-01', '2026-06-01'].map(day);
    const at = { everyDay: true } as const;
    expect(barOf(day('2026-06-07'), { ...at, keys: weeks, period: '1W' })).toBe(1);
    expect(barOf(day('2026-06-08'), { ...at, keys: weeks, period: '1W' })).toBe(2);
    expect(barOf(day('2026-06-30'), { ...at, keys: months, period: '1M' })).toBe(1);
    expect(barOf(day('2026-03-31'), { ...at, keys: months, period: '1M' })).toBe(-2);
  });

  it('before or after the bars is counted on by sessions, so that the slope of a line is the same when they load', () => {
    const sessions = daysFrom(FIRST, 60).filter((date) => weekdayOf(date) < 6);
    const keys = sessions.slice(20, 30);
    sessions.forEach((date, index) => {
      expect(barOf(date, { keys, period: '1D', everyDay: false })).toBe(index - 20);
    });
  });

  it('of a session without a bar is the bar before it', () => {
    const keys = ['2026-06-01', '2026-06-02', '2026-06-04'].map(day);
    expect(barOf(day('2026-06-03'), { keys, period: '1D', everyDay: true })).toBe(1);
  });

  it('outside of the bars is counted, unless part of the line is among them', () => {
    const bars = { keys: daysFrom(FIRST, 10), period: '1D', everyDay: true } as const;
    const level: Drawing = { id: 'l', kind: 'level', points: [{ date: day('2020-01-01'), ticks: 1 }], text: '' };
    const into = trend('2026-05-30', '2026-06-02');
    const { placed, outside } = placeDrawings([level, into, trend('2026-05-01', '2026-05-02')], bars);
    expect(placed).toEqual([
      { drawing: level, bars: [expect.any(Number)] },
      { drawing: into, bars: [-2, 1] },
    ]);
    expect(outside).toBe(1);
    expect(placeDrawings([trend('2027-01-01', '2027-01-02')], bars).outside).toBe(1);
    // It begins before the bars and ends after them.
    expect(placeDrawings([trend('2026-05-01', '2027-01-02')], bars).outside).toBe(0);
  });
});

describe('a day outside of the bars', () => {
  it.each([
    ['1D', true],
    ['1D', false],
    ['1W', false],
    ['1M', false],
  ] as const)('is that of its bar: %s, every day: %s', (period, everyDay) => {
    const days = daysFrom(FIRST, 200).filter((date) => everyDay || weekdayOf(date) < 6);
    const all = [...new Set(days.map((date) => toPeriodStart(date, period)))];
    const bars = { keys: all.slice(2, 4), period, everyDay };
    expect(all.map((_, bar) => dayAt(bar - 2, bars)).toSpliced(2, 2)).toEqual(all.toSpliced(2, 2));
  });
});

describe('a drawing that moves', () => {
  const dates = ['2026-06-01', '2026-06-02', '2026-06-04', '2026-06-05'].map(day);
  const bars = { keys: dates, dates, period: '1D', everyDay: true } as const;
  const pointsOf = ({ points }: Drawing): readonly string[] =>
    points.map(({ date, ticks }) => `${date} ${String(ticks)}`);
  const line = trend('2026-06-01', '2026-06-04');

  it('goes from bar to bar, over days without one, and by whole ticks', () => {
    expect(pointsOf(moveDrawing(line, { bars: 1, ticks: -3 }, bars))).toEqual(['2026-06-02 97', '2026-06-05 197']);
    expect(pointsOf(moveDrawing(line, { bars: 2, ticks: 0 }, bars))).toEqual(['2026-06-04 100', '2026-06-06 200']);
    expect(pointsOf(moveDrawing(line, { bars: -2, ticks: 0 }, bars))).toEqual(['2026-05-30 100', '2026-06-01 200']);
  });

  it('moves by one point alone, and keeps its points in order', () => {
    expect(pointsOf(moveDrawing(line, { bars: 1, ticks: 5 }, bars, 1))).toEqual(['2026-06-01 100', '2026-06-05 205']);
    expect(pointsOf(moveDrawing(line, { bars: 3, ticks: 0 }, bars, 0))).toEqual(['2026-06-04 200', '2026-06-05 100']);
  });

  it('keeps its session within a bar of a week, and a horizontal line always does', () => {
    const weeks = ['2026-06-01', '2026-06-08'].map(day);
    const byWeek = { keys: weeks, dates: weeks, period: '1W', everyDay: true } as const;
    const note: Drawing = { id: 'n', kind: 'note', points: [{ date: day('2026-06-03'), ticks: 1 }], text: 'n' };
    expect(pointsOf(moveDrawing(note, { bars: 0, ticks: 1 }, byWeek))).toEqual(['2026-06-03 2']);
    expect(pointsOf(moveDrawing(note, { bars: 1, ticks: 0 }, byWeek))).toEqual(['2026-06-08 1']);
    expect(pointsOf(moveDrawing({ ...note, kind: 'level' }, { bars: 1, ticks: 1 }, byWeek))).toEqual(['2026-06-03 2']);
  });

  it('follows the pointer from where it was taken', () => {
    const at = (date: string, ticks: number) => ({ date: day(date), ticks });
    expect(toMovement(at('2026-06-02', 7), at('2026-06-05', 4), bars)).toEqual({ bars: 2, ticks: -3 });
  });
});

describe('what is pointed at', () => {
  const shapes: readonly Shape[] = [
    { id: 'level', kind: 'level', points: [[900, 100]], label: null },
    {
      id: 'trend',
      kind: 'trend',
      points: [
        [100, 200],
        [200, 300],
      ],
      label: null,
    },
    {
      id: 'measure',
      kind: 'measure',
      points: [
        [300, 50],
        [400, 50],
      ],
      label: { left: 410, top: 30, width: 90, height: 20 },
    },
    { id: 'note', kind: 'note', points: [[600, 102]], label: null },
  ];
  const hit = (x: number, y: number, selected: string | null = null) => findHit(shapes, [x, y], { reach: 6, selected });

  it.each([
    ['a horizontal line, anywhere', 5, 105, { id: 'level', place: null }],
    ['nothing beside it', 5, 107, null],
    ['the end of a trend line', 203, 298, { id: 'trend', place: 1 }],
    ['a trend line between its ends', 150, 254, { id: 'trend', place: null }],
    ['a trend line that continues', 400, 503, { id: 'trend', place: null }],
    ['nothing before its first point', 80, 180, null],
    ['a measure', 350, 52, { id: 'measure', place: null }],
    ['nothing beyond a measure', 407, 55, null],
    ['its label', 480, 40, { id: 'measure', place: null }],
    ['of two, the later one', 600, 100, { id: 'note', place: 0 }],
  ])('is %s', (_, x, y, found) => {
    expect(hit(x, y)).toEqual(found);
  });

  it('is the selected one before those over it', () => {
    expect(hit(600, 100, 'level')).toEqual({ id: 'level', place: null });
  });
});

const anchors = fc.record({
  date: fc.integer({ min: 0, max: 20_000 }).map((count) => addDays(day('1990-01-01'), count)),
  ticks: fc.integer({ min: -1e6, max: 1e9 }),
});
const drawings = fc
  .uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1 }),
      kind: fc.constantFrom(...DRAWING_KINDS),
      points: fc.tuple(anchors, anchors),
      text: fc.string({ maxLength: MOST_NOTE }),
    }),
    { selector: ({ id }) => id, maxLength: 20 },
  )
  .map((all) =>
    all
      .map((each) => ({ ...each, points: inOrder(each.points.slice(0, POINTS_OF[each.kind])) }))
      .filter((each) => findDrawingMistake(each) === null),
  );

describe('drawings as text', () => {
  it('are the same when read again', () => {
    fc.assert(
      fc.property(drawings, (all) => {
        expect(readDrawings(writeDrawings(all, 'P'), 'P')).toEqual({ drawings: all });
      }),
    );
  });

  it.each([
    ['{', 'This is not a file of drawings, or a newer version of Perpdesk saved it.'],
    ['{"format":"perpdesk drawings","version":2,"product":"P","drawings":[]}', /newer version/],
    [writeDrawings([trend('2026-06-01', '2026-06-02')], 'Q'), 'These drawings are of Q, and this chart is of P.'],
    [
      writeDrawings(
        Array.from({ length: MOST_DRAWINGS + 1 }, () => trend('2026-06-01', '2026-06-02')),
        'P',
      ),
      'These are 201 drawings; a product has at most 200.',
    ],
    [with2({ kind: 'circle' }), 'Drawing 2: There is no kind “circle”.'],
    [with2({ points: [{ date: '2026-02-30', ticks: 1 }] }), 'Drawing 2: “2026-02-30” is not a date.'],
    [with2({ points: [{ date: '2026-02-03', ticks: 1.5 }] }), 'Drawing 2: A price must be a whole number of ticks.'],
    [with2({ points: [{ date: '2026-02-03', ticks: 1 }] }), 'Drawing 2: A trend line has two points.'],
    [with2({ points: [{ date: '2026-02-03', ticks: 1 }], kind: 'note', text: ' ' }), /A note has 1 to 200 characters/],
    [with2({ points: [{ date: '2026-02-03', ticks: 1 }], kind: 'note', text: 'n'.repeat(201) }), /A note has 1 to 200/],
    [with2({ id: '2026-06-01 2026-06-02' }), 'Two of these drawings have the same ID.'],
  ])('%# are refused in a sentence', (text, problem) => {
    expect(readDrawings(text, 'P')).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it('replace those with the same ID, and are refused beyond the limit', () => {
    const old = trend('2026-06-01', '2026-06-02');
    const changed = { ...old, points: trend('2026-06-03', '2026-06-05').points };
    expect(mergeDrawings([old], [changed])).toEqual({ drawings: [changed] });
    const many = Array.from({ length: MOST_DRAWINGS }, (_, index) => ({ ...old, id: String(index) }));
    expect(mergeDrawings(many, [old])).toEqual({ problem: expect.stringContaining('at most 200') as string });
  });
});

/** Returns the text of two drawings, the second with changed fields. */
function with2(change: object): string {
  const drawing = trend('2026-06-01', '2026-06-02');
  return JSON.stringify({
    ...(JSON.parse(writeDrawings([drawing], 'P')) as object),
    drawings: [drawing, { ...drawing, id: 'second', ...change }],
  });
}

describe('a price', () => {
  it('is exact, whatever the tick size', () => {
    expect(formatTicks(23_523, 5)).toBe('117,615.00');
    expect(formatTicks(3, 0.1)).toBe('0.30');
    expect(formatTicks(-7, 0.0001)).toBe('−0.0007');
  });

  it.each([
    ['117,615.00', 5, 23_523],
    ['0.3', 0.1, 3],
    ['−0.0007', 0.0001, -7],
    ['117 616', 5, null],
    ['1e3', 5, null],
    ['', 5, null],
  ])('written as “%s” with ticks of %d is %s ticks', (text, size, ticks) => {
    expect(readTicks(text, size)).toBe(ticks);
  });
});

it('a drawing is described by kind, dates and prices', () => {
  expect(describeDrawing(trend('2026-06-01', '2026-06-02'), 5)).toBe(
    'Trend line from 1 Jun 2026 at 500.00 USD to 2 Jun 2026 at 1,000.00 USD',
  );
});

describe('a measure', () => {
  const sessions = daysFrom(FIRST, 30);
  const between = (a: readonly [string, number], b: readonly [string, number], tickSize: number) =>
    measure(
      [
        { date: day(a[0]), ticks: a[1] },
        { date: day(b[0]), ticks: b[1] },
      ],
      { tickSize, sessions },
    );

  it('has price, ticks, percent, a simple rate a year, bars, sessions and days', () => {
    const measured = between(['2026-06-01', 20_000], ['2026-06-11', 20_400], 5);
    // 2,000 of 100,000 USD in 10 of 365 days: 2 % × 36.5.
    expect(describeMeasured(measured, 5, 10)).toEqual([
      '+2,000.00 USD · +400 ticks · +2.00 % · +73.0 % a year',
      '10 bars · 10 sessions · 10 days',
    ]);
  });

  it('is exact, and negative for a fall', () => {
    const { usd, fraction } = between(['2026-06-01', 3], ['2026-06-02', 2], 0.1);
    expect([usd.toFixed(), fraction?.toFixed(6)]).toEqual(['-0.1', '-0.333333']);
  });

  it('has no rate a year under three days, no percent from zero, and no sessions that the chart lacks', () => {
    expect(between(['2026-06-01', 20_000], ['2026-06-03', 20_400], 5).yearly).toBeNull();
    expect(between(['2026-06-01', 0], ['2026-06-20', 20_400], 5)).toMatchObject({ fraction: null, yearly: null });
    expect(between(['2026-05-31', 1], ['2026-06-20', 2], 5).sessions).toBeNull();
    expect(between(['2026-06-01', 1], ['2026-07-20', 2], 5).sessions).toBeNull();
  });
});
