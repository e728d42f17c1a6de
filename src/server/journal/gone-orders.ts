import { setBounded } from '#server/core/maps.ts';
import type { Change, RowText } from './segment/change.ts';
import { type JournalStore, toOrderKey } from './journal-store.ts';
import { decodeOrder } from './segment/block.ts';

/** An order that was recorded as gone but is listed again. */
export interface ReturnedOrder {
  readonly row: RowText;
  /** Its last row before it was missing. */
  readonly before: RowText;
  /** When a reading lacked it, in epoch milliseconds; `at` is when a reading listed it again. */
  readonly goneAt: number;
  readonly at: number;
}

/** Orders that the order history shows as closed, as of one read of it. */
export interface Finds {
  /** When the last page of the history was read, in epoch milliseconds. */
  readonly at: number;
  /** When its first page was read: the history was read up to then. */
  readonly readTo: number;
  /** The rows of closed orders by ID. */
  readonly closed: ReadonlyMap<string, FoundOrder>;
}

export interface FoundOrder {
  readonly row: RowText;
  /** In epoch milliseconds, by the clock of the readings. */
  readonly acceptedAt: number;
}

/** Orders that are gone while no change says yet how they were closed. */
export interface GoneOrders {
  readonly unexplained: () => ReadonlyMap<string, Change>;
  /** The newest orders that were listed again. */
  readonly returned: () => readonly ReturnedOrder[];
  /** Takes rows of the order history that show how some of them were closed. */
  readonly explain: (closed: ReadonlyMap<string, RowText>) => void;
  /**
   * Returns the explained orders as changes to record with the reading at `to`. An order that this reading lists has
   * not ended.
   */
  readonly toEnded: (to: number, changes: readonly Change[]) => readonly Change[];
  /** Returns the change that recorded an order as gone, although it may be listed again. */
  readonly goneOf: (id: string) => Change | undefined;
  /** Updates the set after changes were recorded. */
  readonly follow: (changes: readonly Change[]) => void;
}

/** The most rows that a screen would list. */
const MAX_UNEXPLAINED = 10_000;
const MAX_RETURNED = 10_000;
const MAX_PASSED = 10_000;

export function createGoneOrders(): GoneOrders {
  const unexplained = new Map<string, Change>();
  const explained = new Map<string, RowText>();
  /** The last orders that no reading listed. */
  const passed = new Map<string, Change>();
  let returned: readonly ReturnedOrder[] = [];
  return {
    unexplained: () => unexplained,
    returned: () => returned,
    explain: (closed) => {
      for (const [id, row] of closed) if (unexplained.has(id)) explained.set(id, row);
    },
    toEnded: (to, changes) => {
      const back = new Set(changes.flatMap(({ kind, id }) => (kind === 'returned' ? [id] : [])));
      return [...explained].flatMap(([id, row]): Change[] => {
        const gone = unexplained.get(id);
        return gone === undefined || back.has(id) ? [] : [{ kind: 'ended', id, from: gone.from, to, row }];
      });
    },
    goneOf: (id) => unexplained.get(id) ?? passed.get(id),
    follow: (changes) => {
      const back = changes.flatMap(({ kind, id, row, to: at }): readonly ReturnedOrder[] => {
        const gone = kind === 'returned' ? unexplained.get(id) : undefined;
        return gone === undefined ? [] : [{ row, before: gone.row, goneAt: gone.to, at }];
      });
      if (back.length > 0) returned = [...returned, ...back].slice(-MAX_RETURNED);
      for (const change of changes) {
        // Also for an order that returned, since it was not closed after all.
        explained.delete(change.id);
        if (change.kind === 'passed') setBounded(passed, change.id, change, MAX_PASSED);
        else passed.delete(change.id);
        if (change.kind === 'gone') setBounded(unexplained, change.id, change, MAX_UNEXPLAINED);
        else unexplained.delete(change.id);
      }
    },
  };
}

/**
 * Finds in earlier segments the change that recorded an ended or returned order as gone, and passes it on. The segment
 * may have been dropped.
 */
export async function findGone(
  store: Pick<JournalStore, 'blocksWith'>,
  { id, from }: Change,
  remember: (gone: Change) => void,
): Promise<void> {
  const blocks = await store.blocksWith(toOrderKey(id));
  const changes = blocks.flatMap(({ content }) => decodeOrder(content, id).changes);
  const gone = changes.findLast(({ kind, from: after }) => (kind === 'gone' || kind === 'passed') && after === from);
  if (gone !== undefined) remember(gone);
}
