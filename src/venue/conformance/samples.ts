import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ProductSpec } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { asQuery, isTooMany, need, type Context } from './check.ts';
import type { ProbeRequest } from './probe.ts';

/** Rows to check the rules on, read from the exchange itself. */

/** The interface names no maximum of `limit`: no check requests more. */
export const PAGE = '100';

/** The most traded product with history. A perpetual: its prices are never negative and move less than those of options. */
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

/** Up to `count` products whose volumes can be summed. */
export async function summands(context: Context, count: number): Promise<readonly string[]> {
  const ids = (await seasonedPerpetuals(context)).slice(0, count).map(({ id }) => id);
  return need(ids.length > 1 ? ids : null, 'second perpetual with funding history');
}

/**
 * Up to `count` products of one base symbol that had volume. This requires that without `product_id` each product has
 * its own rows, which the interface does not say.
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

/** Sorted by volume of the last 24 hours, largest first. */
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

/** The perpetuals with the most funding in the last 30 days, in the same order. */
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

/** The last mark, converted by the published tick size, against the last settlement price; null without one. */
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

/** A past range, to which no rows are added between two requests. */
export function closedRange(context: Context) {
  return { begin_time: daysAgo(context, 20), end_time: daysAgo(context, 2) };
}

/** Volume and open interest of one product, or of several together. */
export async function closedVolume(context: Context, ids: readonly string[]): Promise<readonly VOIDataPoint[]> {
  const products = ids.map((id) => ['product_id', id] as const);
  return context.read('chartVoi', { query: [...products, ...asQuery(closedRange(context))] });
}

export async function baseSymbolOf(context: Context, id: string): Promise<string> {
  return need((await closedVolume(context, [id]))[0], `volume of ${id}`).baseSymbol;
}

/** The interface does not say in which order the days of a chart come. */
export function oldestFirst<Row extends { readonly date: string }>(days: readonly Row[]): readonly Row[] {
  return days.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** How long a new, filled or cancelled order may take to appear in every endpoint. */
export const PERSISTED_WITHIN_MS = 5_000;

export async function recentOrders(context: Context): Promise<readonly Order[]> {
  const { data } = await context.read('orders', { query: asQuery({ order: 'desc', limit: PAGE }) });
  return need(data.length > 0 ? data : null, 'recent order');
}

/** The working orders, or, where they are too many for one response, those of an account seen in the history. */
export async function restingOrders(context: Context): Promise<readonly Order[]> {
  const all = await context.probe.request({ name: 'ordersWorking' });
  if (!isTooMany(all)) return context.read('ordersWorking');
  const [latest] = await recentOrders(context);
  return context.read('ordersWorking', { query: asQuery({ account_id: need(latest, 'order').account_id }) });
}

/** A midnight UTC: the same text all day long, so that equal requests share a response. */
export function daysAgo(context: Context, days: number): string {
  return new Date(context.probe.now() - days * 86_400_000).toISOString().replace(/T.*/, 'T00:00:00Z');
}

/** A valid request for an endpoint, with path parameters that exist. */
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
