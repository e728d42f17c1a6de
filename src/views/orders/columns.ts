import type { Instant } from '#contract/instant.ts';
import { formatNumber, NO_VALUE } from '#domain/format-number.ts';
import { sumOf, type Decimal } from '#domain/decimal.ts';
import { formatCount } from '#domain/format-count.ts';
import { toFilledNotional, toFilledShare, toNotional, toPrice, toRemaining, toSortableNotional, toSortablePrice } from '#domain/orders/order-figures.ts';
import { toAgeSeconds, type OrderRow } from '#domain/orders/order-row.ts';
import { toProductKind } from '#domain/orders/product-kind.ts';
import { toRowStanding } from '#domain/orders/order-status.ts';
import { toOrderTotals, type SideTotals } from '#domain/orders/order-totals.ts';
import { compareIdTexts, compareTimeTexts, countFilled, countRequested } from '#domain/orders/order-wire.ts';
import type { GridColumn, GridTotal } from '#ui/grid/grid-column.ts';
import type { Zone } from '#ui/preferences/preferences.ts';
import { formatDuration } from '#ui/time/format-time.ts';
import { formatUsd, isWithheld, toFigureWord } from './figure-text.ts';
import { formatMoment, ZONE_NAMES } from './time-text.ts';

export interface OrderColumnOptions {
  /** Digits after the point that the most precise product of the list needs: points stand below each other. */
  readonly mostDigits: number;
  readonly zone: Zone;
  /** A phone: what stands beside a product has no room there before its price. */
  readonly isNarrow: boolean;
}

type Column = GridColumn<OrderRow>;

const LETTERS = /[a-z -]/i;
const DIGITS = /\d/;
const SPAN = /[\d dhmins]/i;
const STAMP = /[\d.: -]/;

/** The columns of every list of orders, working or closed; a list hides those that say nothing in it. */
export function createOrderColumns(options: OrderColumnOptions): readonly Column[] {
  return [...createSubjectColumns(options), ...createPriceColumns(options), ...ownerColumns, ...createTimeColumns(options), ...idColumns];
}

function createSubjectColumns({ isNarrow }: OrderColumnOptions): readonly Column[] {
  return [
    {
      ...textColumn('side', 'Side', 56, ({ order }) => order.side, LETTERS),
      tone: ({ order }) => (order.side === 'Bid' ? 'bid' : order.side === 'Ask' ? 'ask' : undefined),
      pinned: 'start',
    },
    { ...textColumn('product', 'Product', 148, ({ order }) => order.symbol), pinned: 'start' },
    { ...textColumn('type', 'Type', 76, toProductKind, LETTERS), tone: quiet, hidden: isNarrow, note: 'As the order says it, except that a perpetual’s says Future.' },
  ];
}

function createPriceColumns({ mostDigits }: OrderColumnOptions): readonly Column[] {
  return [
    {
      ...priceColumn('price', mostDigits),
      title: 'Price',
      width: 120,
      note: 'Ticks × the product’s published increment. Withheld where that increment does not hold against the venue’s own prices.',
    },
    {
      ...numberColumn('filled', 'Filled / asked', 104, ({ order }) => countFilled(order)),
      text: ({ order }) => `${formatCount(countFilled(order))} / ${formatCount(countRequested(order))}`,
      bar: ({ order }) => toFilledShare(order),
    },
    {
      ...numberColumn('remaining', 'Remaining', 84, ({ order }) => countRequested(order) - countFilled(order)),
      text: (row) => formatNumber(toRemaining(row).value),
      subtotal: (rows) => sumSides(rows, ({ remaining }) => remaining, 0),
    },
    {
      ...numberColumn('notional', 'Notional', 132, (row) => toSortableNotional(row)),
      unit: 'USD',
      text: (row) => formatUsd(toNotional(row), { digits: 2 }),
      tone: (row) => (isWithheld(row.terms) ? 'attention' : undefined),
      subtotal: (rows) => toAmounts(sumSides(rows, ({ notional }) => notional, 2)),
      note: 'Remaining contracts × price × contract size, negative where a spread’s price is. Σ|·| of a group adds up amounts without their sign; rows without a value in USD are in none.',
    },
    {
      ...priceColumn('avg_price', mostDigits),
      id: 'avgPrice',
      title: 'Avg price',
      width: 120,
      note: 'Mean price of what was filled. The venue writes it a moment after the book moves: it may lag behind Filled.',
    },
    {
      ...numberColumn('filledNotional', 'Filled value', 128, (row) => toSortableNotional(row, 'avg_price')),
      unit: 'USD',
      text: (row) => formatUsd(toFilledNotional(row), { digits: 2 }),
      tone: ({ order, terms }) => (order.avg_price !== null && isWithheld(terms) ? 'attention' : undefined),
      hidden: true,
      note: 'Filled contracts × mean price × contract size.',
    },
  ];
}

