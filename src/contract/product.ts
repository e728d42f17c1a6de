import { cents, contracts, fractionalTicks, instant, number, integer, priceIncrement, productId, text, ticks } from './fields.ts';
import { list, nullable, optional, row, word, type Static } from './schema.ts';

/** Kinds of product as specifications have them; the venue may add some. */
export const SPEC_TYPES = ['future', 'perpetual', 'spread', 'option', 'spot'] as const;
/** Not listed yet, trading, or past its final settlement. */
export const PRODUCT_STATUSES = ['active', 'forthcoming', 'expired'] as const;

const SpreadLeg = row('SpreadLeg', 'One leg of a spread.', {
  product_id: productId('The leg’s product.'),
  weight: integer('Contracts of the leg per spread; negative is the sold side.'),
});

/**
 * A product's specification, where a venue offers it. One flat object for every type: what a type does not have is
 * absent.
 */
export const ProductSpec = row('ProductSpec', 'A product’s specification.', {
  product_id: productId('The product.'),
  symbol: text('Product symbol.'),
  base_symbol: text('Base symbol: the series the product belongs to.'),
  product_name: text('Name for people.'),
  type: word(SPEC_TYPES, 'Kind of product.'),
  contract_size: number('Units of the underlying in one contract.'),
  contract_size_unit: text('What the contract size counts.'),
  price_increment: priceIncrement('USD per tick as published; known to be wrong for some products.'),
  price_quotation_unit: text('What a price is quoted in.'),
  product_status: word(PRODUCT_STATUSES, 'Whether it trades.'),
  max_order_quantity: contracts('Largest order.'),
  min_block_size: contracts('Smallest block trade.'),
  daily_open_time: text('Local time at which a session opens, Chicago.'),
  daily_settle_time: text('Local time at which a session settles, Chicago.'),
  settlement_method: optional(text('How it settles.')),
  month: optional(text('Futures: month letter of the contract.')),
  year: optional(integer('Futures: year of the contract.')),
  first_trading_day: optional(text('Futures: first day of trading.')),
  final_settle_time: optional(instant('Futures and options: final settlement.')),
  legs: optional(list(SpreadLeg)),
  underlying_product: optional(productId('Options: the product delivered.')),
  strike_price: optional(ticks('Options: strike in ticks of the underlying.')),
  option_type: optional(text('Options: put or call.')),
});
export type ProductSpec = Static<typeof ProductSpec>;

/** A product's trading data of a day, where a venue offers it. Prices in ticks, notionals in cents. */
export const ProductData = row('ProductData', 'A product’s trading data of one day.', {
  product_id: productId('The product.'),
  last_price_time: nullable(instant('When it last traded.')),
  last_price: nullable(ticks('Last trade.')),
  settlement_time: nullable(instant('When it last settled.')),
  settlement_price: nullable(fractionalTicks('Last settlement.')),
  settlement_price_comment: nullable(text('A remark of the exchange on the settlement.')),
  open_price: nullable(ticks('First trade of the session.')),
  high_price: nullable(ticks('Highest trade of the session.')),
  low_price: nullable(ticks('Lowest trade of the session.')),
  close_price: nullable(ticks('Last trade of the session.')),
  price_change: nullable(fractionalTicks('Last trade less the settlement before.')),
  volume: nullable(contracts('Contracts traded.')),
  notional_volume: nullable(cents('Value traded, in cents.')),
  block_volume: nullable(contracts('Contracts traded as blocks.')),
  notional_block_volume: nullable(cents('Value traded as blocks, in cents.')),
  price_limit_upper: nullable(ticks('Highest price an order may have.')),
  price_limit_lower: nullable(ticks('Lowest price an order may have.')),
  open_interest: nullable(contracts('Contracts open, published once, the following morning.')),
});
export type ProductData = Static<typeof ProductData>;
