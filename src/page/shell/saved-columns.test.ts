// Each column of each file is explained in docs/data.md, and the document has no others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toRateChartCsv } from '#model/charts/funding/rate-chart.ts';
import {
  computeIndicators,
  computeRateIndicators,
  toColumns,
  toRateColumns,
} from '#model/charts/indicators/draw-indicators.ts';
import {
  firstOf,
  PERPETUAL_INDICATORS,
  RATE_INDICATORS,
  readIndicators,
} from '#model/charts/indicators/indicator-spec.ts';
import { toRatesCsv } from '#model/charts/funding/rates-chart.ts';
import { toComparisonCsv } from '#model/charts/price/comparison-csv.ts';
import { toObservedCsv } from '#model/charts/price/observed-chart.ts';
import { toPriceCsv } from '#model/charts/price/price-csv.ts';
import { toCarryMonthsCsv } from '#model/curve/carry-csv.ts';
import { toCurveCsv } from '#model/curve/curve-csv.ts';
import { toExpiriesCsv } from '#model/curve/expiry-csv.ts';
import { toSpreadRowsCsv } from '#model/curve/spread-csv.ts';
import { toCarryCsv } from '#model/tables/funding/carry.ts';
import { toCompareHeading } from '#model/tables/funding/compare-csv.ts';
import { toHeatmapCsv } from '#model/tables/funding/heatmap.ts';
import { toPredictedPathCsv } from '#model/charts/funding/predicted-path-csv.ts';
import { toPredictedRatesCsv } from '#model/tables/funding/predictions.ts';
import { toSpreadCsv } from '#model/charts/funding/spread-csv.ts';
import { LATER_FIGURES } from '#model/markets/price-change-names.ts';
import { toMarketHeading } from '#model/tables/markets/market-csv.ts';
import { toAddedColumns } from '#model/tables/orders/differences.ts';
import { toExposureCsv } from '#model/tables/orders/exposure.ts';
import { toLifeCsv } from '#model/tables/orders/life-csv.ts';
import { toOrderHeading } from '#model/tables/orders/order-csv.ts';
import { endpointRowsToCsv } from '#model/tables/status/endpoint-rows.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { toChangesCsv, toCountsCsv } from '#page/screens/orders/activity/activity-csv.ts';
import { toVolumeBarsCsv, toVolumeCsv } from '#page/screens/volume/chart/volume-csv.ts';

/** Headings depend on none of these values. */
const source = { receivedAt: 0 };
const activity = { from: null, to: null, gaps: [], groups: [] };
const empty = {
  ...{ source, receivedAt: 0, slots: [], payments: [], perpetual: {}, common: [], window: {}, sources: {} },
  ...{ perpetuals: [], rows: [], fundingTimes: [], filters: [], differences: new Map(), completeness: {} },
  ...{ side: 'market', scope: {}, activity },
} as never;
const position = { contracts: toDecimal('1'), contractSize: toDecimal('1'), increment: toDecimal('1') } as never;
const headingOf = (csv: string): readonly string[] => csv.trim().split(',');

/** The indicators of prices and of rates, each with its first parameters. */
const { specs } = readIndicators(PERPETUAL_INDICATORS.slice(0, 8).map(firstOf), PERPETUAL_INDICATORS);
const others = readIndicators(PERPETUAL_INDICATORS.slice(8).map(firstOf), PERPETUAL_INDICATORS);
const rates = readIndicators(RATE_INDICATORS.map(firstOf), RATE_INDICATORS);
const shown = { data: { slots: [], period: '1D' }, since: '' } as never;
const history = { points: [], voi: [] };
const funding = { source, slots: [] } as never;

const HEADINGS: readonly (readonly string[])[] = [
  toMarketHeading(LATER_FIGURES),
  headingOf(toPriceCsv(empty, empty, { prices: empty, voi: undefined })),
  toColumns({ ofPrices: computeIndicators(shown, history, specs, 'perpetual'), ofFunding: null }, specs).heading,
  toColumns({ ofPrices: computeIndicators(shown, history, [], 'perpetual'), ofFunding: funding }, others.specs).heading,
  toRateColumns(computeRateIndicators([], rates.specs, 'market')).heading,
  headingOf(toComparisonCsv([])),
  headingOf(
    toCarryMonthsCsv({
      curve: { months: [] },
      funding: null,
      days: '30',
      terms: { unit: 'year' },
      prices: source,
      rates: null,
    } as never),
  ),
  headingOf(toSpreadRowsCsv([], source as never)),
  headingOf(toExpiriesCsv([], [], null, null)),
  headingOf(toCurveCsv([])),
  headingOf(toVolumeCsv({ value: [] } as never, [], 'total')),
  headingOf(toVolumeBarsCsv({ value: [] } as never, [], '1W')),
  toCompareHeading([{ id: '24h' }, { id: 'custom' }], true),
  headingOf(toRatesCsv([], empty)),
  headingOf(toHeatmapCsv(empty)),
  headingOf(toSpreadCsv(empty, empty)),
  headingOf(toRateChartCsv({ data: empty, intervals: [], side: 'market' })),
  headingOf(toObservedCsv([], empty)),
  headingOf(toPredictedPathCsv([], empty)),
  headingOf(toPredictedRatesCsv([], empty, 'full')),
  headingOf(toCarryCsv(empty, empty, position)),
  toOrderHeading('full'),
  toAddedColumns(empty, empty).heading,
  headingOf(toExposureCsv([], empty)),
  headingOf(toLifeCsv('full', [], empty)),
  headingOf(toCountsCsv('full', { ...source, value: activity } as never, {})),
  headingOf(toChangesCsv('full', [], empty)),
  headingOf(endpointRowsToCsv([])),
];

const document =
  readFileSync(join(import.meta.dirname, '../../../docs/data.md'), 'utf8').split('## Old names')[0] ?? '';
const prefixes = /stands before them: ([^.]*)\./.exec(document)?.[1]?.match(/\w+_/g) ?? [];
/** Each entry, as a pattern: `…` is a window, a point or parameters; columns of provenance may have a prefix. */
const entries = [...document.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => ({
  name,
  pattern: new RegExp(
    `^(?:${['', ...prefixes].join('|')})${name.replace('_point_…', '_point_\\d+').replace('…', '(?:24h|custom|[\\d._]+)')}(?:_raw)?$`,
  ),
}));

it('each column of each file has an entry', () => {
  for (const heading of HEADINGS)
    expect(heading.filter((column) => !entries.some(({ pattern }) => pattern.test(column)))).toEqual([]);
});

it('no column is twice in one file', () => {
  for (const heading of HEADINGS) expect(heading.filter((column, at) => heading.indexOf(column) !== at)).toEqual([]);
});

it('each entry is a column of a file', () => {
  const columns = HEADINGS.flat();
  expect(
    entries.filter(({ pattern }) => !columns.some((column) => pattern.test(column))).map(({ name }) => name),
  ).toEqual([]);
});
