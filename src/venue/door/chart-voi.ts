import type { VOIDataPoint } from '#contract/voi.ts';
import type { Product, Session } from '../model.ts';
import type { Exchange } from '../ports.ts';
import { toList, type Answer } from './answer.ts';
import type { Ask, House } from './ask.ts';
import { findProduct } from './find-products.ts';
import { toChartRange } from './range.ts';
import { sumKnown, type Plain } from './wire.ts';

type Row = Plain<VOIDataPoint>;

/** Oldest day first. Without products: each one's own rows. With several: their total a day, under the first one's name. */
export async function answerChartVoi({ query }: Ask<'chartVoi'>, { exchange }: House): Promise<Answer> {
  const range = toChartRange(query, exchange.now());
  const asked = [...new Set(query.product_id)].map((id) => findProduct(exchange, id));
  const [first] = asked;
  if (!first) return toOwnRows(exchange, await exchange.sessions(range));
  const sessions = await exchange.sessions({ productIds: asked.map(({ id }) => id), ...range });
  return asked.length === 1 ? toOwnRows(exchange, sessions) : toTotals(first, sessions);
}

function toOwnRows(exchange: Exchange, sessions: readonly Session[]): Answer {
  const products = exchange.products();
  return toList(sessions, (session) => {
    const baseSymbol = products.get(session.productId)?.baseSymbol ?? '';
    return JSON.stringify(toRow(session.date, { id: session.productId, baseSymbol }, [session]));
  });
}

function toTotals(first: Product, sessions: readonly Session[]): Answer {
  const days = [...Map.groupBy(sessions, ({ date }) => date)];
  return toList(days, ([date, ofDay]) => JSON.stringify(toRow(date, first, ofDay)));
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
