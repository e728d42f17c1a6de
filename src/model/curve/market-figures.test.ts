import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toDecimal } from '../units/decimal.ts';
import { asContracts, toQuantity } from '../units/quantity.ts';
import { createFigureJoin, type CurveReadings, findFuturesSession } from './market-figures.ts';
import type { MarketRow } from '../markets/market-rows.ts';
import { TEST_SOURCE as source } from '#testing/test-source.ts';
import { NO_CHANGES } from '../markets/price-change-names.ts';

const FRIDAY = '2026-08-14T21:00:00Z' as Instant;
const SESSION = '2026-08-14' as Day;

const common = { product_status: 'active', contract_size_unit: 'BTC', contract_size: 1, price_increment: 5 };
const directory = [
  { ...common, product_id: 1, symbol: 'PERP', type: 'perpetual' },
  { ...common, product_id: 2, symbol: 'BUSZ26', type: 'future', final_settle_time: '2026-12-25T22:00:00Z' },
] as unknown as readonly DeskProduct[];

const PERPETUAL: Partial<MarketRow> = { product: { type: 'perpetual' } as DeskProduct };

const settled = (id: number, ticks: number, at: string = FRIDAY): ProductData =>
  ({
    ...Object.fromEntries(Object.keys(sampleResponses.productData).map((field) => [field, null])),
    product_id: id,
    settlement_price: ticks,
    settlement_time: at,
  }) as unknown as ProductData;

const interest = (date: string, contracts: number): VOIDataPoint =>
  ({ productId: 2, date, openInterest: contracts }) as unknown as VOIDataPoint;

function rowOf(changes: Partial<MarketRow> = {}): MarketRow {
  const contracts = (value: number) =>
    toQuantity({ source, dataTime: SESSION }, interest(SESSION, value), 'openInterest', asContracts);
  return {
    productId: 2,
    product: directory[1],
    settlement: null,
    settlementTime: FRIDAY,
    openInterest: contracts(149),
    openInterestDate: SESSION,
    volume: contracts(24),
    volumeMissingBecause: null,
    changes: NO_CHANGES,
    ...changes,
  } as MarketRow;
}

function figuresOf(row: MarketRow, readings: Partial<CurveReadings> = {}) {
  const [joined] = createFigureJoin({
    directory,
    doubts: [],
    day: SESSION,
    session: { ...source, value: [settled(1, 21_750), settled(2, 22_270)] },
    isVolumeAwaited: false,
    voi: { ...source, value: [interest('2026-08-13', 140), interest('2026-08-14', 149)] },
    ...readings,
  })([row]);
  return Object.fromEntries(
    Object.entries(joined?.changes ?? {}).map(([name, figure]) => [
      name,
      figure?.missingBecause ?? figure?.quantity.withheld ?? figure?.quantity.value?.toFixed(6) ?? null,
    ]),
  );
}

it('the basis is against the perpetual in the session in which futures settled last', () => {
  expect(
    findFuturesSession([rowOf(), rowOf({ ...PERPETUAL, settlementTime: '2026-08-16T21:00:00Z' as Instant })]),
  ).toBe(SESSION);
  expect(figuresOf(rowOf())).toEqual({
    ...{ basisUsd: '2600.000000', basis: '0.023908', basisYear: '0.065592' },
    ...{ interestChange: '9.000000', turnover: '0.161074' },
  });
});

it('figures are pending until what they need has been read, and say why it could not be', () => {
  const pending = figuresOf(rowOf(), { session: undefined, voi: undefined });
  expect([pending['basis'], pending['interestChange']]).toEqual([null, null]);
  expect([
    figuresOf(rowOf({ openInterest: null }), { voi: undefined })['turnover'],
    figuresOf(rowOf({ volume: null }), { isVolumeAwaited: true })['turnover'],
    figuresOf(rowOf({ volume: null, volumeMissingBecause: 'No row.' }))['turnover'],
  ]).toEqual([null, null, 'No row.']);
  const failed = { missingBecause: 'No connection.' };
  expect(figuresOf(rowOf(), { session: failed, voi: failed })).toMatchObject({
    ...{ basisUsd: 'No connection.', basis: 'No connection.', basisYear: 'No connection.' },
    interestChange: 'No connection.',
  });
});

it('a basis in doubt is withheld for the reason why a settlement is', () => {
  expect(figuresOf(rowOf(), { doubts: [[1, 'The tick size of PERP is wrong.']] })['basis']).toBe(
    'The tick size of PERP is wrong.',
  );
  const settlement = {
    value: null,
    unit: 'USD',
    withheld: 'The tick size of BUSZ26 is wrong.',
    provenance: {},
  } as never;
  expect(figuresOf(rowOf({ settlement }))['basis']).toBe('The tick size of BUSZ26 is wrong.');
});

it('settlements of different times have no basis', () => {
  const session = { ...source, value: [settled(1, 21_750, '2026-08-14T20:00:00Z'), settled(2, 22_270)] };
  expect(figuresOf(rowOf(), { session })['basisUsd']).toContain('a basis needs both settlements of the same minute');
});

it('open interest that is missing, or zero, makes no change and no ratio', () => {
  const voi = { ...source, value: [interest('2026-08-12', 140)] };
  expect(figuresOf(rowOf(), { voi })['interestChange']).toBe(
    'The exchange has published no open interest of 13 Aug 2026 for this product.',
  );
  const zero = { ...rowOf().openInterest, value: toDecimal('0') } as MarketRow['openInterest'];
  expect(figuresOf(rowOf({ openInterest: zero }))['turnover']).toBeNull();
  expect(figuresOf(rowOf({ openInterest: null }))['turnover']).toBe('The exchange has published no open interest.');
});
