import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { LATER_FIGURES } from '../../markets/price-change-names.ts';
import { NO_VALUE } from '../../format/number.ts';
import { sortParam } from '../grid.ts';
import { choiceParam, textParam, wordsParam } from '../../format/url-param.ts';

/** The columns of contract terms. All but the first are hidden by default. */
export const TERM_COLUMNS = [
  'daysLeft',
  'expiry',
  'strike',
  'right',
  'underlyingProduct',
  'legs',
  'contractSize',
  'tickSize',
  'hours',
  'firstDay',
] as const;

export type TermColumnId = (typeof TERM_COLUMNS)[number];

/** As named in addresses. */
const SORTABLE_COLUMNS = [
  ...TERM_COLUMNS,
  'symbol',
  'name',
  'type',
  'last',
  'lastTrade',
  'trading',
  'lastDate',
  'change',
  'changePercent',
  ...LATER_FIGURES,
  'settlement',
  'settlementDate',
  'volume',
  'volumeUsd',
  'openInterest',
  'openInterestUsd',
  'openInterestDate',
  'funding',
  'estimate',
  'apr',
  'boundary',
] as const;

export type MarketColumnId = (typeof SORTABLE_COLUMNS)[number] | 'favourite' | 'underlying' | 'trend' | 'orders';

export const TYPES = [
  ['all', 'All'],
  ['perpetual', 'Perpetuals'],
  ['future', 'Futures'],
  ['spread', 'Spreads'],
  ['option', 'Options'],
] as const;

export const textFilter = textParam('q');
export const typeFilter = choiceParam('type', ['all', 'perpetual', 'future', 'spread', 'option'], 'all');
/** `7d`, `30d`, or `2026-12-01..2026-12-31`, either end of which may be missing. */
export const expiryFilter = textParam('expires');
/** `call` or `put`. */
export const rightFilter = textParam('right');
/** The id of a watchlist; empty for all products. */
export const listFilter = textParam('only');
export const grouping = choiceParam('group', ['none', 'underlying'], 'none');
/** Underlyings whose groups are closed. */
export const closedGroups = wordsParam('closed');
export const sorting = sortParam('sort', SORTABLE_COLUMNS, [{ id: 'volumeUsd', desc: true }]);

export interface RowFilter {
  /** Ids of the products that the text finds; null without a text. */
  readonly found: ReadonlySet<number> | null;
  /** `all`, or a type of product. */
  readonly type: string;
  /** The test of the term filters; null if there are none. */
  readonly terms: ((row: MarketRow) => boolean) | null;
  /** Ids of the products on the watchlist shown; null if all products are shown. */
  readonly listed: ReadonlySet<number> | null;
}

export function filterRows(
  rows: readonly MarketRow[],
  { found, type, terms, listed }: RowFilter,
): readonly MarketRow[] {
  return rows.filter((row) => {
    const { productId, product } = row;
    return (
      (type === 'all' || product.type === type) &&
      listed?.has(productId) !== false &&
      found?.has(productId) !== false &&
      terms?.(row) !== false
    );
  });
}

export function toIds(products: readonly DeskProduct[]): ReadonlySet<number> {
  return new Set(products.map(({ product_id: id }) => toNumber(id)));
}

/** Returns the symbol, or the id of a product that the directory does not describe. */
export function nameOf({ product, productId }: MarketRow): string {
  return product.symbol ?? String(productId);
}

export function fullNameOf({ product }: MarketRow): string {
  return product.product_name ?? NO_VALUE;
}
