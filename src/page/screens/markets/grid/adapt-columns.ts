import type { ColumnLayout } from '#page/kit/grid/use-stored-grid.tsx';
import type { MarketColumn } from '#model/tables/markets/figure-cells.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { type LaterFigureName, PRICE_CHANGES } from '#model/markets/price-change-names.ts';
import type { MarketColumnId, TermColumnId } from '#model/tables/markets/market-list.ts';
import type { MarketQuery, MarketQueryName } from '../shared/use-market-data.ts';

const FUNDING = ['funding', 'estimate', 'apr', 'boundary'];

/**
 * Columns that have a dash for every product of a type. A spread may be at or below zero, so percentages of it are
 * meaningless.
 */
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  perpetual: ['daysLeft'],
  future: FUNDING,
  spread: [...FUNDING, 'changePercent', ...PRICE_CHANGES, 'trend'],
  option: FUNDING,
};

/** Columns that only products of one type fill. */
const OWN: Readonly<Record<string, readonly string[]>> = { spread: ['legs'], option: ['right', 'strike'] };

/** Wide enough for both legs. */
const SPREAD_SYMBOL = 196;

function isHidden(id: string, type: string, isHiddenOtherwise: boolean): boolean {
  return EMPTY[type]?.includes(id) === true || (isHiddenOtherwise && OWN[type]?.includes(id) !== true);
}

/** Sets the default columns for one product type. */
export function toTyped(columns: readonly MarketColumn[], type: string): readonly MarketColumn[] {
  return columns.map((column) => ({
    ...column,
    hidden: isHidden(column.id, type, column.hidden === true),
    ...(type === 'spread' && column.id === 'symbol' && { width: SPREAD_SYMBOL }),
  }));
}

/** Adapts the layout chosen for all products to one product type. */
export function toTypedLayout(layout: ColumnLayout, type: string): ColumnLayout {
  const { hidden, order } = layout;
  return hidden === undefined
    ? layout
    : { ...layout, hidden: (order ?? []).filter((id) => isHidden(id, type, hidden.includes(id))) };
}

/** Columns that show by themselves what is still loading, as later figures do, or need only the products. */
type FilledByItself =
  | TermColumnId
  | LaterFigureName
  | 'favourite'
  | 'symbol'
  | 'underlying'
  | 'name'
  | 'type'
  | 'trading'
  | 'estimate'
  | 'boundary'
  | 'orders';

/**
 * The requests that fill each of the other columns.
 *
 * @internal Exported for its test.
 */
export const COLUMN_QUERIES: Readonly<
  Record<Exclude<MarketColumnId, FilledByItself>, readonly MarketQueryName[]> & Partial<Record<FilledByItself, never>>
> = {
  last: ['data', 'voi'],
  lastTrade: ['data'],
  lastDate: ['data'],
  change: ['data', 'voi'],
  changePercent: ['data'],
  settlement: ['data', 'voi'],
  settlementDate: ['data', 'voi'],
  trend: ['voi'],
  volume: ['trailing'],
  volumeUsd: ['trailing'],
  openInterest: ['voi'],
  openInterestUsd: ['voi'],
  openInterestDate: ['voi'],
  funding: ['funding'],
  apr: ['funding'],
};

/** Returns the requests that have neither succeeded nor failed yet. */
export function findPending(queries: readonly MarketQuery[]): readonly MarketQueryName[] {
  return queries.filter(({ query: { data, error } }) => data === undefined && error === null).map(({ name }) => name);
}

/** Makes a column show "…" instead of "no value" while its requests are pending. */
export function markPending(
  columns: readonly MarketColumn[],
  pending: readonly MarketQueryName[],
): readonly MarketColumn[] {
  return columns.map((column) => {
    const isPending = COLUMN_QUERIES[column.id]?.some((name) => pending.includes(name));
    return isPending
      ? { ...column, tooltip: 'Loading…', text: (row) => (isMissing(column, row) ? '…' : column.text(row)) }
      : column;
  });
}

function isMissing({ id, value }: MarketColumn, row: MarketRow): boolean {
  if ((id === 'funding' || id === 'apr') && row.funding === null) return false;
  return value(row) === null;
}

/** The columns that fit on a phone without scrolling. */
const PHONE_FIRST: readonly MarketColumnId[] = ['favourite', 'symbol', 'last', 'changePercent', 'change'];

export function toNarrow(columns: readonly MarketColumn[]): readonly MarketColumn[] {
  const fit = (column: MarketColumn): MarketColumn =>
    column.id === 'changePercent' ? { ...column, title: 'Since settle', unit: '%', width: 76 } : column;
  const rank = ({ id }: MarketColumn): number =>
    PHONE_FIRST.includes(id) ? PHONE_FIRST.indexOf(id) : PHONE_FIRST.length;
  return columns.map(fit).toSorted((a, b) => rank(a) - rank(b));
}

/** Columns shown only if the window is wide enough for them. */
const WIDE_ONLY: readonly MarketColumnId[] = ['underlying', 'type', ...PRICE_CHANGES];
/** Columns shown only in a window that would otherwise leave a quarter of its width empty. */
const WIDEST_ONLY: readonly MarketColumnId[] = [...PRICE_CHANGES, 'name', 'expiry', 'strike', 'contractSize', 'hours'];

export function toWide(columns: readonly MarketColumn[]): readonly MarketColumn[] {
  return show(columns, WIDE_ONLY);
}

export function toWidest(columns: readonly MarketColumn[]): readonly MarketColumn[] {
  return show(columns, WIDEST_ONLY);
}

function show(columns: readonly MarketColumn[], ids: readonly MarketColumnId[]): readonly MarketColumn[] {
  return columns.map((column) => (ids.includes(column.id) ? { ...column, hidden: false } : column));
}
