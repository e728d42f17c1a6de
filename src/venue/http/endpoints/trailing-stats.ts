import type { ProductTrailingStats } from '#contract/exchange/trailing-stats.ts';
import type { Exchange } from '../../core/ports.ts';
import { toJsonBody, type JsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { findProduct, statusAt } from './products.ts';
import { toJsonList } from '../json-list.ts';
import { toWholeUsd, type Plain } from '../wire.ts';

export function handleTrailingStatsAll(_: ApiRequest<'trailingStatsAll'>, { exchange }: HandlerContext): JsonBody {
  const now = exchange.now();
  const active = [...exchange.products().values()].filter((product) => statusAt(product, now) === 'active');
  return toJsonList(active, ({ id }) => JSON.stringify(toRow(exchange, id)));
}

/** A product that does not trade yet, or any more, has null statistics; one that never existed is a 404. */
export function handleTrailingStats({ path }: ApiRequest<'trailingStats'>, { exchange }: HandlerContext): JsonBody {
  return toJsonBody(toRow(exchange, findProduct(exchange, path.product_id).id));
}

function toRow(exchange: Exchange, productId: number): Plain<ProductTrailingStats> {
  const traded = exchange.trailing(productId);
  return { productId, volume: traded?.volume ?? null, notionalVolume: traded ? toWholeUsd(traded.cents) : null };
}