function priceColumn(field: 'price' | 'avg_price', mostDigits: number): Column {
  return {
    ...numberColumn(field, field, 104, (row) => toSortablePrice(row, field)),
    unit: 'USD',
    text: (row) => formatUsd(toPrice(row, field), { digits: row.terms.digits, mostDigits }),
    says: (row) => toFigureWord(row, field),
    tone: ({ order, terms }) => (order[field] !== null && isWithheld(terms) ? 'attention' : undefined),
  };
}

const ownerColumns: readonly Column[] = [
  { ...textColumn('tif', 'TIF', 56, ({ order }) => order.time_in_force, LETTERS), tone: quiet, note: 'How long it stands. IOC: now or never. Day: to the session’s end. GTC: until cancelled.' },
  textColumn('account', 'Account', 96, ({ order }) => order.account_id),
  { ...textColumn('firm', 'Clearing firm', 92, ({ order }) => order.clearing_firm_code), tone: quiet },
  { ...textColumn('connection', 'Connection', 84, ({ order }) => order.connection_id), tone: quiet },
  {
    ...textColumn('status', 'Status', 148, (row) => toRowStanding(row).word, /[a-z, ]/i),
    note: 'The venue says Working or Closed. How it was filled, and so how it closed, is derived from quantities; why it closed is never told.',
  },
];

function toAgeText(seconds: number | null): string {
  return seconds === null ? NO_VALUE : `${toAgeMark(seconds)} ${formatDuration(seconds)}`;
}

function createTimeColumns({ zone }: OrderColumnOptions): readonly Column[] {
  const toText = (instant: Instant): string => formatMoment(instant, zone);
  const zoneName = ZONE_NAMES[zone];
  return [
    {
      ...numberColumn('age', 'Age', 112, toAgeHours),
      filterUnit: 'hours',
      near: (row) => toHourAround(toAgeHours(row)),
      alphabet: SPAN,
      text: (row) => toAgeText(toAgeSeconds(row)),
      tone: quiet,
      note: 'Since the venue accepted it, as of the last read. ○ under an hour, ◔ under 8 hours, ◑ under a day, ● longer. An order that was just accepted may be missing for a moment.',
    },
    { ...timeColumn('time', 'Time', ({ order }) => order.time, toText), unit: zoneName },
    {
      ...timeColumn('lastModified', 'Last modified', ({ order }) => order.last_modified, toText),
      unit: zoneName,
      note: 'The last change that the venue has written down: it may lag behind the book.',
    },
  ];
}

const idColumns: readonly Column[] = [
  { ...textColumn('id', 'Order id', 168, ({ order }) => order.id, DIGITS), compare: compareIdTexts, tone: quiet },
  { ...textColumn('ack', 'Opening ack', 168, ({ order }) => order.open_ack_id, DIGITS), compare: compareIdTexts, tone: quiet, hidden: true },
];

function textColumn(id: string, title: string, width: number, text: Column['text'], alphabet?: RegExp): Column {
  return { id, title, kind: 'text', width, text, value: text, ...(alphabet && { alphabet }) };
}

function timeColumn(id: string, title: string, read: (row: OrderRow) => Instant, toText: (instant: Instant) => string): Column {
  return { id, title, kind: 'text', width: 180, text: (row) => toText(read(row)), value: read, compare: compareTimeTexts, filterUnit: 'UTC', alphabet: STAMP, tone: quiet };
}

function numberColumn(id: string, title: string, width: number, value: (row: OrderRow) => number | null): Column {
  const text: Column['text'] = (row) => String(value(row));
  return { id, title, kind: 'number', width, text, value };
}

function quiet(): string {
  return 'quiet';
}

const HOUR = 3_600;

function toAgeHours(row: OrderRow): number | null {
  const seconds = toAgeSeconds(row);
  return seconds === null ? null : seconds / HOUR;
}

function toHourAround(hours: number | null): readonly [from: number, to: number] {
  const hour = Math.floor(hours ?? NaN);
  return [hour, hour + 1];
}

/** The older, the fuller: to be told apart without colour. */
function toAgeMark(seconds: number): string {
  if (seconds < HOUR) return '○';
  if (seconds < 8 * HOUR) return '◔';
  return seconds < 24 * HOUR ? '◑' : '●';
}

/** Rows below it have signs, which it leaves out: a sum that did not say so would seem wrong. */
function toAmounts({ value, text }: GridTotal): GridTotal {
  return { value, text: value === null ? text : `Σ|·| ${text}` };
}

/** What groups show is of both sides together; the footer tells them apart. */
function sumSides(rows: readonly OrderRow[], read: (side: SideTotals) => Decimal | null, digits: number): GridTotal {
  const sum = sumOf(toOrderTotals(rows).sides.map(read));
  return { value: sum?.toNumber() ?? null, text: formatNumber(sum, { digits }) };
}
