import type { ApiResponse } from '#model/response.ts';
import type { Api } from '#page/client/create-api.ts';
import { ifOffered, readSettledSessions } from '#page/client/read-daily.ts';
import type { EvidenceContent, EvidenceSubject } from '#model/evidence/evidence.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { toChartDoubts, whyWithheld } from '#model/checks/judge-prices.ts';
import { findProduct, type NamedProduct } from '#model/products/product-directory.ts';
import { withholdDoubtful, withholdImpossiblePrices } from '#model/price/withheld-prices.ts';
import { toRunningSession, type RunningSession } from '#model/price/running-session.ts';
import type { Period, RequestedRange } from '#model/time/date-range.ts';
import { byIncrement } from '#model/units/quantity.ts';
import { toRow, toValues, type Pause } from './evidence-rows.ts';
import type { EvidenceReader } from './make-evidence.ts';
import { toCsvLines } from '#model/format/csv.ts';
import { toPriceTable } from '#model/charts/price/price-csv.ts';
import { toPriceData, type PriceData } from '#model/charts/price/price-data.ts';
import { findPercentBase, toPriceChartData } from '#model/charts/price/price-chart.ts';
import { checkHeader } from '#model/tables/price/price-facts.ts';
import { toPriceConversions, toPriceProof } from '#model/tables/price/price-proof.ts';

export interface PriceSubject extends EvidenceSubject {
  readonly screen: 'price';
  readonly product_id: string;
  readonly period: Period;
  /** The ranges of the chart, and of the data that its figures are checked with. */
  readonly range: RequestedRange;
  readonly current: RequestedRange;
  /** Whether the prices cover the whole history. */
  readonly whole_history: boolean;
  readonly scale: 'linear' | 'log' | 'percent';
}

export const priceReader: EvidenceReader<PriceSubject> = { read };

/** Reads the bars of a chart, oldest first, as its table shows them. */
async function read(api: Api, subject: PriceSubject, pause: Pause): Promise<EvidenceContent> {
  const directory = await ifOffered(api.desk.products({}));
  const named = findProduct(subject.product_id, directory?.value.products ?? []);
  if (named === null) throw new Error(`There is no product ${subject.product_id}.`);
  const { prices, voi, running, checks } = await readChart(api, named, subject);
  await pause();
  const data = toPriceData(prices.value, voi?.value ?? [], subject.period, running);
  return {
    filters: [
      `${named.name}, ${subject.period}`,
      'Sessions from ' +
        `${subject.range.begin_time}${subject.range.end_time === undefined ? '' : ` until ${subject.range.end_time}`}`,
    ],
    ...toRows(data, named, { prices, voi }, subject.scale),
    totals: null,
    proof: toPriceProof(data, { prices, voi }),
    conversions: toPriceConversions(named, { running, checks, directory }),
  };
}

async function readChart(api: Api, { id, product }: NamedProduct, subject: PriceSubject) {
  const { range, current, whole_history: isWholeHistory } = subject;
  const [charted, voi, now, voiNow, data, stats, funding] = await Promise.all([
    api.venue.chartPrice({ id, ...range }),
    ifOffered(api.venue.chartVoi({ product_id: id, ...range })),
    ifOffered(api.venue.chartPrice({ id, ...current })),
    ifOffered(api.venue.chartVoi({ product_id: id, ...current })),
    ifOffered(api.venue.productData({ id })),
    product?.product_status === 'expired' ? undefined : ifOffered(api.venue.trailingStats({ product_id: id })),
    product?.type === 'perpetual' ? ifOffered(api.venue.fundingRates({ product_id: id })) : undefined,
  ]);
  const possible = (response: ApiResponse<readonly PriceDataPoint[]>) => ({
    ...response,
    value: withholdImpossiblePrices(response.value, product),
  });
  const sessions = await readSettledSessions(api, voiNow, data && { ...data, value: [data.value] });
  const named = { id, product, name: '' };
  const checks = checkHeader(named, {
    data: data ?? null,
    prices: now && possible(now),
    isWholeHistory,
    voi: voiNow,
    stats,
    sessions,
    settledSession: null,
    funding,
    estimate: null,
  });
  const prices = possible(charted);
  const running = range.end_time === undefined ? findRunning(product, data, checks) : null;
  return {
    prices: { ...prices, value: withholdDoubtful(prices.value, toChartDoubts(checks.reasons)) },
    voi,
    running,
    checks,
  };
}

function findRunning(
  product: NamedProduct['product'],
  data: ApiResponse<ProductData> | undefined,
  { check, reasons }: ReturnType<typeof checkHeader>,
): RunningSession | null {
  const conversion =
    product === null || check === null
      ? null
      : byIncrement(product, check.reason ?? whyWithheld(reasons, 'product data price'));
  return product === null || data === undefined || conversion === null
    ? null
    : toRunningSession(product, data, conversion, whyWithheld(reasons, 'session volume'));
}

interface ChartSources {
  readonly prices: ApiResponse<readonly PriceDataPoint[]>;
  readonly voi: ApiResponse<unknown> | undefined;
}

function toRows(
  data: PriceData,
  named: NamedProduct,
  sources: ChartSources,
  scale: PriceSubject['scale'],
): Pick<EvidenceContent, 'columns' | 'rows' | 'csv'> {
  const { heading, lines } = toPriceTable(data, named, sources);
  const base = scale === 'percent' ? findPercentBase(data) : null;
  const changeIn = named.product?.type === 'spread' ? 'USD' : '%';
  const { timeName, timeText, readouts } = toPriceChartData(data, {
    gaps: 'empty',
    base,
    badTicks: 'offscale',
    changeIn,
    tickSize: null,
    hasOpenInterest: sources.voi !== undefined,
  });
  return {
    columns: [
      { id: 'time', title: timeName, unit: null },
      ...readouts.map(({ name, unit }) => ({ id: name, title: name, unit })),
    ],
    rows: lines.map((cells, place) =>
      toRow({
        shown: {
          time: timeText(place),
          ...Object.fromEntries(readouts.map(({ name, text }) => [name, text(place).trim()])),
        },
        values: toValues(heading, cells),
      }),
    ),
    csv: toCsvLines([heading, ...lines]),
  };
}
