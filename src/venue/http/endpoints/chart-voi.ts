import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import type { Micros, Product, Session } from '../../core/model.ts';
import type { Exchange } from '../../core/ports.ts';
import type { JsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { findProduct } from './products.ts';
import { toJsonList, toJsonListOfBatches } from '../json-list.ts';
import { afterNow, toChartRange, type Range } from '../range.ts';
import { sumKnown, type Plain } from '../wire.ts';

type Row = Plain<VOIDataPoint>;

/** Long enough for few reads, short enough that reading all products takes a few milliseconds. */
const BATCH_MICROS = 31 * 86_400_000_000;

/** Oldest day first. Without products: rows of each. With several: their daily totals, under the first one's id. */
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
  return JSON.stringify(toRow(session.date, { id: session.productId, baseSymbol }, [session]));
}

function toTotals(first: Product, sessions: readonly Session[]): JsonBody {
  const days = [...Map.groupBy(sessions, ({ date }) => date)];
  return toJsonList(days, ([date, ofDay]) => JSON.stringify(toRow(date, first, ofDay)));
}

function toRow(date: string, product: Pick<Product, 'id' | 'baseSymbol'>, sessions: readonly Session[]): Row {
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
