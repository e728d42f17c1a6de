import type { PriceDataPoint } from '#contract/price-data.ts';
import { toUsdText } from '../market/money.ts';
import type { Product, Session } from '../model.ts';
import type { Answer } from './answer.ts';
import type { Ask, House } from './ask.ts';
import { findProduct } from './find-products.ts';
import { toList } from './list.ts';
import { toChartRange } from './range.ts';
import { toInstantText, type Plain } from './wire.ts';

/** Oldest day first. A day on which nothing traded has no prices, hence no row. */
export async function answerChartPrice({ path, query }: Ask<'chartPrice'>, { exchange }: House): Promise<Answer> {
  const product = findProduct(exchange, path.id);
  const sessions = await exchange.sessions({ productIds: [product.id], ...toChartRange(query, exchange.now()) });
  const rows = sessions.map((session) => toRow(product, session)).filter((row) => row !== null);
  return toList(rows, (row) => JSON.stringify(row));
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
