import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import { TEST_SOURCE as source } from '#testing/test-source.ts';
import { describeProvenance } from '../format/provenance.ts';
import { createFundingSeries } from '../funding/funding-series.ts';
import type { FundingPrices } from './basis-over.ts';
import { type CurveDay, measureOver, toCurveDay, toPlotted } from './curve-days.ts';
import type { CurveMetric } from './curve-params.ts';
import { countApart, type CurveRow } from './curve-rows.ts';
import { describeCurve, describeOver } from './describe-curve.ts';

const SETTLED = '2026-11-27T22:00:00Z';

interface Listed {
  readonly settledAt?: string | null;
  /** Of the perpetual. */
  readonly increment?: string;
}

/** A month that settled at 21,583 ticks, and its perpetual, which settled at 21,510. */
function dayOf({ settledAt = SETTLED, increment = '5' }: Listed = {}): CurveDay {
  const directory = parseKeepingDigits(`[
    {"product_id":1,"symbol":"PBTCUCZ50","base_symbol":"BTCUC","type":"perpetual","product_status":"active",
     "contract_size":0.01,"contract_size_unit":"BTC","price_increment":${increment}},
    {"product_id":2,"symbol":"BUSZ26","base_symbol":"BUS","type":"future","product_status":"active","month":"Z",
     "year":2026,"contract_size":1,"contract_size_unit":"BTC","price_increment":5,
     "final_settle_time":"2026-12-25T22:00:00Z"}]`) as readonly DeskProduct[];
  const toRow = (id: number, ticks: number) =>
    `{"product_id":${String(id)},"settlement_price":${settledAt === null ? 'null' : String(ticks)},
      "settlement_time":${JSON.stringify(settledAt)},"open_interest":5,"volume":null,"notional_volume":null,
      "low_price":null,"high_price":null}`;
  const value = parseKeepingDigits(`[${toRow(1, 21_510)},${toRow(2, 21_583)}]`) as readonly ProductData[];
  const day = toCurveDay({ directory, underlying: 'BTC', baseSymbol: 'BUS' }, '2026-11-27' as Day, {
    ...source,
    value,
  });
  if (day === null) throw new Error('No curve');
  return day;
}

/** Settled rates by the ends of their intervals, each with its index and its mark in ticks. */
type Prints = Readonly<Record<string, readonly [index: string, mark: string]>>;

const USUAL: Prints = {
  '2026-11-27T16:00:00Z': ['21400', '21410'],
  '2026-11-28T00:00:00Z': ['21500.5', '21480'],
  '2026-11-28T08:00:00Z': ['21600', '21610'],
};

function fundingOf(more: Partial<FundingPrices> = {}, prints = USUAL): FundingPrices {
  const rows = Object.entries(prints).map(([end, [index, mark]]) => {
    const start = new Date(Date.parse(end) - 8 * 3_600_000).toISOString();
    return `{"product_id":1,"price_index":${index},"mark_price":${mark},"interest_rate":0.0001,"funding_rate":0.0001,
      "interval_start":"${start}","interval_end":"${end}"}`;
  });
  const series = createFundingSeries({
    prints: parseKeepingDigits(`[${rows.join()}]`) as readonly FundingRateData[],
    knownFrom: null,
    reachesLaunch: false,
  });
  const row = { read_at: null } as DeskFunding['perpetuals'][number];
  const rates = { perpetual: { symbol: 'BTCUC', productId: 1, row, series }, source };
  return { over: 'index', mostApart: 180, rates, ...more };
}

function find({ rows }: CurveDay, kind: CurveRow['kind']): CurveRow {
  return rows.find((each) => each.kind === kind) ?? expect.fail(kind);
}

const monthOver = (over: FundingPrices, listed: Listed = {}): CurveRow =>
  find(measureOver(dayOf(listed), over), 'month');

