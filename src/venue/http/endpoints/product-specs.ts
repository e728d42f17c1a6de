import type { ProductSpec } from '#contract/exchange/product.ts';
import { scheduleOf, sessionAt } from '../../market/calendar.ts';
import type { Micros, Product } from '../../core/model.ts';
import { toJsonBody, type JsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { findProduct, selectProducts, statusAt, toAsOf } from './products.ts';
import { toJsonList } from '../json-list.ts';
import { toInstantText, type Plain } from '../wire.ts';

type Row = Plain<ProductSpec>;

export function handleProductSpecs({ query }: ApiRequest<'productSpecs'>, { exchange }: HandlerContext): JsonBody {
  const asOf = toAsOf(query, exchange.now());
  return toJsonList(selectProducts(exchange, query, asOf), (product) => JSON.stringify(toRow(product, asOf.instant)));
}

export function handleProductSpec({ path, query }: ApiRequest<'productSpec'>, { exchange }: HandlerContext): JsonBody {
  const asOf = toAsOf(query, exchange.now());
  return toJsonBody(toRow(findProduct(exchange, path.id), asOf.instant));
}

const OPEN_TIMES = { daily: '16:00:00', weekdays: '19:00:00' } as const;
const SETTLE_TIME = '16:00:00';

function toRow(product: Product, instant: Micros): Row {
  return {
    product_id: product.id,
    symbol: product.symbol,
    base_symbol: product.baseSymbol,
    product_name: product.name,
    type: product.kind,
    contract_size: product.contractSize,
    contract_size_unit: product.contractSizeUnit,
    price_increment: product.publishedIncrement,
    price_quotation_unit: product.priceQuotationUnit,
    product_status: statusAt(product, instant),
    max_order_quantity: product.maxOrderQuantity,
    min_block_size: product.minBlockSize,
    daily_open_time: OPEN_TIMES[scheduleOf(product.kind)],
    daily_settle_time: SETTLE_TIME,
    settlement_method: product.settlementMethod,
    ...toExpiryFields(product),
    ...toKindFields(product),
  };
}

/** Fields of products that expire. */
function toExpiryFields({ kind, month, year, listedAt, expiresAt }: Product): Partial<Row> {
  return {
    ...(month !== undefined && { month }),
    ...(year !== undefined && { year }),
    ...(expiresAt !== null && {
      first_trading_day: sessionAt(scheduleOf(kind), listedAt).date,
      final_settle_time: toInstantText(expiresAt),
    }),
  };
}

/** Fields of spreads and options. */
function toKindFields({ legs, underlyingId, strikeTicks, optionType }: Product): Partial<Row> {
  return {
    ...(legs && { legs: legs.map(({ productId, weight }) => ({ product_id: productId, weight })) }),
    ...(underlyingId !== undefined && { underlying_product: underlyingId }),
    ...(strikeTicks !== undefined && { strike_price: strikeTicks }),
    ...(optionType && { option_type: optionType }),
  };
}
