import { describe, expect, it } from 'vitest';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import {
  describeAllOverdue,
  describeOverdue,
  findOverdue,
  isOldTrade,
  sessionsDueOf,
  toDueTimes,
  toTradeAge,
} from './overdue.ts';
import fc from 'fast-check';
import { sessionAfter, sessionBefore } from './session.ts';

const TRADED = '2026-11-20T12:00:00.123456789Z' as Instant;

function ageAfter(seconds: number): number | null {
  return toTradeAge(TRADED, Date.parse(TRADED) + seconds * 1_000);
}

it.each([
  [90, 90],
  [0, 0],
  [-30, 0],
  [-31, null],
])('a trade is %d seconds ago: its age is %s', (seconds, age) => {
  expect(ageAfter(seconds)).toBe(age);
});

it('is old after five minutes', () => {
  expect([300, 301].map(isOldTrade)).toEqual([false, true]);
});

const at = (instant: string) => toDueTimes(Date.parse(instant));

describe('the settled rate that is due', () => {
  it.each([
    ['2026-11-25T16:04:59Z', '2026-11-25T08:00:00Z'],
    ['2026-11-25T16:05:00Z', '2026-11-25T16:00:00Z'],
    ['2026-11-25T23:59:59Z', '2026-11-25T16:00:00Z'],
    ['2026-11-26T00:00:00Z', '2026-11-25T16:00:00Z'],
    ['2026-11-26T00:04:59Z', '2026-11-25T16:00:00Z'],
    ['2026-11-26T00:05:00Z', '2026-11-26T00:00:00Z'],
    // The clocks of Chicago change; funding times do not.
    ['2026-03-08T08:05:00Z', '2026-03-08T08:00:00Z'],
    ['2026-11-01T08:05:00Z', '2026-11-01T08:00:00Z'],
  ])('at %s is that of %s', (now, due) => {
    expect(at(now).fundingRates).toEqual({ newest: due, tolerated: due });
  });

  it('is the last one or, for some minutes, the one before, at any time', () => {
    const anyTime = fc.date({ min: new Date('2020-01-01'), max: new Date('2099-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anyTime, (time) => {
        const age = time.getTime() - Date.parse(toDueTimes(time.getTime()).fundingRates.newest);
        expect(age).toBeGreaterThanOrEqual(300_000);
        expect(age).toBeLessThan(8 * 3_600_000 + 300_000);
      }),
    );
  });
});

it.each([
  ['2026-11-25T16:00:59Z', '2026-11-25T16:00:00Z'],
  ['2026-11-25T16:01:00Z', '2026-11-26T00:00:00Z'],
])('at %s the predicted rate of the interval to %s is due', (now, due) => {
  expect(at(now).fundingEstimated.newest).toBe(due);
});

/** In Chicago, settlement is at 16:00: 22:00 UTC in winter, 21:00 in summer. 21 and 22 November 2026 are a weekend. */
describe('the settlement that is due', () => {
  it.each([
    ['an hour after it', '2026-11-24T23:00:00Z', '2026-11-24', '2026-11-24'],
    ['a second earlier', '2026-11-24T22:59:59Z', '2026-11-23', '2026-11-23'],
    ['at midnight', '2026-11-25T00:00:00Z', '2026-11-24', '2026-11-24'],
    ['in summer', '2026-07-07T22:00:00Z', '2026-07-07', '2026-07-07'],
    ['in summer, a second earlier', '2026-07-07T21:59:59Z', '2026-07-06', '2026-07-06'],
    ['on a Saturday', '2026-11-21T12:00:00Z', '2026-11-20', '2026-11-20'],
    ['on a Saturday evening', '2026-11-21T23:30:00Z', '2026-11-21', '2026-11-20'],
    ['on a Sunday evening', '2026-11-22T23:30:00Z', '2026-11-22', '2026-11-20'],
    ['on a Monday before the settlement', '2026-11-23T22:30:00Z', '2026-11-22', '2026-11-20'],
    ['on a Monday after it', '2026-11-23T23:00:00Z', '2026-11-23', '2026-11-23'],
    ['when the clocks have gone forward', '2026-03-08T22:00:00Z', '2026-03-08', '2026-03-06'],
    ['the evening before they do', '2026-03-07T22:00:00Z', '2026-03-06', '2026-03-06'],
    ['when the clocks have gone back', '2026-11-01T23:00:00Z', '2026-11-01', '2026-10-30'],
    ['the evening before they do so', '2026-10-31T22:00:00Z', '2026-10-31', '2026-10-30'],
  ])('%s, %s, is that of %s, or of %s without weekends', (_, now, everyDay, weekdays) => {
    expect([at(now).everyDay.chartPrice.newest, at(now).weekdays.chartPrice.newest]).toEqual([everyDay, weekdays]);
    expect(at(now).everyDay.productDataAll).toEqual(at(now).everyDay.chartPrice);
  });
});

describe('the open interest that is due', () => {
  it.each([
    ['at noon in Chicago', '2026-11-24T18:00:00Z', '2026-11-23', '2026-11-23'],
    ['a second earlier', '2026-11-24T17:59:59Z', '2026-11-22', '2026-11-20'],
    ['in summer', '2026-07-08T17:00:00Z', '2026-07-07', '2026-07-07'],
    ['in summer, a second earlier', '2026-07-08T16:59:59Z', '2026-07-06', '2026-07-06'],
    ['on a Saturday', '2026-11-21T20:00:00Z', '2026-11-20', '2026-11-19'],
    ['on a Monday morning', '2026-11-23T17:59:59Z', '2026-11-21', '2026-11-19'],
    ['on a Monday at noon', '2026-11-23T18:00:00Z', '2026-11-22', '2026-11-20'],
    ['when the clocks have gone forward', '2026-03-08T17:00:00Z', '2026-03-07', '2026-03-05'],
    ['when the clocks have gone back', '2026-11-01T18:00:00Z', '2026-10-31', '2026-10-29'],
  ])('%s, %s, is that of %s, or of %s without weekends', (_, now, everyDay, weekdays) => {
    expect([at(now).everyDay.chartVoi.newest, at(now).weekdays.chartVoi.newest]).toEqual([everyDay, weekdays]);
  });
});

