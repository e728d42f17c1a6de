import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { asQuery, type Context, expectThat, isTooMany, need } from './check.ts';
import type { FundingRateData, VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ProductSpec } from '#contract/exchange/product.ts';
import type { ProbeRequest } from './probe.ts';

/** This file selects rows to check the rules on. All of them come from the exchange itself. */

/** The page size of all checks. The interface does not define a maximum of `limit`, so no check requests more. */
export const PAGE = '100';

/**
 * Returns the most traded product with history. It is a perpetual: their prices are never negative and move less than
 * those of options.
 */
export async function busiestProduct(context: Context): Promise<string> {
  return (await seasonedPerpetual(context)).id;
}

export async function specOf(context: Context, id: string): Promise<ProductSpec> {
  const specs = await context.read('productSpecs');
  return need(
    specs.find(({ product_id }) => String(product_id) === id),
    `specification of ${id}`,
  );
}

/** Returns up to `count` products whose volumes can be added up. */
export async function summands(context: Context, count: number): Promise<readonly string[]> {
  const ids = (await seasonedPerpetuals(context)).slice(0, count).map(({ id }) => id);
  return need(ids.length > 1 ? ids : null, 'second perpetual with funding history');
}

/**
 * Returns up to `count` products of one base symbol that had volume. This relies on each product having its own rows
 * when `product_id` is absent, which the interface does not say.
 */
export async function siblings(context: Context, count: number): Promise<readonly string[]> {
  const byBase = new Map<string, Set<string>>();
  for (const { baseSymbol, productId, volume } of await context.read('chartVoi')) {
    if (volume !== null) byBase.set(baseSymbol, (byBase.get(baseSymbol) ?? new Set()).add(String(productId)));
  }
  const [largest] = [...byBase.values()].sort((a, b) => b.size - a.size);
  const ids = [...need(largest, 'base symbol with volume')].slice(0, count);
  return need(ids.length > 1 ? ids : null, 'base symbol with two products that trade');
}

export interface Perpetual {
  readonly id: string;
  readonly latest: FundingRateData;
}

/** Returns the perpetuals, sorted by volume over the last 24 hours, largest first. */
export async function perpetuals(context: Context): Promise<readonly Perpetual[]> {
  const { data } = await context.read('fundingRates');
  const volumes = new Map(
    (await context.read('trailingStatsAll')).map(({ productId, volume }) => [String(productId), Number(volume ?? 0)]),
  );
  const volumeOf = ({ id }: Perpetual) => volumes.get(id) ?? 0;
  return data
    .map((latest): Perpetual => ({ id: String(latest.product_id), latest }))
    .sort((a, b) => volumeOf(b) - volumeOf(a));
}

/** Returns the perpetuals with the longest funding history in the last 30 days, in the same order. */
export async function seasonedPerpetuals(context: Context): Promise<readonly Perpetual[]> {
  const known = await perpetuals(context);
  const { data } = await context.read('fundingRates', {
    query: asQuery({ begin_time: daysAgo(context, 30), order: 'asc', limit: PAGE }),
  });
  const first = data.find((row) => known.some(({ id }) => id === String(row.product_id)));
  const ids = new Set(
    data.filter((row) => row.interval_end === first?.interval_end).map((row) => String(row.product_id)),
  );
  return known.filter(({ id }) => ids.has(id));
}

export async function seasonedPerpetual(context: Context): Promise<Perpetual> {
  return need((await seasonedPerpetuals(context))[0], 'perpetual with funding history');
}

/** Compares the last mark, converted with the published tick size, to the last settlement price. Null without one. */
export async function publishedScale(
  context: Context,
  { id, latest }: Perpetual,
): Promise<{ readonly scale: number; readonly ratio: number } | null> {
  const { price_increment: published } = await specOf(context, id);
  const settled = oldestFirst(await context.read('chartPrice', { path: { id } })).at(-1);
  if (settled === undefined) return null;
  const ratio = (Number(latest.mark_price) * Number(published)) / Number(settled.settlementPrice);
  return { ratio, scale: 10 ** Math.round(Math.log10(ratio)) };
}

/** Returns a range in the past, to which no rows are added between two requests. */
export function closedRange(context: Context) {
  return { begin_time: daysAgo(context, 20), end_time: daysAgo(context, 2) };
}

