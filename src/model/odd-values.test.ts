import { expect, test } from 'vitest';
import { DeskProducts } from '#contract/desk/desk.ts';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Static } from '#contract/exchange/schema.ts';
import { findNonFinite } from '#testing/find-non-finite.ts';
import { listOddities } from '#testing/odd-values.ts';
import { toRows } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { TEST_SOURCE } from '#testing/test-source.ts';
import { computeCarry, estimateCarry, type CarryPosition } from './funding/carry.ts';
import { createFundingSeries } from './funding/funding-series.ts';
import { listFundingTimes, measureWindow, toWindow } from './funding/funding-window.ts';
import { toHeatmapCells } from './funding/heatmap-cells.ts';
import { type MarketResponses, toMarketRows, toMarketTotals } from './markets/market-rows.ts';
import { toOrderDepth, toSpread } from './orders/order-depth.ts';
import { toFilledNotional, toFilledShare, toNotional, toRemaining } from './orders/order-figures.ts';
import { toAgeSeconds, toRowStatus } from './orders/order-row.ts';
import { toOrderTotals } from './orders/order-totals.ts';
import { isSettled, toDailyBars, toPeriodBars } from './price/bars.ts';
import { toRangeStatistics, toReturns } from './price/change.ts';
import { withholdImpossiblePrices } from './price/withheld-prices.ts';
import type { Sourced } from './response.ts';
import { toDecimal } from './units/decimal.ts';
import { toVoiBars } from './voi/voi-bars.ts';

type ResponseOf<Name extends EndpointName> = Static<(typeof ENDPOINTS)[Name]['response']>;

/** All rows are of one perpetual and one day, so that the figures of all endpoints are joined. */
function join(text: string): string {
  return text
    .replaceAll(/\b(1547|1602)\b/g, '5599')
    .replaceAll('2025-12-14', '2026-08-17')
    .replaceAll('"future"', '"perpetual"');
}

function sourced<T>(value: T): Sourced<T> {
  return { ...TEST_SOURCE, endpoint: 'test', value };
}

/** Reads the data of the models: the rows that the parser accepts. */
function read<Name extends EndpointName>(
  name: Name,
  text = JSON.stringify(sampleResponses[name]),
): Sourced<ResponseOf<Name>> | undefined {
  const { value } = createParser(ENDPOINTS[name].response).tolerant(join(text));
  return value === null ? undefined : sourced(value as ResponseOf<Name>);
}

function readProducts(text = JSON.stringify(sampleResponses.productSpecs)): MarketResponses['products'] {
  const { value } = createParser(DeskProducts, 'products').tolerant(
    `{"source":"product/specs","read_at":"2026-08-17T00:00:00Z","products":${join(text)}}`,
  );
  return sourced(value ?? expect.fail('no products'));
}

const market = (changed: Partial<MarketResponses>): unknown => {
  const responses: MarketResponses = {
    products: readProducts(),
    trailing: read('trailingStatsAll'),
    voi: read('chartVoi'),
    funding: read('fundingRates'),
    data: read('productDataAll'),
    sessions: [],
    ...changed,
  };
  const rows = toMarketRows(responses);
  return [rows, toMarketTotals(rows, 'openInterestUsd')];
};

const POSITION: CarryPosition = {
  side: 'long',
  contracts: toDecimal('7'),
  contractSize: toDecimal('0.01'),
  increment: toDecimal('5'),
  price: 'price_index',
};

function toFunding(prints: ResponseOf<'fundingRates'>['data']): unknown {
  const series = createFundingSeries({ prints, knownFrom: null, reachesLaunch: true });
  const window = toWindow(7, series.endsAt ?? 0);
  const carries = (['price_index', 'mark_price'] as const).map((price) =>
    computeCarry(series, window, { ...POSITION, price }),
  );
  return [
    series.faults,
    series.drawn,
    series.signs,
    measureWindow(series, window),
    carries,
    toHeatmapCells(series, listFundingTimes(window, series.endsAt ?? 0)),
  ];
}

function toOrders(orders: ResponseOf<'ordersWorking'>): unknown {
  const rows = toRows(orders);
  const depth = toOrderDepth(rows);
  const figures = rows.map((row) => [
    toRemaining(row),
    toNotional(row),
    toFilledNotional(row),
    toFilledShare(row),
    toAgeSeconds(row),
    toRowStatus(row),
  ]);
  return [toOrderTotals(rows), depth, toSpread(depth), figures];
}

function toPrices(points: ResponseOf<'chartPrice'>): unknown {
  const bars = toDailyBars(withholdImpossiblePrices(points, { type: 'perpetual' }));
  return [bars, toPeriodBars([...bars, ...bars], '1W'), toRangeStatistics(bars), toReturns(bars.filter(isSettled))];
}

function toVoi(rows: ResponseOf<'chartVoi'>): unknown {
  return toVoiBars(rows, '1W').map(({ volume, volumeUsd, openInterest, openInterestUsd, drawnOpenInterest }) => [
    volume,
    volumeUsd,
    openInterest,
    openInterestUsd,
    drawnOpenInterest,
  ]);
}

function toPredicted(estimate: ResponseOf<'fundingEstimated'>): unknown {
  const prints = read('fundingRates')?.value.data ?? [];
  return estimateCarry(
    createFundingSeries({ prints, knownFrom: null, reachesLaunch: true }),
    POSITION,
    toDecimal(String(estimate.funding_rate)),
  );
}

/** The models of the screens that use an endpoint. */
const MODELS: Partial<Record<EndpointName, (text: string) => unknown>> = {
  chartPrice: (text) => toPrices(read('chartPrice', text)?.value ?? []),
  chartVoi: (text) => [toVoi(read('chartVoi', text)?.value ?? []), market({ voi: read('chartVoi', text) })],
  fundingRates: (text) => [
    toFunding(read('fundingRates', text)?.value.data ?? []),
    market({ funding: read('fundingRates', text) }),
  ],
  fundingEstimated: (text) =>
    [read('fundingEstimated', text)].map((estimate) => estimate && toPredicted(estimate.value)),
  ordersWorking: (text) => toOrders(read('ordersWorking', text)?.value ?? []),
  trailingStatsAll: (text) => market({ trailing: read('trailingStatsAll', text) }),
  productSpecs: (text) => market({ products: readProducts(text) }),
  productDataAll: (text) => market({ data: read('productDataAll', text) }),
};

function findProblem(compute: (text: string) => unknown, text: string): string | null {
  try {
    return findNonFinite(compute(text));
  } catch (error) {
    return String(error);
  }
}

test.each(Object.keys(MODELS) as (keyof typeof MODELS)[])(
  '%s: from what parsing lets through, models are computed without an exception, NaN or Infinity',
  (name) => {
    const compute = MODELS[name] ?? expect.fail(name);
    expect(findProblem(compute, JSON.stringify(sampleResponses[name]))).toBeNull();
    const problems = listOddities(name).flatMap(({ path, json, text }) => {
      const problem = findProblem(compute, text);
      return problem === null ? [] : [`${path}: ${json.slice(0, 30)}: ${problem}`];
    });
    expect(problems).toEqual([]);
  },
);
