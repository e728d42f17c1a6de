import { describe, expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import {
  createEstimateJoin,
  type MarketResponses,
  type MarketRow,
  toMarketRows,
  toMarketTotals,
} from './market-rows.ts';
import { DeskProducts } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Static, TSchema } from '#contract/exchange/schema.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { TEST_SOURCE } from '#testing/test-source.ts';
import type { Sourced } from '../response.ts';

function row(type: string | undefined, usd: string | null): MarketRow {
  return {
    product: { type },
    openInterestUsd: { value: usd === null ? null : toDecimal(usd) },
  } as unknown as MarketRow;
}

it('notional, option premium and spread difference have totals apart, each over the products that have a value', () => {
  const rows = [
    row('future', '171.5'),
    row('perpetual', '62'),
    row('option', '4.4'),
    row('spread', '0.2'),
    row('spread', null),
    row(undefined, '1'),
  ];
  expect(
    toMarketTotals(rows, 'openInterestUsd').map(({ kind, value, known, products }) => [
      kind,
      value?.toFixed(),
      known,
      products,
    ]),
  ).toEqual([
    ['notional', '234.5', 3, 3],
    ['option premium', '4.4', 1, 1],
    ['spread difference', '0.2', 1, 2],
  ]);
});

it('there is no total without products, and no value without values', () => {
  expect(toMarketTotals([], 'volumeUsd')).toEqual([]);
  expect(toMarketTotals([row('option', null)], 'openInterestUsd')).toEqual([
    { kind: 'option premium', value: null, known: 0, products: 1 },
  ]);
});

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

const spec = sampleResponses.productSpec;
const shiba = {
  ...spec,
  product_id: 5599,
  symbol: 'PSHBUNZ50',
  base_symbol: 'SHBUN',
  type: 'perpetual',
  contract_size: 100_000,
  contract_size_unit: 'SHIB',
  price_increment: 0.000_002,
};
const bitcoin = {
  ...spec,
  product_id: 5614,
  symbol: 'PBTCUCZ50',
  base_symbol: 'BTCUC',
  type: 'perpetual',
  contract_size: 0.01,
  price_increment: 5,
};
const spread = {
  ...spec,
  product_id: 15_256,
  symbol: 'BUSX26-BUSF27',
  type: 'spread',
  price_increment: 5,
  contract_size: 1,
};
const gone = { ...spec, product_id: 1, product_status: 'expired' };

const data = { ...sampleResponses.productData, settlement_time: '2026-11-19T22:00:00Z' };
const voi = { ...sampleResponses.chartVoi[0], date: '2026-11-19' };
const print = sampleResponses.fundingRates.data[0];

const responses: MarketResponses = {
  products: sourced(
    'desk/products',
    DeskProducts,
    { source: 'product/specs', read_at: '2026-11-20T00:00:00Z', products: [shiba, bitcoin, spread, gone] },
    'products',
  ),
  trailing: sourced('trailingStatsAll', ENDPOINTS.trailingStatsAll.response, [
    { productId: 5599, volume: 91_246, notionalVolume: 210_426 },
    { productId: 5614, volume: null, notionalVolume: null },
  ]),
  voi: sourced('chartVoi', ENDPOINTS.chartVoi.response, [
    { ...voi, productId: 5599, openInterest: 117_880, notionalOpenInterest: 27_409_458 },
    { ...voi, productId: 5599, date: '2026-11-20', openInterest: null, notionalOpenInterest: null },
    { ...voi, productId: 5614, openInterest: 10, notionalOpenInterest: 1_145_850 },
    { ...voi, productId: 15_256, openInterest: 10, notionalOpenInterest: 630_000 },
  ]),
  funding: sourced('fundingRates', ENDPOINTS.fundingRates.response, {
    data: [
      { ...print, product_id: 5614, funding_rate: 0.0001, mark_price: 23_000 },
      {
        ...print,
        product_id: 5614,
        funding_rate: 0.0009,
        interval_start: '2026-08-16T16:00:00Z',
        interval_end: '2026-08-17T00:00:00Z',
      },
    ],
    pagination: {},
  }),
  sessions: [],
  data: sourced('productDataAll', ENDPOINTS.productDataAll.response, [
    { ...data, product_id: 5599, last_price: 11_431, settlement_price: 11_447, price_change: -16 },
    { ...data, product_id: 5614, last_price: 23_809, settlement_price: 22_917, price_change: 892 },
    {
      ...data,
      product_id: 15_256,
      last_price: null,
      last_price_time: null,
      settlement_price: -126,
      price_change: null,
    },
  ]),
};

function rowOf(symbol: string, given: MarketResponses = responses): MarketRow {
  const row = toMarketRows(given).find(({ product }) => product.symbol === symbol);
  if (row === undefined) throw new Error(`no row of ${symbol}`);
  return row;
}