/** Reads the volume and open interest of one product, or of several added up. */
export async function closedVolume(context: Context, ids: readonly string[]): Promise<readonly VOIDataPoint[]> {
  const products = ids.map((id) => ['product_id', id] as const);
  return context.read('chartVoi', { query: [...products, ...asQuery(closedRange(context))] });
}

export async function baseSymbolOf(context: Context, id: string): Promise<string> {
  return need((await closedVolume(context, [id]))[0], `volume of ${id}`).baseSymbol;
}

/** Sorts days by date, because the interface does not define the order of a chart's days. */
export function oldestFirst<Row extends { readonly date: string }>(days: readonly Row[]): readonly Row[] {
  return days.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** How long a new, filled or cancelled order may take to appear in every endpoint. */
export const PERSISTED_WITHIN_MS = 5_000;

export async function recentOrders(context: Context): Promise<readonly Order[]> {
  const { data } = await context.read('orders', { query: asQuery({ order: 'desc', limit: PAGE }) });
  return need(data.length > 0 ? data : null, 'recent order');
}

/**
 * Returns the working orders. If they are too many for one response, it returns those of one account in the history.
 */
export async function restingOrders(context: Context): Promise<readonly Order[]> {
  const all = await context.probe.request({ name: 'ordersWorking' });
  if (!isTooMany(all)) return context.read('ordersWorking');
  const [latest] = await recentOrders(context);
  return context.read('ordersWorking', { query: asQuery({ account_id: need(latest, 'order').account_id }) });
}

/** Returns midnight UTC of a day: this text stays the same all day, so equal requests share a response. */
export function daysAgo(context: Context, days: number): string {
  return new Date(context.probe.now() - days * 86_400_000).toISOString().replace(/T.*/, 'T00:00:00Z');
}

/** Returns a valid request for an endpoint, with path parameters that exist. */
export async function validRequest(context: Context, name: EndpointName): Promise<ProbeRequest> {
  switch (name) {
    case 'chartPrice':
    case 'productSpec':
    case 'productData':
      return { name, path: { id: await busiestProduct(context) } };
    case 'trailingStats':
      return { name, path: { product_id: await busiestProduct(context) } };
    case 'fundingEstimated':
      return { name, path: { base_symbol: await baseSymbolOf(context, await busiestProduct(context)) } };
    case 'chartVoi':
    case 'fundingRates':
    case 'orders':
    case 'ordersWorking':
    case 'trailingStatsAll':
    case 'productSpecs':
    case 'productDataAll':
      return { name };
  }
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly cursor?: string | null };
}

interface Walked<Row> {
  readonly rows: readonly Row[];
  readonly pages: number;
  /** How the end was marked, or that the walk stopped before reaching it. */
  readonly end: 'absent cursor' | 'null cursor' | 'empty cursor' | 'repeated cursor' | 'empty page' | 'stopped';
}

type PagedName = Extract<EndpointName, 'fundingRates' | 'orders'>;

/** Follows cursors until the list ends, until there are enough rows, or for `mostPages`. */
export async function walkPages<Row>(
  context: Context,
  name: PagedName,
  query: Readonly<Record<string, string>>,
  mostPages: number,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Promise<Walked<Row>> {
  const rows: Row[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const request = { query: asQuery({ ...query, ...(cursor !== undefined && { cursor }) }) };
    const page = (await context.read(name, request)) as unknown as Page<Row>;
    const limit = query['limit'];
    expectThat(
      limit === undefined || page.data.length <= Number(limit),
      `a page has ${String(page.data.length)} rows with limit=${limit ?? ''}`,
    );
    rows.push(...page.data);
    const end = endOf(page, seen) ?? (pages >= mostPages || isEnough(rows) ? 'stopped' : undefined);
    if (end !== undefined) return { rows, pages, end };
    cursor = page.pagination.cursor ?? '';
    seen.add(cursor);
  }
}

function endOf(page: Page<unknown>, seen: ReadonlySet<string>): Walked<unknown>['end'] | undefined {
  const { cursor } = page.pagination;
  if (page.data.length === 0) return 'empty page';
  if (cursor === undefined) return 'absent cursor';
  if (cursor === null) return 'null cursor';
  if (cursor === '') return 'empty cursor';
  return seen.has(cursor) ? 'repeated cursor' : undefined;
}
