import { sortParam } from '#ui/grid/sort-param.ts';
import { choiceParam, textParam, wordsParam } from '#ui/navigation/url-param.ts';

/** As addresses name them. */
const SORTABLE_COLUMNS = [
  'symbol',
  'name',
  'type',
  'last',
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
export const favouritesFilter = choiceParam('only', ['all', 'favourites'], 'all');
export const grouping = choiceParam('group', ['none', 'underlying'], 'none');
/** Underlyings whose groups are collapsed. */
export const closedGroups = wordsParam('closed');
export const sorting = sortParam('sort', SORTABLE_COLUMNS, [{ id: 'volumeUsd', desc: true }]);
