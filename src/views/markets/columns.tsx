import { formatQuantity } from '#domain/format-quantity.ts';
import { formatDay } from '#domain/format-time.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { toOrdersAddress } from '#domain/orders-address.ts';
import type { Quantity } from '#domain/quantity.ts';
import { Link } from '#ui/navigation/link.tsx';
import type { SortableColumn } from '#ui/table/sortable-column.ts';
import { FavouriteStar } from './favourites.tsx';
import { arrowOf, directedFigure, figureLink, isWithheld, plainFigure, withheld } from './figures.tsx';
import { createFundingColumns } from './funding-columns.tsx';
import { formatPrice } from './price-digits.ts';
import styles from './markets-screen.module.css';
import { nameOf, toNote } from './to-note.ts';
import { Trend } from './trend.tsx';

type Column = SortableColumn<MarketRow>;

/** Over how many columns a group's heading stands: those that name the product. */
export const NAMING_COLUMNS = { wide: 4, narrow: 2 } as const;

/** The list's columns; prices of all products stand with their points below each other. */
export function createColumns(mostDigits: number): readonly Column[] {
  return [...namingColumns, ...createPriceColumns(mostDigits), ...activityColumns, ...createFundingColumns(), ordersColumn];
}

/** What a phone has no room for beside the figures; the product's own screen tells it. */
const WIDE_ONLY = new Set(['name', 'type']);
/** What a phone shows without scrolling. */
const FIRST = ['favourite', 'symbol', 'settlement', 'changePercent'];

/** The same list for a narrow window: where it is and how it moved come first. */
export function toNarrow(columns: readonly Column[]): readonly Column[] {
  const rank = ({ id }: Column): number => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  return columns.filter(({ id }) => !WIDE_ONLY.has(id)).toSorted((a, b) => rank(a) - rank(b));
}

const namingColumns: readonly Column[] = [
  { id: 'favourite', name: 'Favourite', nameHidden: true, cell: (row) => <FavouriteStar productId={row.productId} symbol={nameOf(row)} /> },
  {
    id: 'symbol',
    name: 'Symbol',
    sortBy: nameOf,
    cell: (row) => (
      <Link to={`/price/${String(row.productId)}`} className={styles['symbol']} tabIndex={-1}>
        {nameOf(row)}
      </Link>
    ),
  },
  {
    id: 'name',
    name: 'Name',
    sortBy: ({ product }) => product.product_name,
    cell: ({ product: { product_name: name } }) => (
      <span className={styles['name']} title={name}>
        {name ?? NO_VALUE}
      </span>
    ),
  },
  { id: 'type', name: 'Type', sortBy: ({ product }) => product.type, cell: ({ product }) => <span className={styles['quiet']}>{product.type ?? NO_VALUE}</span> },
];

function createPriceColumns(mostDigits: number): readonly Column[] {
  const priceText = (row: MarketRow, quantity: Quantity | null, signed = false): string =>
    quantity === null ? NO_VALUE : formatPrice(row, quantity, mostDigits, signed);
  return [
    {
      id: 'settlement',
      name: 'Settlement',
      unit: 'USD',
      numeric: true,
      sortBy: ({ settlement }) => settlement?.value ?? undefined,
      cell: (row) => (isWithheld(row.settlement) ? withheld : priceText(row, row.settlement)),
      note: (row) => toNote('settlement', row, row.settlement),
    },
    { id: 'trend', name: '30 days', cell: ({ trend }) => <Trend values={trend} /> },
    {
      id: 'change',
      name: 'Day change',
      unit: 'USD',
      numeric: true,
      sortBy: ({ change }) => change?.value ?? undefined,
      cell: (row) => directedFigure(row.change, priceText(row, row.change, true)),
      note: (row) => toNote('change since the settlement', row, row.change),
    },
    {
      id: 'changePercent',
      name: 'Change',
      unit: '%',
      numeric: true,
      sortBy: ({ changeFraction }) => changeFraction?.value ?? undefined,
      cell: ({ changeFraction }) => (
        <>
          {arrowOf(changeFraction)}
          {directedFigure(changeFraction, changeFraction === null ? NO_VALUE : formatQuantity(changeFraction))}
        </>
      ),
      note: (row) => toNote('change since the settlement', row, row.changeFraction),
    },
  ];
}

const ordersColumn: Column = {
  id: 'orders',
  name: 'Orders',
  nameHidden: true,
  cell: ({ product: { symbol } }) =>
    symbol !== undefined && (
      <Link to={toOrdersAddress(symbol)} className={styles['orders']} tabIndex={-1} aria-label={`Orders of ${symbol}`}>
        Orders
      </Link>
    ),
};

type Figure = 'volume' | 'volumeUsd' | 'openInterest' | 'openInterestUsd';

function figureColumn(id: Figure, name: string, unit: string, told: string): Column {
  return {
    id,
    name,
    unit,
    numeric: true,
    sortBy: (row) => row[id]?.value ?? undefined,
    cell: (row) => plainFigure(row[id], WHOLE),
    note: (row) => toNote(told, row, row[id]),
  };
}

const WHOLE = { digits: 0 };

/** Open interest is of the last days: its year goes without saying. */
const YEAR = ' 2026';

const activityColumns: readonly Column[] = [
  figureColumn('volume', '24 h volume', 'contracts', 'volume of 24 h'),
  figureColumn('volumeUsd', '24 h volume', 'USD', 'volume of 24 h'),
  {
    ...figureColumn('openInterest', 'OI', 'contracts', 'open interest'),
    cell: ({ productId, openInterest }) => figureLink(`/volume?product=${String(productId)}`, plainFigure(openInterest, WHOLE)),
  },
  figureColumn('openInterestUsd', 'OI', 'USD', 'open interest'),
  {
    id: 'openInterestDate',
    name: 'OI of',
    numeric: true,
    sortBy: ({ openInterestDate }) => openInterestDate ?? undefined,
    cell: ({ openInterestDate: day }) => <span className={styles['quiet']}>{day === null ? NO_VALUE : formatDay(day).slice(0, -YEAR.length)}</span>,
  },
];
