import type { AccountExposure } from '../../orders/order-totals.ts';
import type { Decimal } from '../../units/decimal.ts';
import { type Cell, toCsv } from '../../format/csv.ts';
import { formatCount } from '../../format/count.ts';
import { formatMissing } from '../../format/number.ts';
import type { GridColumn } from '../grid.ts';
import { formatUsdSum } from './figure-text.ts';

const HEADING = [
  'account_id',
  'orders',
  'bid_underlying_notional_usd',
  'ask_underlying_notional_usd',
  'bid_minus_ask_usd',
  'gross_usd',
  'orders_without_value',
  'read_at',
  'set',
  'filters',
] as const;

interface CsvContext {
  readonly readAt: string;
  /** The completeness of the list. */
  readonly set: string;
  readonly filters: readonly string[];
}

/**
 * Writes one line per account, including what the figures are of, since a file outlives the screen from which it was
 * saved.
 */
export function toExposureCsv(rows: readonly AccountExposure[], { readAt, set, filters }: CsvContext): string {
  return toCsv(
    HEADING,
    rows.map(({ account, orders, bid, ask, net, gross, unvalued }) => [
      { opaqueId: account },
      orders,
      ...[bid, ask, net, gross].map(toDigits),
      unvalued,
      readAt,
      set,
      filters.join('; '),
    ]),
  );
}

function toDigits(figure: Decimal | null): Cell {
  return figure === null ? null : { digits: figure.toFixed() };
}

type Column = GridColumn<AccountExposure>;

export const EXPOSURE_COLUMNS: readonly Column[] = [
  {
    id: 'account',
    title: 'Account',
    kind: 'text',
    width: 96,
    text: ({ account }) => account,
    value: ({ account }) => account,
    pinned: 'start',
  },
  countColumn('orders', 'Orders', 64, ({ orders }) => orders),
  usdColumn('bid', 'Bid', ({ bid }) => bid, 'Underlying notional of the account’s bids.'),
  usdColumn('ask', 'Ask', ({ ask }) => ask, 'Underlying notional of the account’s asks.'),
  usdColumn('net', 'Bid − ask', ({ net }) => net, 'Not a delta: a bid for a put or for a spread counts as a bid.'),
  usdColumn('gross', 'Gross', ({ gross }) => gross, 'Bids and asks together.'),
  {
    ...countColumn('unvalued', 'No value', 72, ({ unvalued }) => unvalued),
    text: ({ unvalued, isPending }) => (isPending ? formatMissing(isPending) : formatCount(unvalued)),
    tone: ({ unvalued, isPending }) => (unvalued > 0 && !isPending ? 'attention' : 'quiet'),
    tooltip: 'Orders that are in no sum: their market price, contract size or quantity is not known, or withheld.',
  },
];

function countColumn(id: string, title: string, width: number, value: (row: AccountExposure) => number): Column {
  return { id, title, kind: 'number', width, value, text: (row) => formatCount(value(row)) };
}

function usdColumn(id: string, title: string, read: (row: AccountExposure) => Decimal | null, tooltip: string): Column {
  return {
    id,
    title,
    kind: 'number',
    unit: 'USD',
    width: 124,
    tooltip,
    value: (row) => read(row)?.toNumber() ?? null,
    text: (row) => formatUsdSum(read(row), row.isPending),
  };
}
