import { describeFigure, describeProvenance, type ProvenanceLine } from '#model/format/provenance.ts';
import { describeCheck } from '#model/checks/describe-check.ts';
import { toDistance, toDistanceTicks } from '#model/orders/order-distance.ts';
import {
  toContracts,
  toFilledNotional,
  toNotional,
  toPrice,
  toRemaining,
  toTicks,
  toUnderlyingNotional,
  toValueKind,
  type ValueKind,
} from '#model/orders/order-figures.ts';
import { type OrderRow, toRowStatus } from '#model/orders/order-row.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { findWithheldReason } from '#contract/exchange/row-notes.ts';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import type { GridCell } from '#page/kit/grid/grid-props.ts';
import { formatInAllZones } from '#model/format/format-time.ts';

type Line = ProvenanceLine;

/** The figures of a row, by column id. */
const FIGURES: Readonly<Record<string, (row: OrderRow) => Quantity>> = {
  price: (row) => toPrice(row),
  avgPrice: (row) => toPrice(row, 'avg_price'),
  filled: (row) => toContracts(row, 'quantity_filled'),
  remaining: toRemaining,
  notional: toNotional,
  premium: toNotional,
  difference: toNotional,
  filledNotional: toFilledNotional,
};

const KINDS: Readonly<Record<string, ValueKind>> = {
  notional: 'outright',
  premium: 'premium',
  difference: 'difference',
};
const DISTANCES: Readonly<Record<string, (row: OrderRow) => Quantity | null>> = {
  distance: toDistance,
  distanceTicks: toDistanceTicks,
  band: toDistance,
};

/** The wire fields of the other columns. */
const FIELDS = {
  side: 'side',
  product: 'symbol',
  type: 'product_type',
  tif: 'time_in_force',
  account: 'account_id',
  firm: 'clearing_firm_code',
  connection: 'connection_id',
  time: 'time',
  age: 'time',
  lastModified: 'last_modified',
  id: 'id',
  ack: 'open_ack_id',
} as const;

export function explainGridCell({ row, column }: GridCell<OrderRow>): CellTooltip {
  return { title: `${column.title}: ${column.text(row).trim()}`, facts: explainCell(row, column.id) };
}

/** Returns the provenance of a cell; empty for an unknown column. */
export function explainCell(row: OrderRow, columnId: string): readonly Line[] {
  const kind = KINDS[columnId];
  if (kind !== undefined && kind !== toValueKind(row.order))
    return [{ name: 'No value', value: `${row.order.symbol} has none: its product type is ${row.order.product_type}` }];
  const figure = FIGURES[columnId];
  if (figure !== undefined)
    return [
      ...explainTicks(row, columnId),
      ...describeProvenance(figure(row), formatInAllZones),
      ...explainCheck(row, columnId),
    ];
  const distance = DISTANCES[columnId];
  if (distance !== undefined) return describeFigure(distance(row), formatInAllZones);
  if (columnId === 'underlying') return describeFigure(toUnderlyingNotional(row), formatInAllZones);
  if (columnId === 'status') return explainStatus(row);
  if (columnId === 'duplicates') return explainDuplicates(row, row.duplicates, 'product, side and price');
  if (columnId === 'twins') return explainDuplicates(row, row.twins, 'product, side, price and quantity');
  return columnId in FIELDS ? explainField(row, FIELDS[columnId as keyof typeof FIELDS]) : [];
}

function explainTicks(row: OrderRow, columnId: string): readonly Line[] {
  if (columnId !== 'price' && columnId !== 'avgPrice') return [];
  const { value } = toTicks(row, columnId === 'price' ? 'price' : 'avg_price');
  return [{ name: 'Ticks', value: value?.toFixed() ?? 'none' }];
}

function explainCheck({ terms }: OrderRow, columnId: string): readonly Line[] {
  if (
    !['price', 'avgPrice', 'notional', 'premium', 'difference', 'filledNotional'].includes(columnId) ||
    terms.conversion === null ||
    terms.conversion.withheld === terms.doubt?.reason
  )
    return [];
  const { check } = terms;
  return [{ name: 'Tick size check', value: check === null ? 'not done yet' : describeCheck(check) }];
}

function explainStatus(row: OrderRow): readonly Line[] {
  const { label, derived, explanation } = toRowStatus(row);
  return [
    { name: derived ? 'Derived' : 'Reported', value: label },
    { name: 'Explanation', value: explanation },
    { name: 'Endpoint', value: `GET ${row.source.target}`, code: true },
    { name: 'Read at', value: formatInAllZones(row.asOf) },
  ];
}

function explainDuplicates(
  { order, source, asOf }: OrderRow,
  count: number | undefined,
  what: string,
): readonly Line[] {
  if (count === undefined) return [];
  return [
    { name: 'Computed', value: `Other working orders of account ${order.account_id} with the same ${what}` },
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Read at', value: formatInAllZones(asOf) },
  ];
}

function explainField({ order, source }: OrderRow, field: (typeof FIELDS)[keyof typeof FIELDS]): readonly Line[] {
  const isTime = field === 'time' || field === 'last_modified';
  const value = order[field];
  const reason = findWithheldReason(order, field);
  return [
    { name: 'Field', value: field, code: true },
    ...(value === null ? [] : [{ name: 'Raw value', value, code: true }]),
    ...(reason === null ? [] : [{ name: 'Withheld', value: reason }]),
    ...(isTime && value !== null ? [{ name: 'In time zones', value: formatInAllZones(value) }] : []),
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
}