describe('the basis over index or mark', () => {
  // (107,915 − ticks × 5 USD) ÷ (ticks × 5 USD) × 525,600 ÷ 40,320 minutes, by exact fractions.
  it.each([
    ['index', '412.5', '0.00383712006697518662', '0.05001960087306939706'],
    ['mark', '515', '0.00479515828677839851', '0.06250831338121840915'],
  ] as const)('is that of the nearest funding time, over the %s', (over, usd, fraction, aYear) => {
    const month = monthOver(fundingOf({ over }));
    expect([month.usd?.value?.toFixed(), month.near?.at, countApart(month)]).toEqual([
      usd,
      '2026-11-28T00:00:00Z',
      120,
    ]);
    expect([month.fraction, month.aYear].map((each) => each?.value?.toFixed(20))).toEqual([fraction, aYear]);
  });

  it('names both prices with their times, and how far apart they are', () => {
    const { usd } = monthOver(fundingOf());
    expect(usd && describeProvenance(usd, String).map(({ value }) => value)).toEqual([
      'Settlement of BUSZ26 − index of PBTCUCZ50, 2 h 00 min apart',
      expect.stringContaining('settlement_price = 21583'),
      expect.stringMatching(/prints\.price_index = 21500\.5 .*2026-11-28T00:00:00Z/),
    ]);
    const day = measureOver(dayOf(), fundingOf());
    expect(describeOver(day)).toBe('Index of 28 Nov 2026, 00:00 UTC, 2 h 00 min from the settlement.');
  });

  it.each([
    [SETTLED, '21500.5', 'Z26 settled 5.00 % a year over the index of 2 h 00 min later, which includes'],
    [SETTLED, '21700', 'Z26 settled 7.03 % a year under the index of 2 h 00 min later, which includes'],
    [SETTLED, '21583', 'Z26 settled at the index of 2 h 00 min later, which includes what the market moved meanwhile'],
    [
      '2026-11-27T17:30:00Z',
      '21500.5',
      'Z26 settled 4.97 % a year over the index of 1 h 30 min earlier, which includes',
    ],
    ['2026-11-27T16:00:59Z', '21500.5', 'Contango: longs of Z26 pay 4.96 % a year over the index of the perpetual'],
  ])('settled at %s says who pays only over an index of that minute', (settledAt, index, headline) => {
    const over = fundingOf({}, { '2026-11-27T16:00:00Z': [index, index], '2026-11-28T00:00:00Z': [index, index] });
    expect(describeCurve(measureOver(dayOf({ settledAt }), over))).toContain(headline);
  });

  it('is at zero where the perpetual is, unless the index is missing', () => {
    const plottedOver = (over: FundingPrices, metric: CurveMetric) =>
      toPlotted(measureOver(dayOf(), over).rows, metric)[0];
    expect(plottedOver(fundingOf(), 'aYear')).toBe(0);
    expect(plottedOver(fundingOf({}, {}), 'aYear')).toBeNull();
    expect(plottedOver(fundingOf({}, {}), 'settlement')).toBe(107_550);
  });

  it('is not drawn alone where every month is refused, and nothing is said of contango', () => {
    const day = measureOver(dayOf(), fundingOf({ mostApart: 60 }));
    expect(toPlotted(day.rows, 'aYear').filter((value) => value !== null)).toEqual([]);
    expect(describeCurve(day)).toBe('No basis over the index of the perpetual');
  });

  it('is that of the earlier of two funding times that are as near', () => {
    const listed = { settledAt: '2026-11-27T20:00:00Z' };
    const month = monthOver(fundingOf({ mostApart: 240 }), listed);
    expect([month.near?.at, month.usd?.value?.toFixed()]).toEqual(['2026-11-27T16:00:00Z', '915']);
  });
});

describe('there is no basis over an index', () => {
  const whyNot = (over: FundingPrices, listed: Listed = {}): unknown => {
    const { usd, fraction, aYear, refusedBecause } = monthOver(over, listed);
    expect([usd, fraction, aYear]).toEqual([null, null, null]);
    return refusedBecause;
  };

  it('further from the settlement than allowed, to the minute', () => {
    expect(whyNot(fundingOf({ mostApart: 119 }))).toBe(
      'The nearest known index of PBTCUCZ50 is of 28 Nov 2026, 00:00 UTC, 2 h 00 min from the settlement of ' +
        '27 Nov 2026, 22:00 UTC: more than the 1 h 59 min allowed.',
    );
    expect(monthOver(fundingOf({ mostApart: 120 })).refusedBecause).toBeNull();
  });

  it('until the rate of the nearest funding time has settled', () => {
    expect(whyNot(fundingOf({}, { '2026-11-27T16:00:00Z': ['21400', '21410'] }))).toContain(
      '27 Nov 2026, 16:00 UTC, 6 h 00 min',
    );
    expect(whyNot(fundingOf({}, {}))).toBe('No settled rate of PBTCUCZ50 is known, so there is no index.');
    expect(whyNot(fundingOf({ rates: { missingBecause: 'They are being read.' } }))).toBe('They are being read.');
  });

  it('of a month without a settlement, nor with an index or a tick size that is in doubt', () => {
    expect(whyNot(fundingOf(), { settledAt: null })).toBe('BUSZ26 has no settlement of 27 Nov 2026.');
    const at: Instant = '2026-11-28T00:00:00Z' as Instant;
    expect(whyNot(fundingOf({}, { [at]: ['0', '21480'] }))).toBe(
      'PBTCUCZ50: Impossible value: expected more than 0, found 0.',
    );
    expect(whyNot(fundingOf(), { increment: '50' })).toBe(
      'BUSZ26 settled at 107,915 USD and the index of PBTCUCZ50 at 1,075,025 USD, a factor of 9.96: ' +
        'one of the tick sizes must be wrong.',
    );
  });
});
