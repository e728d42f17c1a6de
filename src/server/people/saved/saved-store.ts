import type { SavedItem, ShareViewBody } from '#contract/desk/saved.ts';
import type { Read, Row, Step } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { LOCK_ACCESS } from '../accounts/access-registry.ts';
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
  /** Plans from what is stored, which no other server changes meanwhile. */
  const change = <Item>(
    stored: Read,
    toStored: (row: Row) => Item,
    plan: Plan<Item>,
    toStep: (item: Item) => Step,
  ): Promise<Item> =>
    mustWrite(({ transact }) =>
      transact(function* () {
        yield LOCK_ACCESS;
        const item = plan((yield stored).map(toStored));
        yield toStep(item);
        return item;
      }),
    );
  return {
    items: async (owner) => (await read((store) => store.read(itemsOf(owner)))).map(toItem),
    putItem: (owner, plan) =>
      change(itemsOf(owner), toItem, plan, ({ name, text, version, saved_at: savedAt }) => ({
        table: savedItems,
        rows: [[owner, name, text, version, Date.parse(savedAt)]],
      })),
    views: async () => (await read((store) => store.read(ALL_VIEWS))).map(toView),
    putView: (plan) =>
      change(ALL_VIEWS, toView, plan, ({ id, owner, version, sharedAt, ...body }) => ({
        table: sharedViews,
        rows: [[id, owner, JSON.stringify(body), version, sharedAt]],
      })),
    dropView: (plan) =>
      change(ALL_VIEWS, toView, plan, ({ id }) => ({
        name: 'drop shared view',
        sql: 'DELETE FROM shared_view WHERE id = $1',
        values: [id],
      })),
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
