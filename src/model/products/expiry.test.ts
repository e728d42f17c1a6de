import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { describeTimeLeft, findNextExpiry, formatExpiryTime, formatTimeLeft, isSoon, toExpiry } from './expiry.ts';

const product = (symbol: string, final_settle_time: string | undefined, product_status = 'active', type = 'future') =>
  ({ symbol, final_settle_time, product_status, type }) as unknown as DeskProduct;

const listed = [
  product('last', '2026-12-25T22:00:00Z'),
  product('next', '2026-11-27T22:00:00Z'),
  product('settled', '2026-11-20T22:00:00Z', 'expired'),
  product('perpetual', '2026-11-26T22:00:00Z', 'active', 'perpetual'),
  product('undated', undefined),
];

it.each([
  ['the day before', '2026-11-26T12:00:00Z', 'next'],
  ['on its last day', '2026-11-27T21:59:00Z', 'next'],
  ['once it is over, though still called active', '2026-11-27T22:01:00Z', 'last'],
  ['after all of them', '2026-12-26T00:00:00Z', undefined],
  ['without the exchange’s time', null, 'next'],
])('%s', (_, now, symbol) => {
  expect(findNextExpiry(listed, now === null ? null : Date.parse(now))?.symbol).toBe(symbol);
});

it('is none of products that never expire', () => {
  expect(
    findNextExpiry(
      [product('perpetual', '2026-11-26T22:00:00Z', 'active', 'perpetual'), product('undated', undefined)],
      null,
    ),
  ).toBeNull();
});

const settles = '2026-11-27T22:00:00Z' as NonNullable<DeskProduct['final_settle_time']>;

function expiryAt(now: string) {
  return toExpiry({ final_settle_time: settles }, Date.parse(now));
}

describe('the time to expiry', () => {
  it.each([
    ['2026-10-29T21:59:00Z', '29 days'],
    ['2026-11-24T22:00:00Z', '3 days'],
    ['2026-11-24T22:00:01Z', '71 h'],
    ['2026-11-26T05:30:00Z', '40 h'],
    ['2026-11-27T21:00:00Z', '1 h'],
    ['2026-11-27T21:18:00Z', '42 min'],
    ['2026-11-27T22:00:00Z', '0 min'],
    ['2026-11-27T22:00:01Z', 'past'],
  ])('at %s is %s', (now, text) => {
    expect(formatTimeLeft(expiryAt(now)?.msLeft ?? Number.NaN)).toBe(text);
  });

  it('is the same on both sides of midnight in UTC and in Chicago but for the hours that pass', () => {
    const left = ['2026-11-25T23:59:00Z', '2026-11-26T00:01:00Z', '2026-11-26T05:59:00Z', '2026-11-26T06:01:00Z'].map(
      (now) => formatTimeLeft(expiryAt(now)?.msLeft ?? Number.NaN),
    );
    expect(left).toEqual(['46 h', '45 h', '40 h', '39 h']);
  });

  it('is written in words', () => {
    expect(
      ['2026-11-20T21:00:00Z', '2026-11-26T05:30:00Z', '2026-12-02T23:00:00Z'].map((now) =>
        describeTimeLeft(expiryAt(now)?.msLeft ?? Number.NaN),
      ),
    ).toEqual(['in 7 days', 'in 40 h', '5 days ago']);
  });

  it('is unknown without the exchange’s time', () => {
    expect(toExpiry({ final_settle_time: settles }, null)).toEqual({ at: settles, day: '2026-11-27', msLeft: null });
  });

  it('does not exist for a perpetual, whatever is published, nor without a final settlement', () => {
    expect(toExpiry({ type: 'perpetual', final_settle_time: settles }, 0)).toBeNull();
    expect(toExpiry({ type: 'future' }, 0)).toBeNull();
  });

  it('is short from a week before until the final settlement, as days are shown', () => {
    const soon = ['2026-11-19T22:00:00Z', '2026-11-19T22:00:01Z', '2026-11-27T22:00:00Z', '2026-11-27T22:00:01Z'].map(
      (now) => isSoon(expiryAt(now)),
    );
    expect(soon).toEqual([false, true, true, false]);
    expect([isSoon(null), isSoon(toExpiry({ final_settle_time: settles }, null))]).toEqual([false, false]);
  });
});

it('the time of the final settlement is written in UTC, with a word for today and tomorrow there', () => {
  const written = [
    '2026-11-25T23:59:59Z',
    '2026-11-26T00:00:00Z',
    '2026-11-27T00:00:00Z',
    '2026-11-27T23:00:00Z',
    '2026-11-28T00:00:00Z',
  ].map((now) => {
    const expiry = expiryAt(now);
    return expiry && formatExpiryTime(expiry);
  });
  const time = '27 Nov 2026, 22:00 UTC';
  expect(written).toEqual([time, `tomorrow, ${time}`, `today, ${time}`, `today, ${time}`, time]);
});
