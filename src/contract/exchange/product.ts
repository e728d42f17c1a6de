import {
  cents,
  contracts,
  fractionalTicks,
  instant,
  integer,
  positiveNumber,
  priceIncrement,
  productId,
  text,
  ticks,
} from './fields.ts';
import { agreeing, list, nullable, optional, row, openEnum, type Agreement, type Static } from './schema.ts';

/** Product types in specifications. The exchange may add more. */
export const SPEC_TYPES = ['future', 'perpetual', 'spread', 'option', 'spot'] as const;
/** Trading, not yet listed, or past its final settlement. */
export const PRODUCT_STATUSES = ['active', 'forthcoming', 'expired'] as const;

const SpreadLeg = row('SpreadLeg', 'One leg of a spread.', {
  product_id: productId('Product id of the leg.'),
  weight: integer('Contracts of the leg per spread. Negative: the leg is sold.'),
});

/**
 * A product's specification, if the venue offers one. One flat object for all types: fields that do not apply to a type
 * are absent.
 */
export const ProductSpec = row(
  'ProductSpec',
  'Specification of a product. Fields that do not apply to its type are absent.',
  {
    product_id: productId('Product id.'),
    symbol: text('Product symbol.'),
    base_symbol: text('Base symbol of the series that the product belongs to.'),
    product_name: text('Display name.'),
    type: openEnum(SPEC_TYPES, 'Product type.'),
    contract_size: positiveNumber('Units of the underlying in one contract.'),
    contract_size_unit: text('Unit of the contract size.'),
    price_increment: priceIncrement('Tick size: USD per tick, as published. Wrong for some products.'),
    price_quotation_unit: text('Unit that prices are quoted in.'),
    product_status: openEnum(PRODUCT_STATUSES, 'Trading status.'),
    max_order_quantity: contracts('Maximum order quantity in contracts.'),
    min_block_size: contracts('Minimum block trade size in contracts.'),
    daily_open_time: text('Time at which a session opens, in Chicago.'),
    daily_settle_time: text('Time at which a session settles, in Chicago.'),
    settlement_method: optional(text('Settlement method.')),
    month: optional(text('Futures: month code of the contract.')),
    year: optional(integer('Futures: year of the contract.')),
    first_trading_day: optional(text('Futures: first day of trading.')),
    final_settle_time: optional(instant('Futures and options: time of the final settlement.')),
    legs: optional(list(SpreadLeg)),
    underlying_product: optional(productId('Options: product id of the underlying product.')),
    strike_price: optional(ticks('Options: strike price in ticks of the underlying product.')),
    option_type: optional(text('Options: put or call.')),
  },
);
export type ProductSpec = Static<typeof ProductSpec>;

/**
 * Requires a price to have its time. Without it, the price may be of any session, so it could be neither checked nor
 * distinguished from a current one.
 */
function timed(price: string, time: string): Agreement {
  return {
    paths: [price],
    expected: `no ${price} without ${time}`,
    findConflict: ({ [price]: value, [time]: at }) =>
      typeof value === 'number' && at === null ? `number ${String(value)}` : null,
  };
}

export const TIMED_PRICES = [timed('last_price', 'last_price_time'), timed('settlement_price', 'settlement_time')];

/** A product's trading data of one day, if the venue offers them. Prices are in ticks, notionals in cents. */
export const ProductData = agreeing(
  row('ProductData', 'Trading data of a product for one day.', {
    product_id: productId('Product id.'),
    last_price_time: nullable(instant('Time of the last trade.')),
    last_price: nullable(ticks('Last price in ticks.')),
    settlement_time: nullable(instant('Time of the last settlement.')),
    settlement_price: nullable(fractionalTicks('Last settlement price in ticks.')),
    settlement_price_comment: nullable(text('Comment of the exchange on the settlement.')),
    open_price: nullable(ticks('First price of the session in ticks.')),
    high_price: nullable(ticks('Highest price of the session in ticks.')),
    low_price: nullable(ticks('Lowest price of the session in ticks.')),
    close_price: nullable(ticks('Last price of the session in ticks.')),
    price_change: nullable(fractionalTicks('Last price minus the previous settlement, in ticks.')),
    volume: nullable(contracts('Volume in contracts.')),
    notional_volume: nullable(cents('Notional value traded, in US cents.')),
    block_volume: nullable(contracts('Block trade volume in contracts.')),
    notional_block_volume: nullable(cents('Notional value of block trades, in US cents.')),
    price_limit_upper: nullable(ticks('Highest price that an order may have, in ticks.')),
    price_limit_lower: nullable(ticks('Lowest price that an order may have, in ticks.')),
    open_interest: nullable(contracts('Open interest in contracts, published the following morning.')),
  }),
  ...TIMED_PRICES,
);
export type ProductData = Static<typeof ProductData>;
