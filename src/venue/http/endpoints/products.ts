import type { ProductSpec } from '#contract/exchange/product.ts';
import { scheduleOf, sessionAt } from '../../market/calendar.ts';
import type { Micros, Product, SessionDate } from '../../core/model.ts';
import { type JsonBody, type Plain, Rejection, toInstantText, toJsonBody, toJsonList } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import type { Exchange } from '../../core/ports.ts';
import { toTradingDay } from '../range.ts';

type SpecRow = Plain<ProductSpec>;

export function handleProductSpecs({ query }: ApiRequest<'productSpecs'>, { exchange }: HandlerContext): JsonBody {
  const asOf = toAsOf(query, exchange.now());
  return toJsonList(selectProducts(exchange, query, asOf), (product) => JSON.stringify(toSpec(product, asOf.instant)));
}

export function handleProductSpec({ path, query }: ApiRequest<'productSpec'>, { exchange }: HandlerContext): JsonBody {
  const asOf = toAsOf(query, exchange.now());
  return toJsonBody(toSpec(findProduct(exchange, path.id), asOf.instant));
}

const OPEN_TIMES = { daily: '16:00:00', weekdays: '19:00:00' } as const;
const SETTLE_TIME = '16:00:00';

function toSpec(product: Product, instant: Micros): SpecRow {
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

/** Returns the fields that only expiring products have. */
function toExpiryFields({ kind, month, year, listedAt, expiresAt }: Product): Partial<SpecRow> {
  return {
    ...(month !== undefined && { month }),
    ...(year !== undefined && { year }),
    ...(expiresAt !== null && {
      first_trading_day: sessionAt(scheduleOf(kind), listedAt).date,
      final_settle_time: toInstantText(expiresAt),
    }),
  };
}

/** Returns the fields that only spreads and options have. */
function toKindFields({ legs, underlyingId, strikeTicks, optionType }: Product): Partial<SpecRow> {
  return {
    ...(legs && { legs: legs.map(({ productId, weight }) => ({ product_id: productId, weight })) }),
    ...(underlyingId !== undefined && { underlying_product: underlyingId }),
    ...(strikeTicks !== undefined && { strike_price: strikeTicks }),
    ...(optionType && { option_type: optionType }),
  };
}

export function findProduct(exchange: Exchange, id: string): Product {
  const product = exchange.products().get(Number(id));
  if (!product) throw new Rejection(404, `There is no product ${id}.`);
  return product;
}

export function findSeries(exchange: Exchange, baseSymbol: string): readonly Product[] {
  const products = [...exchange.products().values()].filter((product) => product.baseSymbol === baseSymbol);
  if (products.length === 0) throw new Rejection(404, `No product has the base symbol ${baseSymbol}.`);
  return products;
}

export type ProductStatus = 'active' | 'forthcoming' | 'expired';

export function statusAt({ listedAt, expiresAt }: Product, instant: Micros): ProductStatus {
  if (instant < listedAt) return 'forthcoming';
  return expiresAt !== null && instant >= expiresAt ? 'expired' : 'active';
}

/** The requested day, and the instant as of which products are shown: now, or the last instant of another day. */
export interface AsOf {
  readonly day: SessionDate;
  readonly isToday: boolean;
  readonly instant: Micros;
}

export function toAsOf(query: ApiRequest<'productSpec'>['query'], now: Micros): AsOf {
  const today = sessionAt('daily', now).date;
  const day = query.day?.[0] ?? today;
  return { day, isToday: day === today, instant: day === today ? now : toTradingDay(day).until - 1 };
}

export function selectProducts(
  exchange: Exchange,
  query: ApiRequest<'productSpecs'>['query'],
  { instant }: AsOf,
): readonly Product[] {
  const [series, onlyActive] = [query.base_symbol?.[0], query.active?.[0] === 'true'];
  return [...exchange.products().values()].filter(
    (product) =>
      (series === undefined || product.baseSymbol === series) &&
      (!onlyActive || statusAt(product, instant) === 'active'),
  );
}
