import { toNumber } from '#contract/exchange/brand.ts';
import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import { formatNumber, formatPercent, NO_VALUE } from '../../format/number.ts';
import { sumOf, type Decimal } from '../../units/decimal.ts';
import { formatCount } from '../../format/count.ts';
import {
  DISTANCE_BANDS,
  toDistance,
  toDistanceBand,
  toDistanceTicks,
  toSortableDistance,
  toSortableDistanceTicks,
} from '../../orders/order-distance.ts';
import {
  toFilledNotional,
  toFilledQuantity,
  toFilledShare,
  toNotional,
  toPrice,
  toRemaining,
  toSortableNotional,
  toSortablePrice,
  toSortableUnderlying,
  toUnderlyingNotional,
  toValueKind,
  type ValueKind,
} from '../../orders/order-figures.ts';
import {
  isSummed,
  isOver,
  type OrderRow,
  toProductKind,
  toRowStatus,
  toWorkingQuantity,
} from '../../orders/order-row.ts';
import { whyInDoubt } from '../../orders/order-terms.ts';
import { toOrderTotals, type SideTotals } from '../../orders/order-totals.ts';
import type { GridTotal } from '../grid.ts';
import type { Zone } from '../../format/format-time.ts';
import type { Quantity } from '../../units/quantity.ts';
import { DIGITS, numberColumn, quiet, textColumn, type Column } from './column-kinds.ts';
import {
  formatContracts,
  formatUsd,
  formatUsdSum,
  isPriceWithheld,
  isWithheld,
  NOT_AVAILABLE,
  toFigureWord,
} from './figure-text.ts';
import { createTimeColumns, toUnitAround } from './time-columns.ts';

export interface OrderColumnOptions {
  /** Fraction digits of the most precise product in the list, so that decimal points align. */
  readonly mostDigits: number;
  readonly zone: Zone;
  /** Whether the screen is a phone’s, which has no space between product and price. */
  readonly isNarrow: boolean;
}

const LETTERS = /[a-z -]/i;

/** Creates the columns of working orders and of history; each list hides some. */
export function createOrderColumns(options: OrderColumnOptions): readonly Column[] {
  const { isNarrow } = options;
  const { age, times } = createTimeColumns(options);
  const [filled, remaining] = createQuantityColumns(isNarrow);
  const { underlying, byKind } = createValueColumns(isNarrow);
  // The product, side and account of an order fit a laptop’s width. On a phone, the remaining quantity comes first.
  const quantities = isNarrow ? [remaining, filled, account] : [filled, remaining];
  return [
    ...createSubjectColumns(options),
    ...(isNarrow ? [] : [account]),
    ...createPriceColumns(options),
    ...quantities,
    ...[underlying, age, status],
    ...duplicateColumns,
    ...createFillColumns(options),
    ...channelColumns,
    ...times,
    ...byKind,
    connection,
    ...idColumns,
  ];
}

function createSubjectColumns({ isNarrow }: OrderColumnOptions): readonly Column[] {
  return [
    {
      ...textColumn('side', 'Side', isNarrow ? 40 : 56, ({ order }) => order.side, LETTERS),
      tooltip: 'Bid: buy order. Ask: sell order. The exchange’s words.',
      tone: ({ order }) => (order.side === 'Bid' ? 'bid' : order.side === 'Ask' ? 'ask' : undefined),
      pinned: 'start',
    },
    { ...textColumn('product', 'Product', isNarrow ? 144 : 148, ({ order }) => order.symbol), pinned: 'start' },
    {
      ...textColumn('type', 'Product type', 96, toProductKind, LETTERS),
      tone: quiet,
      hidden: isNarrow,
      tooltip: 'Perpetuals are shown as Perpetual; the exchange reports them as Future.',
    },
  ];
}

function createPriceColumns({ mostDigits, isNarrow }: OrderColumnOptions): readonly Column[] {
  return [
    {
      // Aligning decimal points would cost more width than a phone has.
      ...priceColumn('price', isNarrow ? 0 : mostDigits),
      title: 'Price',
      width: isNarrow ? 92 : 120,
      tooltip: 'Ticks × the published tick size. n/a where the tick size disagrees with the exchange’s own prices.',
    },
    { ...distance, hidden: isNarrow },
    ...otherDistances,
  ];
}

/** Creates the columns of filled quantities and amounts. */
function createFillColumns({ mostDigits }: OrderColumnOptions): readonly Column[] {
  return [
    {
      ...priceColumn('avg_price', mostDigits),
      id: 'avgPrice',
      title: 'Avg price',
      width: 120,
      tooltip: 'Average fill price. The exchange records it shortly after a fill, so it may lag behind Filled.',
    },
    {
      ...numberColumn('filledNotional', 'Filled value', 128, (row) => toSortableNotional(row, 'avg_price')),
      unit: 'USD',
      text: (row) => formatUsd(toFilledNotional(row), { digits: 2 }),
      tone: (row) => (isPriceWithheld(row, 'avg_price') ? 'attention' : undefined),
      hidden: true,
      tooltip: 'Filled contracts × average price × contract size.',
    },
  ];
}

