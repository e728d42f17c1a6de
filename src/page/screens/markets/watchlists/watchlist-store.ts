import {
  attempt,
  createStoredValue,
  parseFields,
  toFields,
  type Frame,
  type StoredValue,
} from '#page/kit/stored-value.ts';

/** A named list of products. */
export interface Watchlist {
  /** In addresses; it stays when the list is renamed. */
  readonly id: string;
  readonly name: string;
  /** Product ids, each once. Products may have expired since. */
  readonly products: readonly number[];
}

/** At least one. */
export type WatchlistStore = Pick<StoredValue<readonly Watchlist[]>, 'read' | 'subscribe' | 'update'>;

export const FIRST_LIST: Watchlist = { id: 'favourites', name: 'Favourites', products: [] };

const VERSION = 1;

export function createWatchlistStore(frame: Frame): WatchlistStore {
  const parse = (text: string | null): readonly Watchlist[] => {
    const lists = parseLists(text);
    return lists.length > 0 ? lists : [readFavourites(frame)];
  };
  return createStoredValue(frame, 'perpdesk.watchlists', {
    parse,
    format: (lists) => JSON.stringify({ version: VERSION, lists }),
  });
}

/** The list that there was before there were several. */
function readFavourites(frame: Frame): Watchlist {
  const text = attempt(() => frame.localStorage.getItem('perpdesk.favourites'));
  return { ...FIRST_LIST, products: toIds(parseFields(text, VERSION)['products']) };
}

function parseLists(text: string | null): readonly Watchlist[] {
  const { lists } = parseFields(text, VERSION);
  if (!Array.isArray(lists)) return [];
  return lists
    .map(toFields)
    .flatMap(({ id, name, products }) =>
      typeof id === 'string' && id !== '' && typeof name === 'string' ? [{ id, name, products: toIds(products) }] : [],
    );
}

function toIds(value: unknown): readonly number[] {
  return Array.isArray(value) ? [...new Set(value.filter((id) => Number.isSafeInteger(id)).map(Number))] : [];
}
