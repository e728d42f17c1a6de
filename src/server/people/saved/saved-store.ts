import type { SavedItem, ShareViewBody } from '#contract/desk/saved.ts';
import type { Read, Row } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { savedItems, sharedViews } from '#server/store/tables.ts';
import { toInstant } from '#server/core/to-instant.ts';

export interface StoredView extends Pick<ShareViewBody, 'id' | 'list' | 'name' | 'query' | 'role'> {
  readonly owner: string;
  readonly by: string;
  /** Words that name owners, if the sharer does not see all owners; null or absent if the sharer does. */
  readonly named?: readonly string[] | null;
  readonly version: number;
  /** In epoch milliseconds. */
  readonly sharedAt: number;
}

/** Returns the item to put or drop, given what is stored. If it throws, nothing changes. */
type Plan<Stored> = (stored: readonly Stored[]) => Stored;

/** What people save. Nothing is kept in memory, since another server may have written it. */
export interface SavedStore {
  readonly items: (owner: string) => Promise<readonly SavedItem[]>;
  readonly putItem: (owner: string, plan: Plan<SavedItem>) => Promise<SavedItem>;
  readonly views: () => Promise<readonly StoredView[]>;
  readonly putView: (plan: Plan<StoredView>) => Promise<StoredView>;
  readonly dropView: (plan: Plan<StoredView>) => Promise<StoredView>;
}

export function createSavedStore({ read, mustWrite }: Pick<Store, 'read' | 'mustWrite'>): SavedStore {
  return {
    items: async (owner) => (await read((store) => store.read(itemsOf(owner)))).map(toItem),
    putItem: (owner, plan) =>
      mustWrite(async (store) => {
        const item = plan((await store.read(itemsOf(owner))).map(toItem));
        await store.writeThrough([
          { table: savedItems, rows: [[owner, item.name, item.text, item.version, Date.parse(item.saved_at)]] },
        ]);
        return item;
      }),
    views: async () => (await read((store) => store.read(ALL_VIEWS))).map(toView),
    putView: (plan) =>
      mustWrite(async (store) => {
        const view = plan((await store.read(ALL_VIEWS)).map(toView));
        const { id, owner, version, sharedAt, ...body } = view;
        await store.writeThrough([
          { table: sharedViews, rows: [[id, owner, JSON.stringify(body), version, sharedAt]] },
        ]);
        return view;
      }),
    dropView: (plan) =>
      mustWrite(async (store) => {
        const view = plan((await store.read(ALL_VIEWS)).map(toView));
        await store.writeThrough([
          { name: 'drop shared view', sql: 'DELETE FROM shared_view WHERE id = $1', values: [view.id] },
        ]);
        return view;
      }),
  };
}

const ALL_VIEWS: Read = {
  name: 'shared views',
  sql: 'SELECT id, owner, body, version, shared_at FROM shared_view',
  values: [],
};

function itemsOf(owner: string): Read {
  return {
    name: 'saved items',
    sql: 'SELECT name, body, version, saved_at FROM saved_item WHERE owner = $1 ORDER BY name',
    values: [owner],
  };
}

function toItem([name, body, version, savedAt]: Row): SavedItem {
  return { name: String(name), text: String(body), version: Number(version), saved_at: toInstant(Number(savedAt)) };
}

function toView([id, owner, body, version, sharedAt]: Row): StoredView {
  const fields = JSON.parse(String(body)) as Pick<StoredView, 'list' | 'name' | 'query' | 'role' | 'by' | 'named'>;
  return { id: String(id), owner: String(owner), ...fields, version: Number(version), sharedAt: Number(sharedAt) };
}
