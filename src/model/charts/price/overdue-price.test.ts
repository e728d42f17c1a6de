import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Static, TSchema } from '#contract/exchange/schema.ts';
import { toDueTimes } from '../../time/overdue.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { findOverduePrice, findReason, listReasons } from './overdue-price.ts';

function response<Schema extends TSchema>(schema: Schema, wire: object): ApiResponse<Static<Schema>> {
  const { value } = createParser(schema, 'rows').tolerant(JSON.stringify(wire));
  if (value === null) throw new Error('the test’s response is invalid');
  return { value } as ApiResponse<Static<Schema>>;
}

const NOW = toDueTimes(Date.parse('2026-11-25T06:32:00Z'));
const perpetual = { type: 'perpetual', product_status: 'active' } as DeskProduct;
const [price] = sampleResponses.chartPrice;
const [day] = sampleResponses.chartVoi;
const [print] = sampleResponses.fundingRates.data;

const pricesOf = (...dates: readonly string[]) =>
  response(
    ENDPOINTS.chartPrice.response,
    dates.map((date) => ({ ...price, date })),
  );
const daysOf = (...days: readonly (readonly [date: string, volume: number | null, openInterest: number | null])[]) =>
  response(
    ENDPOINTS.chartVoi.response,
    days.map(([date, volume, openInterest]) => ({ ...day, date, volume, openInterest })),
  );
const current = {
  data: response(ENDPOINTS.productData.response, {
    ...sampleResponses.productData,
    settlement_time: '2026-11-24T22:00:00Z',
  }),
  prices: pricesOf('2026-11-23', '2026-11-24'),
  voi: daysOf(['2026-11-23', 5, 7], ['2026-11-24', 5, null]),
  funding: response(ENDPOINTS.fundingRates.response, {
    data: [{ ...print, interval_end: '2026-11-25T00:00:00Z' }],
    pagination: {},
  }),
};
const NONE = { settlement: null, trading: null, openInterest: null, settledRate: null };

describe('what is overdue of a product', () => {
  it('is nothing while every figure is current, or before the responses and the time are known', () => {
    expect(findOverduePrice(perpetual, current, NOW)).toEqual(NONE);
    expect(
      findOverduePrice(perpetual, { data: undefined, prices: undefined, voi: undefined, funding: undefined }, NOW),
    ).toEqual(NONE);
    expect(findOverduePrice(perpetual, { ...current, prices: pricesOf('2026-01-05') }, null)).toEqual(NONE);
  });

  it('is nothing of an expired product', () => {
    expect(
      findOverduePrice(
        { ...perpetual, product_status: 'expired' },
        { ...current, prices: pricesOf('2026-01-05') },
        NOW,
      ),
    ).toEqual(NONE);
  });

  const stopped = {
    data: response(ENDPOINTS.productData.response, {
      ...sampleResponses.productData,
      settlement_time: '2026-11-09T22:00:00Z',
    }),
    prices: pricesOf('2026-11-10'),
    voi: daysOf(['2026-11-10', 5, 7]),
    funding: response(ENDPOINTS.fundingRates.response, {
      data: [{ ...print, interval_end: '2026-11-22T00:00:00Z' }],
      pagination: {},
    }),
  };

  it('is each figure whose newest row is too old, with a sentence for each kind', () => {
    const overdue = findOverduePrice(perpetual, stopped, NOW);
    expect(listReasons(overdue)).toEqual([
      'The newest settlement in the product data is from 9 Nov 2026; that of 24 Nov 2026 is missing.',
      'The newest settlement is from 10 Nov 2026; that of 24 Nov 2026 is missing.',
      'The newest open interest is from 10 Nov 2026; that of 23 Nov 2026 is missing.',
      'The newest settled rate is from 22 Nov 2026 00:00 UTC; that of 25 Nov 2026 00:00 UTC is missing.',
    ]);
    expect(['Last', 'Settlement', '24 h volume'].map((name) => findReason(name, overdue))).toEqual([
      expect.stringContaining('9 Nov'),
      expect.stringContaining('10 Nov'),
      null,
    ]);
  });
});

describe('a settlement', () => {
  const settlementOf = (prices: typeof current.prices, voi: typeof current.voi | undefined) =>
    findOverduePrice(perpetual, { ...current, prices, voi }, NOW).settlement;

  it('is not overdue where nothing has traded since', () => {
    expect(
      settlementOf(
        pricesOf('2026-11-22'),
        daysOf(['2026-11-22', 5, 7], ['2026-11-23', null, 7], ['2026-11-24', 0, null]),
      ),
    ).toBeNull();
  });

  it('is overdue where something has traded since, or where that is unknown, and is named by its own date', () => {
    const due = '2026-11-24';
    expect(
      settlementOf(
        pricesOf('2026-11-21'),
        daysOf(['2026-11-22', null, 7], ['2026-11-23', 5, 7], ['2026-11-24', null, null]),
      ),
    ).toEqual({ newest: '2026-11-21', due });
    expect(settlementOf(pricesOf('2026-11-21'), daysOf(['2026-11-21', 5, 7]))).toEqual({ newest: '2026-11-21', due });
  });

  it('is not judged before the volume has been read', () => {
    expect(settlementOf(pricesOf('2026-11-21'), undefined)).toBeNull();
  });
});
