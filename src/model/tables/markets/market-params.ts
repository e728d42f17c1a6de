import { sortParam } from '../sort-param.ts';
import { choiceParam, textParam, wordsParam } from '../../format/url-param.ts';

/** The columns of contract terms; all but the first are hidden by default. */
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

/** As addresses name them. */
const SORTABLE_COLUMNS = [
  ...TERM_COLUMNS,
  'symbol',
  'name',
  'type',
  'last',
  'lastTrade',
  'lastDate',
  'change',
  'changePercent',
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
/** Id of a watchlist; empty for all products. */
export const listFilter = textParam('only');
export const grouping = choiceParam('group', ['none', 'underlying'], 'none');
/** Underlyings whose groups are collapsed. */
export const closedGroups = wordsParam('closed');
export const sorting = sortParam('sort', SORTABLE_COLUMNS, [{ id: 'volumeUsd', desc: true }]);