describe('toMarketRows', () => {
  it('has all active products in the order of the directory', () => {
    expect(toMarketRows(responses).map(({ product }) => product.symbol)).toEqual([
      'PSHBUNZ50',
      'PBTCUCZ50',
      'BUSX26-BUSF27',
    ]);
  });

  it('converts ticks where the tick size passes its check', () => {
    const row = rowOf('PBTCUCZ50');
    expect(row.check.verdict).toBe('agrees');
    expect(
      [row.last, row.settlement, row.change, row.changeFraction].map((quantity) =>
        quantity?.value?.toDecimalPlaces(8).toFixed(),
      ),
    ).toEqual(['119045', '114585', '4460', '0.03892307']);
    expect(row.last?.provenance).toMatchObject({
      kind: 'read',
      field: 'last_price',
      wireText: '23809',
      factor: '5',
      dataTime: row.lastTime,
    });
    expect(row.settlement?.provenance).toMatchObject({
      kind: 'read',
      wireText: '22917',
      factor: '5',
      spec: { productId: 5614, wireText: '5' },
    });
  });

  it('withholds prices with the reason where the tick size is wrong, and shows figures that do not need it', () => {
    const row = rowOf('PSHBUNZ50');
    expect(row.check.verdict).toBe('off');
    for (const quantity of [row.last, row.settlement, row.change])
      expect(quantity).toMatchObject({
        value: null,
        withheld: expect.stringMatching(/tick size.*contradict each other by a factor of 1,000/) as string,
      });
    expect(row.changeFraction?.value?.toFixed(6)).toBe('-0.001398');
  });

  it('withholds prices until open interest has been read', () => {
    const row = rowOf('PSHBUNZ50', { ...responses, voi: undefined });
    expect(row.check.verdict).toBe('pending');
    expect([row.last, row.settlement, row.change]).toMatchObject(
      Array.from({ length: 3 }, () => ({ value: null, withheld: row.check.reason })),
    );
  });

  it('compares a spread’s settlement with its value by magnitude, and keeps the sign', () => {
    const row = rowOf('BUSX26-BUSF27');
    expect(row.check.verdict).toBe('agrees');
    expect(row.settlement?.value?.toFixed()).toBe('-630');
    expect([row.change, row.changeFraction, row.funding]).toEqual([null, null, null]);
    expect(row.trend).toEqual([]);
  });

  it('keeps nulls: without trades there is no value', () => {
    expect(rowOf('PBTCUCZ50').volume).toMatchObject({ value: null, withheld: null });
    expect(rowOf('BUSX26-BUSF27').volume).toBeNull();
    expect(rowOf('BUSX26-BUSF27')).toMatchObject({
      last: { value: null, withheld: null },
      lastTime: null,
      change: null,
    });
  });

  it('says why there is no volume of 24 hours', () => {
    expect(rowOf('PBTCUCZ50').volumeMissingBecause).toBeNull();
    expect(rowOf('BUSX26-BUSF27').volumeMissingBecause).toBe(
      'The exchange’s trailing statistics have no row for this product.',
    );
    expect(rowOf('PBTCUCZ50', { ...responses, trailing: undefined })).toMatchObject({
      volume: null,
      volumeMissingBecause: 'Trailing statistics have not been read.',
    });
  });

  it('withholds a settlement without its time, which no check can use', () => {
    const rows = [{ ...data, product_id: 5614, settlement_time: null }];
    const { settlement, missingBecause } = rowOf('PBTCUCZ50', {
      ...responses,
      data: sourced('productDataAll', ENDPOINTS.productDataAll.response, rows),
    });
    expect([settlement, missingBecause]).toMatchObject([
      {
        value: null,
        withheld: expect.stringMatching(
          'Impossible value: expected no settlement_price without settlement_time',
        ) as unknown,
      },
      null,
    ]);
  });

  it('dates open interest by its own session, not by the latest', () => {
    const row = rowOf('PBTCUCZ50', {
      ...responses,
      voi: sourced('chartVoi', ENDPOINTS.chartVoi.response, [
        { ...voi, productId: 5614, openInterest: 10, notionalOpenInterest: 1_145_850 },
        { ...voi, productId: 5614, date: '2026-11-20', openInterest: null, notionalOpenInterest: null },
      ]),
    });
    expect([row.openInterest?.value?.toFixed(), row.openInterestUsd?.value?.toFixed(2), row.openInterestDate]).toEqual([
      '10',
      '11458.50',
      '2026-11-19',
    ]);
  });

  it('has a trend without a gap where only open interest is missing, with a gap where nothing is known, and the newer settlement at its end', () => {
    const day = (date: string, openInterest: number | null, volume: number | null = 3) => ({
      ...voi,
      productId: 5614,
      date,
      volume,
      openInterest,
      notionalOpenInterest: openInterest && openInterest * 114_585,
    });
    const trendOf = (settlement_time: string, ...days: readonly object[]) => {
      const rows = [{ ...data, product_id: 5614, settlement_price: 22_917, settlement_time }];
      return rowOf('PBTCUCZ50', {
        ...responses,
        voi: sourced('chartVoi', ENDPOINTS.chartVoi.response, days),
        data: sourced('productDataAll', ENDPOINTS.productDataAll.response, rows),
      }).trend;
    };
    const days = [
      day('2026-11-17', 10),
      day('2026-11-18', null),
      day('2026-11-19', null, null),
      day('2026-11-20', 10),
      day('2026-11-21', null),
    ];
    expect(trendOf('2026-11-20T22:00:00Z', ...days)).toEqual([114_585, null, 114_585]);
    expect(trendOf('2026-11-21T22:00:00Z', ...days)).toEqual([114_585, null, 114_585, 114_585]);
  });

  it('has the settled and the predicted rate, each with its simple APR', () => {
    const estimate = {
      ...sourced('fundingEstimated', ENDPOINTS.fundingEstimated.response, sampleResponses.fundingEstimated),
      notCurrent: 'The venue is away.',
    };
    const [row] = createEstimateJoin()([rowOf('PBTCUCZ50')], new Map([['BTCUC', estimate]]));
    const funding = row?.funding;
    expect(
      [funding?.settled, funding?.settledApr, funding?.estimate, funding?.estimateApr].map((quantity) =>
        quantity?.value?.toFixed(),
      ),
    ).toEqual(['0.0001', '0.1095', '-0.00031', '-0.33945']);
    expect(funding).toMatchObject({
      settledAt: '2026-08-17T08:00:00Z',
      estimateNotCurrent: 'The venue is away.',
      interval: { interval_end: '2026-08-18T00:00:00Z' },
    });
    expect(rowOf('PSHBUNZ50').funding).toEqual({
      settled: null,
      settledApr: null,
      settledAt: null,
      interest: null,
      settledDoubt: null,
      estimate: null,
      estimateApr: null,
      estimateDoubt: null,
      estimateNotCurrent: null,
      interval: null,
    });
  });

  it('keeps the row object where the predicted rate is unchanged or missing', () => {
    const read = sourced('fundingEstimated', ENDPOINTS.fundingEstimated.response, sampleResponses.fundingEstimated);
    const addEstimates = createEstimateJoin();
    const rows = toMarketRows(responses);
    const withReason = (notCurrent: string | null) => addEstimates(rows, new Map([['BTCUC', { ...read, notCurrent }]]));
    const [first, again, late] = [withReason(null), withReason(null), withReason('The venue is away.')];
    expect(first.map((row, index) => row === rows[index])).toEqual([true, false, true]);
    expect(again.map((row, index) => row === first[index])).toEqual([true, true, true]);
    expect(late.map((row) => row.funding?.estimateNotCurrent ?? null)).toEqual([null, 'The venue is away.', null]);
  });

  it('checks the tick size against the last day with open interest', () => {
    const days = sourced('chartVoi', ENDPOINTS.chartVoi.response, [
      { ...voi, productId: 5599, openInterest: 117_880, notionalOpenInterest: 27_409_458 },
      { ...voi, productId: 5599, date: '2026-11-20', openInterest: 0, notionalOpenInterest: 0 },
    ]);
    const row = rowOf('PSHBUNZ50', { ...responses, voi: days });
    expect([row.check.verdict, row.settlement?.value ?? null, row.change?.value ?? null]).toEqual(['off', null, null]);
  });

  it('has rows with the directory alone', () => {
    const row = rowOf('PBTCUCZ50', { products: responses.products, sessions: null });
    expect(row).toMatchObject({
      last: null,
      settlement: null,
      change: null,
      changeFraction: null,
      volume: null,
      openInterest: null,
      check: { verdict: 'pending' },
      missingBecause: expect.stringContaining('have not been read') as string,
      trend: [],
    });
  });

  it('works without tick sizes where a venue publishes no specifications', () => {
    const learnt = {
      source: 'learnt from other answers',
      read_at: '2026-11-20T00:00:00Z',
      products: [{ product_id: 5614, symbol: 'PBTCUCZ50' }],
    };
    const row = rowOf('PBTCUCZ50', {
      ...responses,
      products: sourced('desk/products', DeskProducts, learnt, 'products'),
    });
    expect([row.last, row.settlement, row.change]).toEqual([null, null, null]);
    expect(row.changeFraction?.value?.toFixed(4)).toBe('0.0389');
    expect(row.funding?.settled?.value?.toFixed()).toBe('0.0001');
  });

  it('checks the tick size against a perpetual’s mark where there are no trading data', () => {
    const marked = { data: [{ ...print, product_id: 5599, mark_price: 11_431 }], pagination: {} };
    const given = {
      ...responses,
      data: undefined,
      funding: sourced('fundingRates', ENDPOINTS.fundingRates.response, marked),
    };
    expect(rowOf('PSHBUNZ50', given).check.verdict).toBe('off');
  });
});
