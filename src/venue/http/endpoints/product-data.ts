import type { ProductTrailingStats } from '#contract/exchange/market-data.ts';
import type { Exchange, Today } from '../../core/ports.ts';
import { type JsonBody, type Plain, toInstantText, toJsonBody, toJsonList, toWholeUsd } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { type AsOf, findProduct, selectProducts, statusAt, toAsOf } from './products.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { Product, Session } from '../../core/model.ts';
import { afterNow, toTradingDay } from '../range.ts';

export function handleTrailingStatsAll(_: ApiRequest<'trailingStatsAll'>, { exchange }: HandlerContext): JsonBody {
  const now = exchange.now();
  const active = [...exchange.products().values()].filter((product) => statusAt(product, now) === 'active');
  return toJsonList(active, ({ id }) => JSON.stringify(toStats(exchange, id)));
}

/**
 * Returns null statistics for a product that does not trade yet or no longer trades, and a 404 for one that never
 * existed.
 */
export function handleTrailingStats({ path }: ApiRequest<'trailingStats'>, { exchange }: HandlerContext): JsonBody {
  return toJsonBody(toStats(exchange, findProduct(exchange, path.product_id).id));
}

function toStats(exchange: Exchange, productId: number): Plain<ProductTrailingStats> {
  const traded = exchange.trailing(productId);
  return { productId, volume: traded?.volume ?? null, notionalVolume: traded ? toWholeUsd(traded.cents) : null };
}

type Row = Plain<ProductData>;

/** Longer than any pause between two sessions. */
const LOOK_BACK_MICROS = 10 * 86_400_000_000;

export async function handleProductDataAll(
  { query }: ApiRequest<'productDataAll'>,
  { exchange }: HandlerContext,
): Promise<JsonBody> {
  const asOf = toAsOf(query, exchange.now());
  const rows = await toRows(exchange, selectProducts(exchange, query, asOf), asOf);
  return toJsonList(rows, (row) => JSON.stringify(row));
}

export async function handleProductData(
  { path, query }: ApiRequest<'productData'>,
  { exchange }: HandlerContext,
): Promise<JsonBody> {
  const asOf = toAsOf(query, exchange.now());
  const [row = {}] = await toRows(exchange, [findProduct(exchange, path.id)], asOf);
  return toJsonBody(row);
}

async function toRows(
  exchange: Exchange,
  products: readonly Product[],
  { day, isToday }: AsOf,
): Promise<readonly Row[]> {
  const until = Math.min(toTradingDay(day).until + 1, afterNow(exchange.now()));
  const productIds = products.map(({ id }) => id);
  const sessions =
    productIds.length === 0 ? [] : await exchange.sessions({ productIds, from: until - LOOK_BACK_MICROS, until });
  const byProduct = Map.groupBy(sessions, ({ productId }) => productId);
  return products.map(({ id }) => {
    const settled = byProduct.get(id) ?? [];
    return isToday ? toRowToday(id, settled, exchange.today(id)) : toRowOfDay(id, settled, day);
  });
}

/** Describes the session in progress, with the last settlement and the last published open interest. */
function toRowToday(productId: number, settled: readonly Session[], today: Today): Row {
  const last = settled.at(-1);
  return {
    product_id: productId,
    ...EMPTY,
    last_price_time: today.lastTrade && toInstantText(today.lastTrade.time),
    last_price: today.lastTrade?.price ?? null,
    ...toSettlement(last),
    ...toPrices(today.ohlc, last?.settlement),
    volume: today.volume,
    notional_volume: today.cents,
    open_interest: settled.findLast(({ openInterest }) => openInterest !== null)?.openInterest ?? null,
  };
}

function toRowOfDay(productId: number, settled: readonly Session[], day: string): Row {
  const index = settled.findIndex(({ date }) => date === day);
  const session = settled[index];
  if (!session) return { product_id: productId, ...EMPTY };
  return {
    product_id: productId,
    ...EMPTY,
    last_price: session.ohlc?.close ?? null,
    ...toSettlement(session),
    ...toPrices(session.ohlc, settled[index - 1]?.settlement),
    volume: session.volume,
    notional_volume: session.cents,
    open_interest: session.openInterest,
  };
}

function toSettlement(session: Session | undefined): Pick<Row, 'settlement_time' | 'settlement_price'> {
  if (!session) return { settlement_time: null, settlement_price: null };
  return { settlement_time: toInstantText(session.settledAt), settlement_price: session.settlement };
}

function toPrices(ohlc: Session['ohlc'], settlementBefore: number | undefined): Partial<Row> {
  if (ohlc === null) return {};
  return {
    open_price: ohlc.open,
    high_price: ohlc.high,
    low_price: ohlc.low,
    close_price: ohlc.close,
    price_change: settlementBefore === undefined ? null : ohlc.close - settlementBefore,
  };
}

/** This exchange has no block trades and no price limits. */
const EMPTY = {
  last_price_time: null,
  last_price: null,
  settlement_time: null,
  settlement_price: null,
  settlement_price_comment: null,
  open_price: null,
  high_price: null,
  low_price: null,
  close_price: null,
  price_change: null,
  volume: null,
  notional_volume: null,
  block_volume: null,
  notional_block_volume: null,
  price_limit_upper: null,
  price_limit_lower: null,
  open_interest: null,
} as const;
