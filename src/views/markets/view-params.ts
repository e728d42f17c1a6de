import { sortParam } from '#ui/grid/sort-param.ts';
import { choiceParam, textParam, wordsParam } from '#ui/navigation/url-param.ts';
import { COLUMN_IDS } from './column-ids.ts';

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
export const markedFilter = choiceParam('only', ['all', 'favourites'], 'all');
export const grouping = choiceParam('group', ['none', 'underlying'], 'none');
/** Underlyings whose products are folded away. */
export const closedGroups = wordsParam('closed');
export const sorting = sortParam('sort', COLUMN_IDS, [{ id: 'volumeUsd', desc: true }]);
