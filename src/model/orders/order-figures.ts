import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import { asContracts, asTicks, deriveQuantity, type Quantity, type RowSource, toQuantity } from '../units/quantity.ts';
import { isSummed, type OrderRow, toWorkingQuantity } from './order-row.ts';
import { type OrderTerms, whyInDoubt } from './order-terms.ts';

/** Figures with their provenance are computed on demand, because only about forty of ten thousand rows are visible. */

type PriceField = 'price' | 'avg_price';

/** Returns the price in USD, or in ticks without a published tick size. An order without fills has no average price. */
export function toPrice(row: OrderRow, field: PriceField = 'price'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, conversionOf(row, field) ?? asTicks);
}

function conversionOf({ terms }: OrderRow, field: PriceField): OrderTerms['conversion'] {
  const withheld = field === 'price' ? null : whyInDoubt(terms, 'avg_price');
  return withheld === null ? terms.conversion : { ...(terms.conversion ?? asTicks), withheld };
}

/** Returns the price in ticks, as published. */
export function toTicks(row: OrderRow, field: PriceField = 'price'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, asTicks);
}

export function toContracts(row: OrderRow, field: 'quantity_requested' | 'quantity_filled'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, { ...asContracts, withheld: whyInDoubt(row.terms, 'quantity') });
}

/** Returns the quantity that can still fill, or that never filled if the order is closed. */
export function toRemaining(row: OrderRow): Quantity {
  const from = [toContracts(row, 'quantity_requested'), toContracts(row, 'quantity_filled')];
  return deriveQuantity('contracts', 'Quantity − filled', from, ([requested, filled]) =>
    requested && filled ? requested.minus(filled) : null,
  );
}

/**
 * Returns the filled share from 0 to 1, for a bar; null if the order quantity is zero, or if a quantity is withheld.
 */
export function toFilledShare(row: OrderRow): number | null {
  if (!isSummed(row)) return null;
  const whole = toNumber(row.order.quantity_requested);
  return whole > 0 ? toNumber(row.order.quantity_filled) / whole : null;
}

/**
 * Computes the value of the working quantity at the limit price, in USD. What the value measures depends on its kind.
 * Negative if a spread's price is; totals use absolute values.
 */
export function toNotional(row: OrderRow): Quantity {
  return toUsd(row, 'Working quantity × price × contract size', toRemaining(row), toPrice(row));
}

/** What the value of an order measures: a notional, the premium of an option, or the price difference of a spread. */
export type ValueKind = 'outright' | 'premium' | 'difference';

export function toValueKind({ product_type: type }: Pick<Order, 'product_type'>): ValueKind {
  if (type === 'Option') return 'premium';
  return type === 'Spread' ? 'difference' : 'outright';
}

/** Computes the value of the underlying of the working quantity at its market price, in USD; null if it is unknown. */
export function toUnderlyingNotional(row: OrderRow): Quantity | null {
  const { underlying } = row.terms;
  if (underlying === null) return null;
  const how = `Working quantity × ${underlying.units.toFixed()} a contract × market price of the ${underlying.of}`;
  return deriveQuantity('USD', how, [toRemaining(row), underlying.price], ([count, price]) =>
    count && price ? count.times(underlying.units).times(price) : null,
  );
}

/** Returns the value in USD as a float, for sorting and filtering only. */
export function toSortableUnderlying(row: OrderRow): number | null {
  const [contracts, each] = [toWorkingQuantity(row), row.terms.underlying?.usdPerContract ?? null];
  return contracts === null || each === null ? null : contracts * each;
}

/** Computes the value of the filled quantity at the average price, in USD. */
export function toFilledNotional(row: OrderRow): Quantity {
  return toUsd(
    row,
    'Filled quantity × average price × contract size',
    toContracts(row, 'quantity_filled'),
    toPrice(row, 'avg_price'),
  );
}

function toUsd(
  { terms: { conversion, contractSize } }: OrderRow,
  how: string,
  contracts: Quantity,
  price: Quantity,
): Quantity {
  const size = conversion === null ? null : contractSize;
  const calculation =
    size === null ? `${how}; tick size or contract size is not published` : `${how} ${size.toFixed()}`;
  return deriveQuantity('USD', calculation, [contracts, price], ([count, usd]) =>
    count && usd && size ? count.times(usd).times(size) : null,
  );
}

function sourceOf({ order, source }: OrderRow): RowSource {
  return { source, dataTime: order.last_modified };
}

/**
 * Returns the price in USD as a float, for sorting and filtering only, never shown. Within a product, the order is that
 * of ticks.
 */
export function toSortablePrice(row: OrderRow, field: PriceField = 'price'): number | null {
  const { usdPerTick } = row.terms;
  const ticks = ticksOf(row, field);
  return ticks === null || usdPerTick === null ? null : (toNumber(ticks) * usdPerTick.times) / usdPerTick.per;
}

function ticksOf({ order, terms }: OrderRow, field: PriceField): Order[PriceField] {
  return field === 'avg_price' && whyInDoubt(terms, 'avg_price') !== null ? null : order[field];
}

/** Returns the filled quantity as a float, for sorting and filtering only; null if it is unknown. */
export function toFilledQuantity({ order: { quantity_filled: filled }, terms }: OrderRow): number | null {
  return filled === null || whyInDoubt(terms, 'quantity') !== null ? null : toNumber(filled);
}

/** Returns the value in USD as a float, for sorting and filtering only. */
export function toSortableNotional(row: OrderRow, field: PriceField = 'price'): number | null {
  const { usdPerContractTick } = row.terms;
  const ticks = ticksOf(row, field);
  const contracts = field === 'price' ? toWorkingQuantity(row) : toFilledQuantity(row);
  return ticks === null || contracts === null || usdPerContractTick === null
    ? null
    : (contracts * toNumber(ticks) * usdPerContractTick.times) / usdPerContractTick.per;
}
