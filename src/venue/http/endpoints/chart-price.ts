import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import { toUsdText } from '../../market/money.ts';
import type { Product, Session } from '../../core/model.ts';
import type { JsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { findProduct } from './products.ts';
import { toJsonList } from '../json-list.ts';
import { toChartRange } from '../range.ts';
import { toInstantText, type Plain } from '../wire.ts';

/** Oldest day first. A day without trades has no row. */
export async function handleChartPrice(
  { path, query }: ApiRequest<'chartPrice'>,
  { exchange }: HandlerContext,
): Promise<JsonBody> {
  const product = findProduct(exchange, path.id);
  const sessions = await exchange.sessions({ productIds: [product.id], ...toChartRange(query, exchange.now()) });
  const rows = sessions.map((session) => toRow(product, session)).filter((row) => row !== null);
  return toJsonList(rows, (row) => JSON.stringify(row));
}

function toRow(
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
