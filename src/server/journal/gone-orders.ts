import { setBounded } from '#server/core/bounded-map.ts';
import type { Change, RowText } from './segment/change.ts';

/** An order that was taken to be gone, and is listed again. */
export interface ReturnedOrder {
  readonly row: RowText;
  /** As it was before readings lacked it. */
  readonly before: RowText;
  /** When a reading lacked it, and when one listed it again, in epoch milliseconds. */
  readonly goneAt: number;
  readonly at: number;
}

/** Orders that are gone, of which no change says yet how they were closed. */
export interface GoneOrders {
  readonly unexplained: () => ReadonlyMap<string, Change>;
  /** The newest orders that were listed again. */
  readonly returned: () => readonly ReturnedOrder[];
  /** How some were closed, by the order history. */
  readonly explain: (closed: ReadonlyMap<string, RowText>) => void;
  /** What was explained, as changes that the reading at `to` shows beside those of its own: an order that it lists has not ended. */
  readonly toEnded: (to: number, changes: readonly Change[]) => readonly Change[];
  /** Takes note of changes that are recorded. */
  readonly follow: (changes: readonly Change[]) => void;
}

/** As many as a screen of them would hold. */
const MAX_UNEXPLAINED = 10_000;
const MAX_RETURNED = 10_000;

export function createGoneOrders(): GoneOrders {
  const unexplained = new Map<string, Change>();
  const explained = new Map<string, RowText>();
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
    follow: (changes) => {
      const back = changes.flatMap(({ kind, id, row, to: at }): readonly ReturnedOrder[] => {
        const gone = kind === 'returned' ? unexplained.get(id) : undefined;
        return gone === undefined ? [] : [{ row, before: gone.row, goneAt: gone.to, at }];
      });
      if (back.length > 0) returned = [...returned, ...back].slice(-MAX_RETURNED);
      for (const change of changes) {
        // Also of an order that is back, which was not closed after all.
        explained.delete(change.id);
        if (change.kind === 'gone') setBounded(unexplained, change.id, change, MAX_UNEXPLAINED);
        else unexplained.delete(change.id);
      }
    },
  };
}
