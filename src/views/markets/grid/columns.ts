import { formatDay } from '#domain/format-time.ts';
import { formatNumber, NO_VALUE } from '#domain/format-number.ts';
import { toMarketTotals } from '#domain/market-totals.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { SINCE_SETTLEMENT } from '#domain/last-price.ts';
import { toOrdersAddress } from '#domain/orders-address.ts';
import type { Quantity } from '#domain/quantity.ts';
import { linkCells } from '#ui/grid/link-cells.ts';
import { toggleCells } from '#ui/grid/toggle-cells.ts';
import type { Navigator } from '#ui/navigation/navigator.ts';
import type { Clock } from '#ui/time/clock.ts';
import type { FavouriteStore } from '../filter/favourite-store.ts';
import { figureCells, quiet, type MarketColumn } from './figure-cells.ts';
import { createFundingColumns } from './funding-columns.ts';
import { fullNameOf, nameOf } from '../product-names.ts';
import { formatPrice } from './format-price.ts';
import { describeTrend, drawTrend, toTrendChange } from './trend.ts';

export interface ColumnContext {
  /** So that prices of all products stand with their points below each other. */
  readonly mostDigits: number;
  readonly navigator: Navigator;
  readonly clock: Clock;
  readonly toVenueTime: (browserNow: number) => number;
  readonly favourites: FavouriteStore;
}

/** The list's columns. */
export function createColumns(parts: ColumnContext): readonly MarketColumn[] {
  const { mostDigits, navigator } = parts;
  return [...createNamingColumns(parts), ...createPriceColumns(mostDigits), ...createActivityColumns(navigator), ...createFundingColumns(parts), createOrdersColumn(navigator)];
}

/** What a phone shows without scrolling. */
const FIRST = ['favourite', 'symbol', 'last', 'changePercent'];

/** The same list for a narrow window: where it is and how it moved come first. */
export function toNarrow(columns: readonly MarketColumn[]): readonly MarketColumn[] {
  const fit = (column: MarketColumn): MarketColumn => (column.id === 'changePercent' ? { ...column, width: 76 } : column);
  const rank = ({ id }: MarketColumn): number => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  return columns.map((column) => (column.id === UNDERLYING ? { ...column, hidden: true } : fit(column))).toSorted((a, b) => rank(a) - rank(b));
}

/** What words say of a product beside its symbol, where there is room for whole ones; the rest of the row has none to spare. */
const WORDS = ['name', 'type'];

export function toWide(columns: readonly MarketColumn[]): readonly MarketColumn[] {
  return columns.map((column) => (WORDS.includes(column.id) ? { ...column, hidden: false } : column));
}

/** Where a product's prices are. */
export function toPath({ productId }: MarketRow): string {
  return `/price/${String(productId)}`;
}

/** The column by which the list is grouped. */
export const UNDERLYING = 'underlying';
export const UNKNOWN_UNDERLYING = 'Underlying not known';

function createNamingColumns({ navigator, favourites }: ColumnContext): readonly MarketColumn[] {
  const isOn = ({ productId }: MarketRow): boolean => favourites.read().has(productId);
  const star = toggleCells<MarketRow>({
    says: 'aria-pressed',
    isOn,
    label: (row) => `Favourite ${nameOf(row)}`,
    toggle: ({ productId }) => {
      favourites.toggle(productId);
    },
    watch: favourites.subscribe,
  });
  const text = { kind: 'text', value: (row: MarketRow) => nameOf(row) } as const;
  return [
    // Hollow or filled: the shape says it, not the colour.
    { id: 'favourite', title: 'Favourite', titleHidden: true, unsorted: true, kind: 'text', width: 32, pinned: 'start', text: (row) => (isOn(row) ? '★' : '☆'), value: () => null, ...star },
    { id: 'symbol', title: 'Symbol', ...text, width: 146, pinned: 'start', text: nameOf, ...linkCells<MarketRow>(navigator, { to: toPath }) },
    { id: UNDERLYING, title: 'Underlying', unsorted: true, kind: 'text', width: 74, text: ({ product }) => product.contract_size_unit ?? UNKNOWN_UNDERLYING, value: ({ product }) => product.contract_size_unit ?? null },
    { id: 'name', title: 'Name', hidden: true, kind: 'text', width: 328, text: fullNameOf, value: ({ product }) => product.product_name ?? null, tone: quiet },
    { id: 'type', title: 'Type', hidden: true, kind: 'text', width: 76, text: ({ product }) => product.type ?? NO_VALUE, value: ({ product }) => product.type ?? null, tone: quiet },
  ];
}

