import { createStoredValue, parseFields, type Frame, type StoredValue } from '#ui/stored-value.ts';

export interface FavouriteStore extends Pick<StoredValue<ReadonlySet<number>>, 'read' | 'subscribe'> {
  readonly toggle: (productId: number) => void;
}

const VERSION = 1;

export function createFavouriteStore(frame: Frame): FavouriteStore {
  const { read, subscribe, write } = createStoredValue(frame, 'perpdesk.favourites', { parse: parseFavourites, format: formatFavourites });
  return {
    read,
    subscribe,
    toggle: (productId) => {
      const favourites = read();
      write(new Set(favourites.has(productId) ? [...favourites].filter((id) => id !== productId) : [...favourites, productId]));
    },
  };
}

function parseFavourites(text: string | null): ReadonlySet<number> {
  const { products } = parseFields(text, VERSION);
  return new Set(Array.isArray(products) ? products.filter((id) => Number.isSafeInteger(id)).map(Number) : []);
}

function formatFavourites(favourites: ReadonlySet<number>): string {
  return JSON.stringify({ version: VERSION, products: [...favourites] });
}