describe('a holiday', () => {
  /** Thursday, 26 November 2026. */
  const dayAfter = at('2026-11-27T12:00:00Z');

  it('makes nothing overdue that does not trade every day', () => {
    const { newest } = dayAfter.weekdays.chartPrice;
    expect(newest).toBe('2026-11-26');
    expect(findOverdue('2026-11-25' as Day, dayAfter.weekdays.chartPrice)).toBeNull();
    expect(findOverdue('2026-11-24' as Day, dayAfter.weekdays.chartPrice)).toEqual({
      newest: '2026-11-24',
      due: newest,
    });
  });

  it('before a weekend is tolerated until the settlement of Monday', () => {
    const thursday = '2026-04-02' as Day;
    expect(findOverdue(thursday, at('2026-04-06T21:59:59Z').weekdays.chartPrice)).toBeNull();
    expect(findOverdue(thursday, at('2026-04-06T22:00:00Z').weekdays.chartPrice)).not.toBeNull();
  });

  it('is none for a perpetual', () => {
    expect(findOverdue('2026-11-25' as Day, dayAfter.everyDay.chartPrice)).toEqual({
      newest: '2026-11-25',
      due: '2026-11-26',
    });
    expect(sessionsDueOf({ type: 'perpetual' }, dayAfter)).toBe(dayAfter.everyDay);
    expect([{ type: 'option' }, {}].map((product) => sessionsDueOf(product, dayAfter))).toEqual([
      dayAfter.weekdays,
      dayAfter.weekdays,
    ]);
  });
});

describe('what is due', () => {
  const { fundingRates, everyDay } = at('2026-11-25T12:00:00Z');

  it('is not overdue where the newest row is as recent, or more so, to the last digit', () => {
    const times = [
      '2026-11-25T08:00:00Z',
      '2026-11-25T08:00:00.000000000Z',
      '2026-11-25T08:00:00.000000001Z',
      '2026-12-25T00:00:00Z',
    ];
    expect(times.map((time) => findOverdue(time as Instant, fundingRates))).toEqual([null, null, null, null]);
    expect(findOverdue('2026-11-25T07:59:59.999999999Z' as Instant, fundingRates)).not.toBeNull();
  });

  it('is not overdue where there has never been a row', () => {
    expect(findOverdue(null, fundingRates)).toBeNull();
  });

  it('compares the date of a settlement that has a time', () => {
    expect(findOverdue('2026-11-24T21:30:00Z' as Instant, everyDay.productDataAll)).toBeNull();
    expect(findOverdue('2026-11-23T22:00:00Z' as Instant, everyDay.productDataAll)).toEqual({
      newest: '2026-11-23T22:00:00Z',
      due: '2026-11-24',
    });
  });
});

it('the session before one is the one that it follows', () => {
  const trading = fc
    .integer({ min: 0, max: 30_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10) as Day);
  fc.assert(
    fc.property(trading, fc.boolean(), (day, everyDay) => {
      const before = sessionBefore(day, { everyDay });
      expect(before < day).toBe(true);
      expect(sessionAfter(before, { everyDay }) >= day).toBe(true);
    }),
  );
});

const rate = { newest: '2026-11-22T00:00:00Z' as Instant, due: '2026-11-25T16:00:00Z' as Instant };
const settlement = { newest: '2026-11-09T22:00:00Z' as Instant, due: '2026-11-24' as Day };
const RATE = 'newest settled rate is from 22 Nov 2026 00:00 UTC; that of 25 Nov 2026 16:00 UTC is missing.';

it('an overdue row is described by its time and that of the one that was due', () => {
  expect(describeOverdue('settled rate', rate)).toBe(`The ${RATE}`);
  expect(describeOverdue('settlement', settlement)).toBe(
    'The newest settlement is from 9 Nov 2026; that of 24 Nov 2026 is missing.',
  );
});

it('a time with an offset is converted, and one that is none is shown as it came', () => {
  const described = (newest: string) => describeOverdue('settled rate', { ...rate, newest: newest as Instant });
  expect(described('2026-11-21T18:00:00-06:00')).toBe(`The ${RATE}`);
  expect(described('once')).toContain('is from once; that of');
});

it('of several overdue rows the oldest is described, with the number of the others', () => {
  const later = { ...rate, newest: '2026-11-24T00:00:00Z' as Instant };
  const [current, btc, eth] = [
    { name: 'SOLUS', overdue: null },
    { name: 'BTCUC', overdue: rate },
    { name: 'ETHUI', overdue: later },
  ];
  const describe = (...all: Parameters<typeof describeAllOverdue>[2]) =>
    describeAllOverdue('settled rate', 'perpetuals', all);
  expect(describe(current)).toBeNull();
  expect(describe()).toBeNull();
  expect(describe(btc)).toBe(`BTCUC: the ${RATE}`);
  expect(describe(current, eth, btc)).toBe(`BTCUC and 1 more: the ${RATE}`);
  expect(describe(eth, btc)).toBe(`All 2 perpetuals: the ${RATE}`);
});