function createPriceColumns(mostDigits: number): readonly MarketColumn[] {
  const price = { unit: 'USD', width: 108 };
  const write = (row: MarketRow, quantity: Quantity): string => formatPrice(row, quantity, mostDigits);
  const lastTrade = figureCells({ read: ({ last }) => last, write });
  return [
    // One from before the settlement is not where it is now.
    { id: 'last', title: 'Last', ...price, ...lastTrade, tone: (row) => (row.change === null ? 'quiet' : lastTrade.tone?.(row)) },
    { id: 'change', title: SINCE_SETTLEMENT, ...price, ...figureCells({ read: ({ change }) => change, directed: true, write: (row, quantity) => formatPrice(row, quantity, mostDigits, true) }) },
    { id: 'changePercent', title: SINCE_SETTLEMENT, unit: '%', width: 104, ...figureCells({ read: ({ changeFraction }) => changeFraction, directed: true }) },
    { id: 'settlement', title: 'Settlement', ...price, ...figureCells({ read: ({ settlement }) => settlement, write }) },
    { id: 'trend', title: '30 days', unsorted: true, kind: 'text', width: 90, text: describeTrend, value: toTrendChange, draw: drawTrend },
  ];
}

const WHOLE = { digits: 0 };

function createActivityColumns(navigator: Navigator): readonly MarketColumn[] {
  const whole = (id: 'volume' | 'volumeUsd' | 'openInterest' | 'openInterestUsd') => ({ id, ...figureCells({ read: (row) => row[id], format: WHOLE }) });
  const sum = (id: 'volumeUsd' | 'openInterestUsd') => (rows: readonly MarketRow[]) => {
    const total = toMarketTotals(rows)[id];
    return { value: total?.toNumber() ?? null, text: formatNumber(total, WHOLE) };
  };
  return [
    { ...whole('volume'), title: '24 h volume', unit: 'contracts', width: 82 },
    { ...whole('volumeUsd'), title: '24 h volume', unit: 'USD', width: 96, subtotal: sum('volumeUsd') },
    { ...whole('openInterest'), title: 'OI', unit: 'contracts', width: 68, ...linkCells<MarketRow>(navigator, { to: ({ productId }) => `/volume?product=${String(productId)}` }) },
    { ...whole('openInterestUsd'), title: 'OI', unit: 'USD', width: 94, subtotal: sum('openInterestUsd') },
    { id: 'openInterestDate', title: 'OI of', kind: 'number', width: 58, text: toInterestDay, value: ({ openInterestDate }) => openInterestDate, tone: quiet },
  ];
}

/** Open interest is of the last days: its year goes without saying. */
const YEAR = ' 2026';

function toInterestDay({ openInterestDate: day }: MarketRow): string {
  return day === null ? NO_VALUE : formatDay(day).slice(0, -YEAR.length);
}

function createOrdersColumn(navigator: Navigator): MarketColumn {
  const to = ({ product: { symbol } }: MarketRow): string | null => (symbol === undefined ? null : toOrdersAddress(symbol));
  return {
    id: 'orders',
    title: 'Orders',
    titleHidden: true,
    unsorted: true,
    kind: 'text',
    width: 58,
    text: ({ product }) => (product.symbol === undefined ? '' : 'Orders'),
    value: () => null,
    tone: quiet,
    ...linkCells<MarketRow>(navigator, { to, label: (row) => `Orders of ${nameOf(row)}` }),
  };
}
