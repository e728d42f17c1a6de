import { sortParam } from '#ui/grid/sort-param.ts';
import { choiceParam, textParam, wordsParam } from '#ui/navigation/url-param.ts';

/** Columns by which the list can be sorted, as addresses name them. */
const SORTABLE_COLUMNS = [
  'symbol',
  'name',
  'type',
  'last',
  'change',
  'changePercent',
  'settlement',
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

/** What the list shows; all of it is in the address, so that a link shows the same. */
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
/** Underlyings whose products are folded away. */
export const closedGroups = wordsParam('closed');
export const sorting = sortParam('sort', SORTABLE_COLUMNS, [{ id: 'volumeUsd', desc: true }]);