function createQuantityColumns(isNarrow: boolean): readonly [filled: Column, remaining: Column] {
  const filled: Column = {
    ...numberColumn('filled', 'Filled / qty', isNarrow ? 84 : 104, toFilledQuantity),
    text: (row) => `${toCountText(row, 'quantity_filled')} / ${toCountText(row, 'quantity_requested')}`,
    tone: toQuantityTone,
    bar: toFilledShare,
  };
  const remaining: Column = {
    ...numberColumn('remaining', 'Working qty', isNarrow ? 76 : 92, toWorkingQuantity),
    text: (row) => formatContracts(toRemaining(row)),
    tone: toQuantityTone,
    subtotal: (rows) =>
      sumSides(
        rows,
        ({ remaining: contracts }) => contracts,
        (sum) => formatNumber(sum, { digits: 0 }),
      ),
    groupedUnit: (grouping) => (grouping.includes('product') ? undefined : isNarrow ? 'mixed' : 'mixed sizes'),
    tooltip:
      'Contracts that are not filled yet. Contract sizes differ between products: group totals add up ' +
      'contracts of mixed sizes, unless grouped by product.',
  };
  return [filled, remaining];
}

/**
 * Creates the columns of value. The value of an option or a spread is something different from that of other orders, so
 * each kind has its own column, and nothing adds them up.
 */
function createValueColumns(isNarrow: boolean): { readonly underlying: Column; readonly byKind: readonly Column[] } {
  const byKind = [
    {
      ...valueColumn('notional', 'Working notional', 'outright'),
      tooltip:
        'Futures and perpetuals: working qty × price × contract size. Options have a premium, spreads a ' +
        'value of their own: see their columns. Group totals are gross: sums of absolute values, ' +
        'excluding rows without a USD value.',
    },
    {
      ...valueColumn('premium', 'Option premium', 'premium'),
      hidden: isNarrow,
      tooltip:
        'Options: working qty × price × contract size, which is the premium and not the value of the underlying.',
    },
    {
      ...valueColumn('difference', 'Spread value', 'difference'),
      hidden: isNarrow,
      tooltip:
        'Spreads: working qty × price × contract size. The price is a difference of two legs, so this is ' +
        'far less than the value of either, and may be negative. Group totals are gross: sums of ' +
        'absolute values.',
    },
  ];
  const underlying: Column = {
    ...numberColumn('underlying', 'Underlying notional', 140, toSortableUnderlying),
    unit: 'USD',
    groupedUnit: () => GROSS,
    alphabet: UNSEARCHED,
    text: (row) => formatOptionalUsd(toUnderlyingNotional(row)),
    tone: (row) => (toUnderlyingNotional(row)?.withheld ? 'attention' : undefined),
    subtotal: (rows) => sumSides(rows, ({ underlying }) => underlying, formatUsdSum),
    hidden: isNarrow,
    tooltip:
      'Working qty × contract size × market price of what the contract stands for: the product itself, ' +
      'the underlying of an option, or the first leg of a spread. It can be added up over all kinds of ' +
      'products. Group totals are gross: both sides together.',
  };
  return { underlying, byKind };
}

/**
 * The heading’s unit while rows are grouped, which leaves the totals their width: rows are signed, but totals are of
 * both sides.
 */
const GROSS = 'USD, gross totals';

function valueColumn(id: string, title: string, kind: ValueKind): Column {
  const isOfKind = ({ order }: OrderRow): boolean => toValueKind(order) === kind;
  return {
    ...numberColumn(id, title, 140, (row) => (isOfKind(row) ? toSortableNotional(row) : null)),
    unit: 'USD',
    groupedUnit: () => GROSS,
    text: (row) => (isOfKind(row) ? formatUsd(toNotional(row), { digits: 2 }) : NO_VALUE),
    tone: (row) => (isOfKind(row) && isWithheld(row.terms) ? 'attention' : toQuantityTone(row)),
    subtotal: (rows) => sumSides(rows, ({ values }) => values[kind], formatUsdSum),
  };
}

function formatOptionalUsd(quantity: Quantity | null): string {
  return quantity === null ? NO_VALUE : formatUsd(quantity, { digits: 2 });
}

function toCountText({ order, terms }: OrderRow, field: 'quantity_requested' | 'quantity_filled'): string {
  const contracts = order[field];
  return contracts === null || whyInDoubt(terms, 'quantity') !== null
    ? NOT_AVAILABLE
    : formatCount(toNumber(contracts));
}

function toQuantityTone(row: OrderRow): string | undefined {
  return isSummed(row) ? undefined : 'attention';
}

function priceColumn(field: 'price' | 'avg_price', mostDigits: number): Column {
  return {
    ...numberColumn(field, field, 104, (row) => toSortablePrice(row, field)),
    unit: 'USD',
    text: (row) => formatUsd(toPrice(row, field), { digits: row.terms.digits, mostDigits }),
    word: (row) => toFigureWord(row, field),
    tone: (row) => (isPriceWithheld(row, field) ? 'attention' : undefined),
  };
}

