import { expect, test } from 'vitest';
import type { ApiResponse } from '#model/response.ts';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Estimate } from '#model/funding/estimate.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { findNonFinite } from '#testing/find-non-finite.ts';
import { listOddities } from '#testing/odd-values.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toPriceData } from '#model/charts/price/price-data.ts';
import { describeVolatility, summarisePrices } from '#model/charts/price/price-summary.ts';
import { findPercentBase, toPriceChartData } from '#model/charts/price/price-chart.ts';
import { COMPARED_AS } from '#model/charts/price/compared-as.ts';
import { compareProducts } from '#model/charts/price/comparison.ts';
import { summariseComparison, toComparisonChartData } from '#model/charts/price/comparison-chart.ts';
import { toPriceFacts, type HeaderResponses } from '#model/tables/price/price-facts.ts';
import { TEST_SOURCE } from '#testing/test-source.ts';

const named = {
  id: 5_599,
  name: 'PBTC',
  product: { ...sampleResponses.productSpec, product_id: 5_599, type: 'perpetual' },
} as unknown as NamedProduct;

/** Reads one product and one day, so that figures of all endpoints meet; undefined if nothing is left. */
function read(name: EndpointName, text = JSON.stringify(sampleResponses[name])): ApiResponse<never> | undefined {
  const joined = text.replaceAll(/\b(1547|1602)\b/g, '5599').replaceAll('2025-12-14', '2026-08-17');
  const { value, setAside } = createParser(ENDPOINTS[name].response).tolerant(joined);
  return value === null
    ? undefined
    : ({ ...TEST_SOURCE, value, setAside, endpoint: name } as unknown as ApiResponse<never>);
}

const RESPONSES: HeaderResponses = {
  data: read('productData'),
  prices: read('chartPrice'),
  voi: read('chartVoi'),
  stats: read('trailingStats'),
  sessions: null,
  funding: read('fundingRates'),
  estimate: { ...(read('fundingEstimated') as object), notCurrent: null } as unknown as Estimate,
  isWholeHistory: true,
  settledSession: null,
};

/** Computes everything on the screen: facts, chart and comparison. */
function compute(changed: Partial<HeaderResponses>): unknown {
  const responses = {
    ...RESPONSES,
    ...changed,
    estimate: changed.estimate === undefined ? RESPONSES.estimate : changed.estimate,
  };
  const data = toPriceData(responses.prices?.value ?? [], responses.voi?.value ?? [], '1D');
  const chartData = toPriceChartData(data, { gaps: 'flat', hasOpenInterest: true, base: findPercentBase(data) });
  const texts = [
    ...chartData.readouts.map(({ text }) => data.slots.map((_, index) => text(index))).flat(),
    summarisePrices(data),
    describeVolatility(data),
  ];
  expect(texts.join()).not.toMatch(/NaN|Infinity/);
  return [toPriceFacts(named, responses), chartData, compareAll(responses.prices)];
}

/** Compares the product with itself in all panes. */
function compareAll(prices: HeaderResponses['prices']): unknown {
  const product = prices && { ...named, name: 'A', prices, running: null };
  const comparison =
    product && compareProducts([product, { ...product, name: 'B' }], { period: '1D', panes: COMPARED_AS });
  if (comparison === undefined || comparison === null) return null;
  const chartData = toComparisonChartData(comparison, { panes: COMPARED_AS, scale: 'linear', isHidden: () => false });
  const texts = chartData.readouts.flatMap(({ text }) => chartData.times.map((_, index) => text(index)));
  expect([...texts, summariseComparison(comparison, COMPARED_AS)].join()).not.toMatch(/NaN|Infinity/);
  return chartData;
}

test.each([
  ['productData', 'data'],
  ['chartPrice', 'prices'],
  ['chartVoi', 'voi'],
  ['trailingStats', 'stats'],
  ['fundingRates', 'funding'],
  ['fundingEstimated', 'estimate'],
] as const)(
  '%s: whatever parsing lets through, facts and chart have neither an exception nor NaN or Infinity',
  (name, part) => {
    expect(findNonFinite(compute({}))).toBeNull();
    for (const { path, json, text } of listOddities(name))
      expect(findNonFinite(compute({ [part]: read(name, text) })), `${path}: ${json}`).toBeNull();
  },
);
