import type { Watchlist } from '#page/panels/products/watchlist-store.ts';

const MOST_LISTS = 50;
export const LONGEST_NAME = 40;

/** Returns why a list cannot have this name, or null. `own` is the id of the list being renamed. */
export function whyNoName(lists: readonly Watchlist[], name: string, own: string | null = null): string | null {
  const wanted = tidy(name);
  if (wanted === '') return 'Enter a name.';
  if (wanted.length > LONGEST_NAME) return `A name has at most ${String(LONGEST_NAME)} characters.`;
  const same = lists.find((list) => list.id !== own && list.name.toLowerCase() === wanted.toLowerCase());
  if (same !== undefined) return `A watchlist named “${same.name}” already exists.`;
  return own === null && lists.length >= MOST_LISTS
    ? `The limit of ${String(MOST_LISTS)} watchlists is reached: delete one first.`
    : null;
}

export function addList(lists: readonly Watchlist[], id: string, name: string): readonly Watchlist[] {
  return [...lists, { id, name: tidy(name), products: [] }];
}

export function renameList(lists: readonly Watchlist[], id: string, name: string): readonly Watchlist[] {
  return lists.map((list) => (list.id === id ? { ...list, name: tidy(name) } : list));
}

/** The last list cannot be removed, because the star needs one. */
export function removeList(lists: readonly Watchlist[], id: string): readonly Watchlist[] {
  return lists.length === 1 ? lists : lists.filter((list) => list.id !== id);
}

/** Returns an id that no other browser uses, because a link to another person's list must not show one's own. */
export function createListId(): string {
  return [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => byte.toString(36).padStart(2, '0')).join('');
}

function tidy(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ');
}
