import {
  attempt,
  createStoredValue,
  type Frame,
  parseFields,
  type StoredValue,
  toFields,
} from '#page/kit/stored-value.ts';

/** A named list of products. */
export interface Watchlist {
  /** Used in addresses, so it stays the same when the list is renamed. */
  readonly id: string;
  readonly name: string;
  /** Product ids without duplicates. Some products may have expired. */
  readonly products: readonly number[];
}

/** The lists; there is always at least one. */
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

/**
 * The id of the list chosen last. Other tabs do not follow it, because one tab must not change which list another tab's
 * star adds to.
 */
export function createChosenList(frame: Frame): Pick<StoredValue<string>, 'read' | 'write'> {
  return createStoredValue(frame, 'perpdesk.last.watchlist', { parse: (text) => text ?? '', format: (id) => id });
}

/** Reads the single list that versions before several lists stored. */
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

/** Shows which products are on a list, adds them and removes them. */
export interface Star {
  readonly listName: () => string;
  readonly isOn: (productId: number) => boolean;
  readonly toggle: (productId: number) => void;
  readonly subscribe: WatchlistStore['subscribe'];
}

export function createStar({ read, subscribe, update }: WatchlistStore, listId: string): Star {
  const find = (): Watchlist | undefined => read().find(({ id }) => id === listId);
  const isOn = (productId: number): boolean => find()?.products.includes(productId) === true;
  return {
    listName: () => find()?.name ?? '',
    isOn,
    subscribe,
    toggle: (productId) => {
      // Another tab may have added it since. The star then still offers to add it, and that is what a click does.
      const wasOn = isOn(productId);
      update((lists) => lists.map((list) => (list.id === listId ? setProduct(list, productId, !wasOn) : list)));
    },
  };
}

function setProduct(list: Watchlist, productId: number, isOn: boolean): Watchlist {
  const others = list.products.filter((id) => id !== productId);
  return { ...list, products: isOn ? [...others, productId] : others };
}
