import type { ProductTrailingStats } from '#contract/trailing-stats.ts';
import type { Exchange } from '../ports.ts';
import { toObject, type Answer } from './answer.ts';
import type { Ask, House } from './ask.ts';
import { findProduct, statusAt } from './find-products.ts';
import { toList } from './list.ts';
import { toWholeUsd, type Plain } from './wire.ts';

export function answerTrailingStatsAll(_: Ask<'trailingStatsAll'>, { exchange }: House): Answer {
  const now = exchange.now();
  const active = [...exchange.products().values()].filter((product) => statusAt(product, now) === 'active');
  return toList(active, ({ id }) => JSON.stringify(toRow(exchange, id)));
}

/** A product that does not trade (yet, or any more) has nothing to tell, which is not the same as no such product. */
export function answerTrailingStats({ path }: Ask<'trailingStats'>, { exchange }: House): Answer {
  return toObject(toRow(exchange, findProduct(exchange, path.product_id).id));
}

function toRow(exchange: Exchange, productId: number): Plain<ProductTrailingStats> {
  const traded = exchange.trailing(productId);
  return { productId, volume: traded?.volume ?? null, notionalVolume: traded ? toWholeUsd(traded.cents) : null };
}
