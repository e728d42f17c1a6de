import { toNotional, toPrice, toRemaining } from '#domain/orders/order-figures.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { toStanding } from '#domain/orders/order-status.ts';
import { toWireText } from '#domain/orders/order-wire.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { Cell } from '#ui/csv.ts';

/** Fields as they came, then what was made of them; the unit stands in the name. */
export const ORDER_CSV_HEADING: readonly string[] = [
  ...['id', 'side', 'symbol', 'product_id', 'product_type', 'price_ticks', 'avg_price_ticks'],
  ...['quantity_requested', 'quantity_filled', 'status', 'time_in_force', 'account_id', 'clearing_firm_code', 'connection_id'],
  ...['time', 'last_modified', 'open_ack_id'],
  ...['price_usd', 'avg_price_usd', 'quantity_remaining', 'notional_usd', 'standing', 'standing_is', 'usd_per_tick', 'contract_size', 'withheld'],
  ...['endpoint', 'answered_at', 'set'],
];

/** `set` says of each row whether the list it belongs to is complete: rows are cut out of files, and files lose their neighbours. */
export function toOrderCells(row: OrderRow, set: string): readonly Cell[] {
  return [...toWireCells(row), ...toComputedCells(row), row.source.endpoint, row.source.answeredAt, set];
}

function toWireCells({ order }: OrderRow): readonly Cell[] {
  return [
    ...[{ id: order.id }, order.side, { id: order.symbol }, toDigits(toWireText(order, 'product_id')), order.product_type],
    ...[toDigits(toWireText(order, 'price')), toDigits(toWireText(order, 'avg_price'))],
    ...[toDigits(toWireText(order, 'quantity_requested')), toDigits(toWireText(order, 'quantity_filled'))],
    ...[order.status, order.time_in_force, { id: order.account_id }, { id: order.clearing_firm_code }, { id: order.connection_id }],
    ...[order.time, order.last_modified, { id: order.open_ack_id }],
  ];
}

function toComputedCells(row: OrderRow): readonly Cell[] {
  const { conversion, contractSize } = row.terms;
  const { word, derived } = toStanding(row.order);
  return [
    ...[toUsd(toPrice(row)), toUsd(toPrice(row, 'avg_price')), toDigits(toRemaining(row).value?.toFixed() ?? null), toUsd(toNotional(row))],
    ...[word, derived ? 'derived' : 'as told', toDigits(conversion?.factor ?? null), toDigits(contractSize?.toFixed() ?? null), conversion?.withheld ?? null],
  ];
}

/** What has no increment stays in ticks, which is another column. */
function toUsd({ value, unit }: Quantity): Cell {
  return unit === 'USD' ? toDigits(value?.toFixed() ?? null) : null;
}

function toDigits(text: string | null): Cell {
  return text === null ? null : { digits: text };
}
