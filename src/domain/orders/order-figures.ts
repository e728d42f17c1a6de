import { toNumber } from '#contract/brand.ts';
import type { Order } from '#contract/order.ts';
import { asContracts, asTicks } from '../conversions.ts';
import { deriveQuantity, toQuantity, type Quantity, type RowSource } from '../quantity.ts';
import type { OrderRow } from './order-row.ts';

/**
 * The figures of an order, each able to say where it came from. They are worked out when they are asked for: a list of
 * ten thousand shows forty.
 */

type PriceField = 'price' | 'avg_price';

/** In USD; in ticks where no increment is published, which its unit says. An order without fills has no mean price. */
export function toPrice(row: OrderRow, field: PriceField = 'price'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, row.terms.conversion ?? asTicks);
}

/** As the venue has it. */
export function toTicks(row: OrderRow, field: PriceField = 'price'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, asTicks);
}

export function toContracts(row: OrderRow, field: 'quantity_requested' | 'quantity_filled'): Quantity {
  return toQuantity(sourceOf(row), row.order, field, asContracts);
}

/** What still rests of a working order, or was never filled of a closed one. */
export function toRemaining(row: OrderRow): Quantity {
  const from = [toContracts(row, 'quantity_requested'), toContracts(row, 'quantity_filled')];
  return deriveQuantity('contracts', 'Requested − filled', from, ([requested, filled]) => (requested && filled ? requested.minus(filled) : null));
}

/** 0 to 1, for a bar; null where nothing was asked for. */
export function toFilledShare({ quantity_requested: requested, quantity_filled: filled }: Order): number | null {
  const whole = toNumber(requested);
  return whole > 0 ? Math.min(1, toNumber(filled) / whole) : null;
}

/** USD of what still rests, at its limit price: with its sign where a spread's price has one. Sums are of amounts without it. */
export function toNotional(row: OrderRow): Quantity {
  return toUsd(row, 'Remaining contracts × price × contract size', toRemaining(row), toPrice(row));
}

/** USD of what was filled, at its mean price. */
export function toFilledNotional(row: OrderRow): Quantity {
  return toUsd(row, 'Filled contracts × mean price × contract size', toContracts(row, 'quantity_filled'), toPrice(row, 'avg_price'));
}

function toUsd({ terms: { conversion, contractSize } }: OrderRow, how: string, contracts: Quantity, price: Quantity): Quantity {
  const size = conversion === null ? null : contractSize;
  const told = size === null ? `${how}, of which one is not published` : `${how} ${size.toFixed()}`;
  return deriveQuantity('USD', told, [contracts, price], ([count, usd]) => (count && usd && size ? count.times(usd).times(size) : null));
}

function sourceOf({ order, source }: OrderRow): RowSource {
  return { source, dataTime: order.last_modified };
}

/** For sorting and bounds only, never to be shown: USD as a float, in which the order of a product's prices is that of its ticks. */
export function toSortablePrice({ order, terms: { usdPerTick } }: OrderRow, field: PriceField = 'price'): number | null {
  const ticks = order[field];
  return ticks === null || usdPerTick === null ? null : (toNumber(ticks) * usdPerTick.times) / usdPerTick.per;
}

/** For sorting and bounds only, as above. */
export function toSortableNotional({ order, terms: { usdPerContractTick } }: OrderRow, field: PriceField = 'price'): number | null {
  const ticks = order[field];
  const filled = toNumber(order.quantity_filled);
  const contracts = field === 'price' ? toNumber(order.quantity_requested) - filled : filled;
  return ticks === null || usdPerContractTick === null ? null : (contracts * toNumber(ticks) * usdPerContractTick.times) / usdPerContractTick.per;
}
