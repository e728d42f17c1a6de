import { toDistance, toDistanceTicks } from '../../orders/order-distance.ts';
import { toNotional, toPrice, toRemaining, toUnderlyingNotional, toValueKind } from '../../orders/order-figures.ts';
import { findQuantityReason, type OrderRow, toOrderStatus, toProductKind } from '../../orders/order-row.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { Quantity } from '../../units/quantity.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import type { Cell, CsvForm } from '../../format/csv.ts';

/** How to read the apostrophes of a file, for its completeness report. */
export const APOSTROPHES =
  'Every value of order_id, open_ack_id, account_id, clearing_firm_code and connection_id starts with an ' +
  'apostrophe that is not part of it, so that spreadsheets keep its digits: remove the first character ' +
  'to join these columns with other data. Other texts have one only if a spreadsheet would misread ' +
  'them.';

/** How to read the two types of a product, for the completeness report. */
export const PRODUCT_TYPES_NOTE =
  'product_type is as the exchange reports it, which calls perpetuals Future; product_kind ' +
  'distinguishes perpetuals from futures.';

/** Raw fields, then derived ones with their unit in the name. */
const FULL_HEADING: readonly CsvColumn[] = [
  'order_id',
  'side',
  'symbol',
  'product_id',
  'product_type',
  'price_ticks',
  'avg_price_ticks',

  'order_quantity_contracts',
  'filled_quantity_contracts',
  'status',
  'time_in_force',
  'account_id',
  'clearing_firm_code',
  'connection_id',
  'accepted_at',
  'last_modified_at',
  'open_ack_id',

  'price_usd',
  'avg_price_usd',
  'working_quantity_contracts',
  'notional_usd',
  'standing',
  'standing_is',
  'tick_size_usd',
  'contract_size',
  'withheld_because',
  'endpoint',
  'responded_at',
  'set',
  // Programs know the other columns by position, so these newer ones follow them.
  'distance_percent',
  'distance_ticks',
  'market_price_ticks',
  'market_price_is',
  'market_price_at',
  'notional_is',
  'underlying_notional_usd',
  'product_kind',
];

/** For people: figures without the raw values, factors and endpoints behind them. */
const FIGURES_HEADING: readonly CsvColumn[] = [
  'order_id',
  'accepted_at',
  'side',
  'symbol',
  'product_type',
  'price_usd',
  'price_ticks',
  'order_quantity_contracts',
  'filled_quantity_contracts',
  'working_quantity_contracts',
  'avg_price_usd',
  'notional_usd',
  'underlying_notional_usd',
  'distance_percent',
  'standing',
  'time_in_force',
  'account_id',
  'clearing_firm_code',
  'connection_id',
  'last_modified_at',
  'withheld_because',
  'responded_at',
  'set',
  'product_kind',
];

const HEADINGS: Readonly<Record<CsvForm, readonly CsvColumn[]>> = { full: FULL_HEADING, figures: FIGURES_HEADING };

export function toOrderHeading(form: CsvForm): readonly CsvColumn[] {
  return HEADINGS[form];
}

/** What `notional_usd` is of. */
const VALUE_WORDS = { outright: 'notional', premium: 'option premium', difference: 'spread value' } as const;

/**
 * Returns the cells of an order. `set` marks each row as of a complete or incomplete list, since rows are copied out of
 * files and reports get lost.
 */
export function toOrderCells(row: OrderRow, set: string, form: CsvForm): readonly Cell[] {
  const cells = [
    ...toWireCells(row),
    ...toComputedCells(row),
    row.source.endpoint,
    row.source.respondedAt,
    set,
    ...toDistanceCells(row),
    ...toValueCells(row),
  ];
  return form === 'full' ? cells : FIGURE_PLACES.map((place) => cells[place] ?? null);
}

const FIGURE_PLACES = FIGURES_HEADING.map((name) => FULL_HEADING.indexOf(name));

function toValueCells(row: OrderRow): readonly Cell[] {
  return [
    VALUE_WORDS[toValueKind(row.order)],
    toDigits(toUnderlyingNotional(row)?.value?.toFixed() ?? null),
    toProductKind(row),
  ];
}

function toWireCells({ order }: OrderRow): readonly Cell[] {
  return [
    ...[
      { opaqueId: order.id },
      order.side,
      { id: order.symbol },
      toDigits(wireText(order, 'product_id')),
      order.product_type,
    ],
    ...[toDigits(wireText(order, 'price')), toDigits(wireText(order, 'avg_price'))],
    ...[toDigits(wireText(order, 'quantity_requested')), toDigits(wireText(order, 'quantity_filled'))],
    ...[
      order.status,
      order.time_in_force,
      { opaqueId: order.account_id },
      { opaqueId: order.clearing_firm_code },
      { opaqueId: order.connection_id },
    ],
    ...[order.time, order.last_modified, { opaqueId: order.open_ack_id }],
  ];
}

function toComputedCells(row: OrderRow): readonly Cell[] {
  const { conversion, contractSize } = row.terms;
  const { label, derived } = toOrderStatus(row.order);
  return [
    ...[
      toUsd(toPrice(row)),
      toUsd(toPrice(row, 'avg_price')),
      toDigits(toRemaining(row).value?.toFixed() ?? null),
      toUsd(toNotional(row)),
    ],
    ...[
      label,
      derived ? 'derived' : 'reported',
      toDigits(conversion?.factor ?? null),
      toDigits(contractSize?.toFixed() ?? null),
      findQuantityReason(row.order) ?? conversion?.withheld ?? null,
    ],
  ];
}

/** Returns empty cells for an order that does not rest. */
function toDistanceCells(row: OrderRow): readonly Cell[] {
  const ticks = toDistanceTicks(row);
  const { market } = row.terms;
  if (ticks === null || market === null) return [null, null, null, null, null];
  const percent = toDistance(row)?.value?.times(100).toDecimalPlaces(6) ?? null;
  const { provenance, value } = market.price;
  return [
    ...[percent, ticks.value, value].map((figure) => toDigits(figure?.toFixed() ?? null)),
    market.is,
    provenance.kind === 'read' ? provenance.dataTime : null,
  ];
}

/** Returns an empty cell without a tick size, because ticks have a column of their own. */
function toUsd({ value, unit }: Quantity): Cell {
  return unit === 'USD' ? toDigits(value?.toFixed() ?? null) : null;
}

function toDigits(text: string | null): Cell {
  return text === null ? null : { digits: text };
}
