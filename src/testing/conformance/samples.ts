import type { EndpointName } from '#contract/endpoints.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { Order } from '#contract/order.ts';
import type { ProductSpec } from '#contract/product.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { asQuery, isTooMany, need, type Context } from './check.ts';
import type { Question } from './probe.ts';

/** What the rules are tried on, found by asking the exchange itself. */

/** The product with the most volume of the last 30 days: the one of which there is most to check. */
export async function busiestProduct(context: Context): Promise<string> {
  return busiestOf(await context.read('chartVoi'));
}

/** The same among perpetuals, whose prices are never negative and move less than those of options. */
export async function busiestPerpetual(context: Context): Promise<string> {
  const ids = new Set((await perpetuals(context)).map(({ id }) => id));
  return busiestOf((await context.read('chartVoi')).filter(({ productId }) => ids.has(String(productId))));
}

function busiestOf(rows: readonly VOIDataPoint[]): string {
  const volumes = new Map<string, number>();
  for (const { productId, volume } of rows) {
    volumes.set(String(productId), (volumes.get(String(productId)) ?? 0) + Number(volume ?? 0));
  }
  const [busiest] = [...volumes].sort(([, a], [, b]) => b - a);
  return need(busiest, 'product with volume')[0];
}

export async function specOf(context: Context, id: string): Promise<ProductSpec> {
  const specs = await context.read('productSpecs');
  return need(
    specs.find(({ product_id }) => String(product_id) === id),
    `specification of ${id}`,
  );
}

/** Up to `count` products of one base symbol that had volume: what a person would add up. */
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
  readonly baseSymbol: string;
  readonly latest: FundingRateData;
}

export async function perpetuals(context: Context): Promise<readonly Perpetual[]> {
  const { data } = await context.read('fundingRates');
  const bases = new Map(
    (await context.read('chartVoi')).map((row: VOIDataPoint) => [String(row.productId), row.baseSymbol]),
  );
  return data.flatMap((latest) => {
    const baseSymbol = bases.get(String(latest.product_id));
    return baseSymbol === undefined ? [] : [{ id: String(latest.product_id), baseSymbol, latest }];
  });
}

/** The perpetual with the most funding in the last 30 days. */
export async function seasonedPerpetual(context: Context): Promise<Perpetual> {
  const known = await perpetuals(context);
  const { data } = await context.read('fundingRates', {
    query: asQuery({ begin_time: daysAgo(context, 30), order: 'asc', limit: '100' }),
  });
  const first = data.find((row) => known.some(({ id }) => id === String(row.product_id)));
  return need(
    known.find(({ id }) => id === String(first?.product_id)),
    'perpetual with funding history',
  );
}

/** What is newly accepted, filled or cancelled may take a moment until every answer knows of it. */
export const PERSISTED_WITHIN_MS = 5_000;

export async function recentOrders(context: Context): Promise<readonly Order[]> {
  const { data } = await context.read('orders', { query: asQuery({ limit: '100' }) });
  return need(data.length > 0 ? data : null, 'order to look at');
}

/** Some resting orders. The whole set may be too many to be answered at once: then those of an account seen in history. */
export async function restingOrders(context: Context): Promise<readonly Order[]> {
  const all = await context.probe.ask({ name: 'ordersWorking' });
  if (!isTooMany(all)) return context.read('ordersWorking');
  const [latest] = await recentOrders(context);
  return context.read('ordersWorking', { query: asQuery({ account_id: need(latest, 'order').account_id }) });
}

/** A midnight UTC: the same text all day long, so that the same question stays the same. */
export function daysAgo(context: Context, days: number): string {
  return new Date(context.probe.now() - days * 86_400_000).toISOString().replace(/T.*/, 'T00:00:00Z');
}

/** A good question for an endpoint, its path parameters filled with something that exists. */
export async function goodQuestion(context: Context, name: EndpointName): Promise<Question> {
  switch (name) {
    case 'chartPrice':
    case 'productSpec':
    case 'productData':
      return { name, path: { id: await busiestProduct(context) } };
    case 'trailingStats':
      return { name, path: { product_id: await busiestProduct(context) } };
    case 'fundingEstimated':
      return { name, path: { base_symbol: (await seasonedPerpetual(context)).baseSymbol } };
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
