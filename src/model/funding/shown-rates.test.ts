import { expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import { describeFunding, namePayer, RATE_FORM_LABELS, RATE_FORMS, toRateForm, toSide } from './funding-rate.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { formatPercent } from '../format/number.ts';
import numbers from './funding-numbers.json' with { type: 'json' };
import { rankValues } from './rate-distribution.ts';

const rates = ['0.0001', '-0.0001', '0', '-0'].map(toDecimal);

it('names who pays whom', () => {
  expect(rates.map(namePayer)).toEqual(['longs pay', 'shorts pay', 'no payment', 'no payment']);
  expect(rates.map(describeFunding)).toEqual(['longs pay shorts', 'shorts pay longs', 'no payment', 'no payment']);
});

const usual = { interval_start: '2026-08-17T00:00:00Z' as Instant, interval_end: '2026-08-17T08:00:00Z' as Instant };
const short = { ...usual, interval_end: '2026-08-17T04:00:00Z' as Instant };

it.each(numbers.forms)(
  '$rate per 8 h in every form equals the result of an independent calculator',
  ({ rate, day, apr, apy }) => {
    const value = toDecimal(rate);
    expect(toRateForm(value, 'day', usual)?.toFixed(20)).toBe(day);
    expect(toRateForm(value, 'apr', usual)?.toFixed(20)).toBe(apr);
    expect(toRateForm(value, 'apy', usual)?.toFixed(30)).toBe(apy);
  },
);

it('one basis point is 10.95 % APR and 11.57 % APY', () => {
  const printed = RATE_FORMS.map((form) =>
    formatPercent(toRateForm(toDecimal('0.0001'), form, usual), { digits: RATE_FORM_LABELS[form].digits }),
  );
  expect(printed).toEqual(['0.0100', '0.0300', '10.95', '11.57']);
});

it('an interval of another length is not annualised', () => {
  expect(RATE_FORMS.map((form) => toRateForm(toDecimal('0.0001'), form, short)?.toFixed() ?? null)).toEqual([
    '0.0001',
    null,
    null,
    null,
  ]);
});

it('the sign is inverted for a long position, and zero has none', () => {
  const seen = (rate: string, side: 'market' | 'long' | 'short') => toSide(toDecimal(rate), side).toString();
  expect([seen('0.1', 'market'), seen('0.1', 'long'), seen('-0.1', 'long'), seen('0.1', 'short')]).toEqual([
    '0.1',
    '-0.1',
    '0.1',
    '0.1',
  ]);
  expect(toSide(toDecimal('0'), 'long').isNegative()).toBe(false);
});

it('equal values share a rank, and missing values have none', () => {
  const values = ['0.2', null, '0.1', '0.2', '0.3'].map((text) => (text === null ? null : toDecimal(text)));
  expect(rankValues(values, 'highest first')).toEqual([2, null, 4, 2, 1]);
  expect(rankValues(values, 'lowest first')).toEqual([2, null, 1, 2, 4]);
});