/** Matches no character. A distance moves with the market, so typed digits mean prices and ids. */
const UNSEARCHED = /(?!)/;

const distance: Column = {
  ...distanceColumn('distance', 'Distance', toDistance, (quantity) => formatPercent(quantity.value)),
  width: 88,
  unit: '%',
  value: toSortableDistance,
  near: (row) => toUnitAround(toSortableDistance(row)),
  tooltip:
    'How far the price is from the market: from the last trade, or from the settlement if there was no ' +
    'trade. Positive: away from the market. Negative: through it. Spreads have none, since their price ' +
    'is a difference: see Distance in ticks.',
};

const otherDistances: readonly Column[] = [
  {
    ...distanceColumn('distanceTicks', 'Distance in ticks', toDistanceTicks, (quantity) =>
      formatNumber(quantity.value),
    ),
    width: 104,
    unit: 'ticks',
    value: toSortableDistanceTicks,
    hidden: true,
    tooltip: 'The distance from the market in ticks, also of spreads. Positive: away from the market.',
  },
  {
    ...textColumn('band', 'Distance band', 168, toDistanceBand, UNSEARCHED),
    compare: compareBands,
    tone: quiet,
    hidden: true,
    tooltip: 'The distance from the market in bands, to group and filter by.',
  },
];

function distanceColumn(
  id: string,
  title: string,
  read: (row: OrderRow) => Quantity | null,
  format: (quantity: Quantity) => string,
): Omit<Column, 'value' | 'width'> {
  const isWithheld = (row: OrderRow): boolean => (read(row)?.withheld ?? null) !== null;
  const text = (row: OrderRow): string => {
    const quantity = read(row);
    if (quantity === null) return NO_VALUE;
    return quantity.withheld === null ? format(quantity) : NOT_AVAILABLE;
  };
  return {
    id,
    title,
    kind: 'number',
    text,
    alphabet: UNSEARCHED,
    tone: (row) => (isWithheld(row) ? 'attention' : undefined),
  };
}

function compareBands(a: string, b: string): number {
  return DISTANCE_BANDS.findIndex((band) => band === a) - DISTANCE_BANDS.findIndex((band) => band === b);
}

const account = textColumn('account', 'Account', 96, ({ order }) => order.account_id);

/** The route of an order to the exchange. */
const channelColumns: readonly Column[] = [
  {
    ...textColumn('tif', 'TIF', 56, ({ order }) => order.time_in_force, LETTERS),
    tone: quiet,
    tooltip: 'Time in force. IOC: immediate or cancel. Day: until the session ends. GTC: good till cancelled.',
  },
  { ...textColumn('firm', 'Clearing firm', 92, ({ order }) => order.clearing_firm_code), tone: quiet },
];

const connection: Column = {
  ...textColumn('connection', 'Connection', 84, ({ order }) => order.connection_id),
  tone: quiet,
};

const status: Column = {
  ...textColumn('status', 'Status', 148, (row) => toRowStatus(row).label, /[a-z, ]/i),
  tooltip:
    'The exchange reports only Working or Closed; fill states are derived from quantities. It does not ' +
    'report why an order closed.',
};

const duplicateColumns: readonly Column[] = [
  {
    ...duplicateColumn('duplicates', 'Duplicates', ({ duplicates }) => duplicates),
    tooltip: 'How many other working orders have the same account, product, side and price.',
  },
  {
    ...duplicateColumn('twins', 'Duplicates of same qty', ({ twins }) => twins),
    width: 104,
    tooltip: 'How many other working orders have the same account, product, side, price and quantity.',
  },
];

/** Counts similar orders that are also working. */
function duplicateColumn(id: string, title: string, read: (row: OrderRow) => number | undefined): Column {
  const count = (row: OrderRow): number | null => (isOver(row) ? null : (read(row) ?? null));
  return {
    ...numberColumn(id, title, 88, count),
    ages: true,
    alphabet: UNSEARCHED,
    text: (row) => count(row)?.toString() ?? NO_VALUE,
    hidden: true,
  };
}

const idColumns: readonly Column[] = [
  {
    ...textColumn('id', 'Order ID', 168, ({ order }) => order.id, DIGITS),
    compare: compareIds,
    unique: true,
    tone: quiet,
  },
  {
    ...textColumn('ack', 'Ack ID', 168, ({ order }) => order.open_ack_id, DIGITS),
    compare: compareIds,
    unique: true,
    tone: quiet,
    hidden: true,
    tooltip: 'ID of the acknowledgement by which the exchange accepted the order.',
  },
];

function compareIds(a: string, b: string): number {
  return compareOrderIds(a as OrderId, b as OrderId);
}

/** Adds both sides together; the footer shows them separately. */
function sumSides(
  rows: readonly OrderRow[],
  read: (side: SideTotals) => Decimal | null,
  format: (sum: Decimal | null, isPending: boolean) => string,
): GridTotal {
  const { sides } = toOrderTotals(rows);
  const sum = sumOf(sides.map(read));
  const text = format(
    sum,
    sides.some(({ isPending }) => isPending),
  );
  return { value: sum?.toNumber() ?? null, text };
}
