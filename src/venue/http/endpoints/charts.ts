import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { toUsdText } from '../../market/money.ts';
import type { Micros, Product, Session } from '../../core/model.ts';
import { type JsonBody, type Plain, sumKnown, toInstantText, toJsonList, toJsonListOfBatches } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { findProduct } from './products.ts';
import { afterNow, type Range, toChartRange } from '../range.ts';
import type { Exchange } from '../../core/ports.ts';

/** Lists the oldest day first. A day without trades has no row. */
export async function handleChartPrice(
  { path, query }: ApiRequest<'chartPrice'>,
  { exchange }: HandlerContext,
): Promise<JsonBody> {
  const product = findProduct(exchange, path.id);
  const sessions = await exchange.sessions({ productIds: [product.id], ...toChartRange(query, exchange.now()) });
  const rows = sessions.map((session) => toPriceRow(product, session)).filter((row) => row !== null);
  return toJsonList(rows, (row) => JSON.stringify(row));
}

function toPriceRow(
  { tickE10 }: Product,
  { date, settledAt, ohlc, volume, settlement }: Session,
): Plain<PriceDataPoint> | null {
  if (ohlc === null) return null;
  return {
    date,
    time: toInstantText(settledAt),
    ohlc: {
      open: toUsdText(ohlc.open, tickE10),
      high: toUsdText(ohlc.high, tickE10),
      low: toUsdText(ohlc.low, tickE10),
      close: toUsdText(ohlc.close, tickE10),
      volume: volume ?? 0,
    },
    settlementPrice: toUsdText(settlement, tickE10),
  };
}

type VolumeRow = Plain<VOIDataPoint>;

/** Long enough to need few reads, short enough that reading all products takes a few milliseconds. */
const BATCH_MICROS = 31 * 86_400_000_000;

/**
 * Lists the oldest day first. Without products, each product has its rows. With several, the rows are their daily
 * totals, under the id of the first one.
 */
export async function handleChartVoi(
  { query }: ApiRequest<'chartVoi'>,
  { exchange }: HandlerContext,
): Promise<JsonBody> {
  const range = toChartRange(query, exchange.now());
  const requested = [...new Set(query.product_id)].map((id) => findProduct(exchange, id));
  const [first] = requested;
  if (!first) return toJsonListOfBatches(readInBatches(exchange, range), (session) => toProductRow(exchange, session));
  const sessions = await exchange.sessions({ productIds: requested.map(({ id }) => id), ...range });
  return requested.length === 1
    ? toJsonList(sessions, (session) => toProductRow(exchange, session))
    : toTotals(first, sessions);
}

async function* readInBatches(exchange: Exchange, { from, until }: Range<Micros>): AsyncIterable<readonly Session[]> {
  const listed = Math.min(...[...exchange.products().values()].map(({ listedAt }) => listedAt));
  const end = Math.min(until, afterNow(exchange.now()));
  for (let start = Math.max(from, listed); start < end; start += BATCH_MICROS) {
    yield await exchange.sessions({ from: start, until: Math.min(start + BATCH_MICROS, end) });
  }
}

function toProductRow(exchange: Exchange, session: Session): string {
  const baseSymbol = exchange.products().get(session.productId)?.baseSymbol ?? '';
  return JSON.stringify(toVolumeRow(session.date, { id: session.productId, baseSymbol }, [session]));
}

function toTotals(first: Product, sessions: readonly Session[]): JsonBody {
  const days = [...Map.groupBy(sessions, ({ date }) => date)];
  return toJsonList(days, ([date, ofDay]) => JSON.stringify(toVolumeRow(date, first, ofDay)));
}

function toVolumeRow(
  date: string,
  product: Pick<Product, 'id' | 'baseSymbol'>,
  sessions: readonly Session[],
): VolumeRow {
  return {
    date,
    productId: product.id,
    baseSymbol: product.baseSymbol,
    volume: sumKnown(sessions.map(({ volume }) => volume)),
    notionalVolume: sumKnown(sessions.map(({ cents }) => cents)),
    openInterest: sumKnown(sessions.map(({ openInterest }) => openInterest)),
    notionalOpenInterest: sumKnown(sessions.map(({ openInterestCents }) => openInterestCents)),
  };
}
