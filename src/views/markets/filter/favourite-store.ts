import { createKeptValue, parseFields, type Frame, type KeptValue } from '#ui/stored-value.ts';

/** Which products a reader has marked. */
export interface FavouriteStore extends Pick<KeptValue<ReadonlySet<number>>, 'read' | 'subscribe'> {
  readonly toggle: (productId: number) => void;
}

const VERSION = 1;

export function createFavouriteStore(frame: Frame): FavouriteStore {
  const { read, subscribe, write } = createKeptValue(frame, 'perpdesk.favourites', { parse: parseFavourites, format: formatFavourites });
  return {
    read,
    subscribe,
    toggle: (productId) => {
      const marked = read();
      write(new Set(marked.has(productId) ? [...marked].filter((id) => id !== productId) : [...marked, productId]));
    },
  };
}

function parseFavourites(text: string | null): ReadonlySet<number> {
  const { products } = parseFields(text, VERSION);
  return new Set(Array.isArray(products) ? products.filter((id) => Number.isSafeInteger(id)).map(Number) : []);
}

function formatFavourites(marked: ReadonlySet<number>): string {
  return JSON.stringify({ version: VERSION, products: [...marked] });
}
