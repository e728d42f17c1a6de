import { describe, expect, it } from 'vitest';
import { DeskProducts } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Static, TSchema } from '#contract/exchange/schema.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { TEST_SOURCE } from '#testing/test-source.ts';
import type { Sourced } from '../response.ts';
import { toDueTimes } from '../time/overdue.ts';
import { addAges, type MarketAges, NO_AGES, toMarketRows } from './market-rows.ts';

function sourced<Schema extends TSchema>(
  endpoint: string,
  schema: Schema,
  wire: object,
  rows = 'data',
): Sourced<Static<Schema>> {
  const { value } = createParser(schema, rows).tolerant(JSON.stringify(wire));
  if (value === null) throw new Error(`${endpoint}: the test's response is invalid`);
  return { ...TEST_SOURCE, endpoint, value };
}

/** Wednesday, 25 November 2026, 06:32 UTC: half an hour past midnight in Chicago. */
const NOW = Date.parse('2026-11-25T06:32:00Z');
const [voi] = sampleResponses.chartVoi;
const [print] = sampleResponses.fundingRates.data;

interface Wire {
  readonly type?: string;
  readonly settled?: string | null;
  readonly traded?: string;
  readonly interest?: string;
  readonly rate?: string;
}

/** Returns the ages of a product whose newest rows have these times. All others are current. */
function agesOf(
  {
    type = 'perpetual',
    settled = '2026-11-24T22:00:00Z',
    traded = '2026-11-25T06:31:00Z',
    interest = '2026-11-23',
    rate = '2026-11-25T00:00:00Z',
  }: Wire,
  now: number | null = NOW,
): MarketAges | undefined {
  const spec = { ...sampleResponses.productSpec, product_id: 7, symbol: 'PBTC', type };
  const data = sourced('productDataAll', ENDPOINTS.productDataAll.response, [
    {
      ...sampleResponses.productData,
      product_id: 7,
      settlement_time: settled,
      ...(settled === null && { settlement_price: null, price_change: null }),
      last_price_time: traded,
    },
  ]);
  const rows = toMarketRows({
    products: sourced(
      'desk/products',
      DeskProducts,
      { source: 'product/specs', read_at: '2026-11-20T00:00:00Z', products: [spec] },
      'products',
    ),
    voi: sourced('chartVoi', ENDPOINTS.chartVoi.response, [
      { ...voi, productId: 7, date: interest, openInterest: 10, notionalOpenInterest: 87_502_500 },
    ]),
    funding: sourced('fundingRates', ENDPOINTS.fundingRates.response, {
      data: type === 'perpetual' ? [{ ...print, product_id: 7, interval_end: rate }] : [],
      pagination: {},
    }),
    data,
    sessions: null,
  });
  return addAges(rows, now === null ? null : toDueTimes(now))[0]?.ages;
}

describe('the ages of a product', () => {
  it('are none while all of its figures are current, or the time is unknown', () => {
    expect(agesOf({})).toEqual(NO_AGES);
    expect(agesOf({ type: 'future' })).toEqual(NO_AGES);
    expect(agesOf({ settled: '2026-11-09T22:00:00Z', rate: '2026-11-22T00:00:00Z' }, null)).toEqual(NO_AGES);
  });

  it('name the settled rate that stopped three days ago', () => {
    expect(agesOf({ rate: '2026-11-22T00:00:00Z' })).toEqual({
      ...NO_AGES,
      overdueRate: { newest: '2026-11-22T00:00:00Z', due: '2026-11-25T00:00:00Z' },
    });
  });

  it('name open interest that was not published', () => {
    expect(agesOf({ interest: '2026-11-10' })?.overdueInterest).toEqual({ newest: '2026-11-10', due: '2026-11-23' });
  });

  it.each(['perpetual', 'option'])('name trading data of two weeks ago of a %s', (type) => {
    const ages = agesOf({ type, settled: '2026-11-09T22:00:00Z', traded: '2026-11-10T12:00:00Z' });
    expect(ages).toMatchObject({
      overdueSettlement: { newest: '2026-11-09T22:00:00Z', due: '2026-11-24' },
      hasEarlierTrade: true,
    });
  });

  it('of dated contracts allow for a holiday, but say of which session the settlement is', () => {
    const day = { settled: '2026-11-23T22:00:00Z' };
    expect(agesOf({ ...day, type: 'future' })).toEqual({ ...NO_AGES, hasEarlierSettlement: true });
    expect(agesOf(day)?.overdueSettlement).toEqual({ newest: '2026-11-23T22:00:00Z', due: '2026-11-24' });
  });

  it('call a trade before the newest settled session earlier, however long ago the product last traded', () => {
    expect(
      ['2026-11-24T21:59:59Z', '2026-11-23T22:00:00Z', '2026-11-23T21:59:59Z', '2026-10-01T12:00:00Z'].map(
        (traded) => agesOf({ type: 'option', traded })?.hasEarlierTrade,
      ),
    ).toEqual([false, false, true, true]);
    expect(agesOf({ type: 'option', traded: '2026-10-01T12:00:00Z' })?.overdueSettlement).toBeNull();
  });
});
