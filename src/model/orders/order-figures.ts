import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import { asContracts, asTicks } from '../units/conversions.ts';
import { deriveQuantity, toQuantity, type Quantity, type RowSource } from '../units/quantity.ts';
import { isCounted, toWorkingQuantity } from './order-quantities.ts';
import type { OrderRow } from './order-row.ts';

/** The figures of an order with their provenance, computed on demand: of ten thousand rows forty are visible. */

type PriceField = 'price' | 'avg_price';

/** In USD, or in ticks without a published tick size. An order without fills has no average price. */
export function toPrice(row: OrderRow, field: PriceField = 'price'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, row.terms.conversion ?? asTicks);
}

/** In ticks, as published. */
export function toTicks(row: OrderRow, field: PriceField = 'price'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, asTicks);
}

export function toContracts(row: OrderRow, field: 'quantity_requested' | 'quantity_filled'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, asContracts);
}

/** Quantity of a working order that can still fill, or of a closed one that never did. */
export function toRemaining(row: OrderRow): Quantity {
  const from = [toContracts(row, 'quantity_requested'), toContracts(row, 'quantity_filled')];
  return deriveQuantity('contracts', 'Quantity − filled', from, ([requested, filled]) =>
    requested && filled ? requested.minus(filled) : null,
  );
}

/** 0 to 1, for a bar; null if the order quantity is zero, or a quantity is withheld. */
export function toFilledShare(order: Order): number | null {
  if (!isCounted(order)) return null;
  const whole = toNumber(order.quantity_requested);
  return whole > 0 ? toNumber(order.quantity_filled) / whole : null;
}

/** Value of the working quantity at the limit price, in USD; its kind says what that is. Negative where a spread's price is; totals use absolute values. */
export function toNotional(row: OrderRow): Quantity {
  return toUsd(row, 'Working quantity × price × contract size', toRemaining(row), toPrice(row));
}

/** What the value of an order is: a notional, the premium of an option, or the difference that a spread is priced at. */
export type ValueKind = 'outright' | 'premium' | 'difference';

export function toValueKind({ product_type: type }: Pick<Order, 'product_type'>): ValueKind {
  if (type === 'Option') return 'premium';
  return type === 'Spread' ? 'difference' : 'outright';
}

/** Value of the underlying of the working quantity at its market price, in USD; null where it is not known. */
export function toUnderlyingNotional(row: OrderRow): Quantity | null {
  const { underlying } = row.terms;
  if (underlying === null) return null;
  const how = `Working quantity × ${underlying.units.toFixed()} a contract × market price of the ${underlying.of}`;
  return deriveQuantity('USD', how, [toRemaining(row), underlying.price], ([count, price]) =>
    count && price ? count.times(underlying.units).times(price) : null,
  );
}

/** USD as a float, for sorting and filtering only. */
export function toSortableUnderlying({ order, terms: { underlying } }: OrderRow): number | null {
  const [contracts, each] = [toWorkingQuantity(order), underlying?.usdPerContract ?? null];
  return contracts === null || each === null ? null : contracts * each;
}

/** Value of the filled quantity at the average price, in USD. */
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

/** USD as a float, for sorting and filtering only, never shown. Sorts the prices of a product like their ticks. */
export function toSortablePrice(
  { order, terms: { usdPerTick } }: OrderRow,
  field: PriceField = 'price',
): number | null {
  const ticks = order[field];
  return ticks === null || usdPerTick === null ? null : (toNumber(ticks) * usdPerTick.times) / usdPerTick.per;
}

/** USD as a float, for sorting and filtering only. */
export function toSortableNotional(
  { order, terms: { usdPerContractTick } }: OrderRow,
  field: PriceField = 'price',
): number | null {
  const ticks = order[field];
  const contracts =
    field === 'price' ? toWorkingQuantity(order) : order.quantity_filled && toNumber(order.quantity_filled);
  return ticks === null || contracts === null || usdPerContractTick === null
    ? null
    : (contracts * toNumber(ticks) * usdPerContractTick.times) / usdPerContractTick.per;
}
