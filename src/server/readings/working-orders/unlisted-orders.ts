import type { Log } from '#server/core/ports.ts';
import { setBounded } from '#server/core/maps.ts';
import { type Pairs, toOrderFilter } from '#server/core/order-rows.ts';
import type { RowReading } from '#server/core/row-list.ts';
import type { Row } from '#server/core/rows.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Reading } from '#server/journal/compare-reading.ts';
import { type RowText, toId } from '#server/journal/segment/change.ts';
import { findTimeRange, toDropRequest } from './drop-check.ts';
import { LAG_MS } from './order-conflicts.ts';
import type { HistoryReader } from './read-history.ts';

/**
 * Orders that the order history shows as working, but the working list lacks. Drops are found between two readings; this
 * finds a list that was never complete.
 */
export interface UnlistedOrders {
  /** Takes the next reading of the whole working set. From time to time, reads the order history to compare with. */
  readonly take: (reading: Reading, readHistory: HistoryReader) => void;
  /** Compares a page of the order history with the last reading. */
  readonly noteHistory: (rows: readonly Row[], at: number) => void;
  /** Returns why a reading with a filter is not complete, one sentence each. */
  readonly describe: (filter: Pairs, listed: Iterable<Row>) => readonly string[];
}

interface Unlisted {
  readonly row: RowText;
  /** When the history last showed it as working. */
  readonly shownAt: number;
}

/** When the parts of a complete reading were read. */
interface ReadTime {
  readonly from: number;
  readonly to: number;
}

const ASK_EVERY_MS = 600_000;
/** How long one page of the history counts. */
const FORGET_AFTER_MS = 600_000;
const MAX_UNLISTED = 1_000;

export function createUnlistedOrders({ now, log }: { readonly now: () => number; readonly log: Log }): UnlistedOrders {
  const unlisted = new Map<string, Unlisted>();
  /** Orders that were listed until recently. */
  const goneAt = new Map<string, number>();
  let listed: ReadonlySet<string> | null = null;
  /** Complete readings: the last ones, and one from before. */
  let readings: readonly ReadTime[] = [];
  let askAt: number | null = null;

  /** Returns whether the list lacked an order for so long that neither response can be behind. */
  const wasMissing = (id: string, acceptedAt: number, at: number): boolean => {
    const earlier = readings.findLast(({ to }) => to <= at - LAG_MS);
    return earlier !== undefined && acceptedAt + LAG_MS <= earlier.from && (goneAt.get(id) ?? 0) <= earlier.to;
  };

  const noteGone = (gone: RowReading['diff']['gone'], at: number): void => {
    for (const [id, since] of goneAt) if (since < at - 2 * LAG_MS) goneAt.delete(id);
    for (const { key } of gone) goneAt.set(toId(key), at);
  };

  const forget = (ids: ReadonlySet<string>, at: number): void => {
    for (const [id, { shownAt }] of unlisted) if (ids.has(id) || shownAt < at - FORGET_AFTER_MS) unlisted.delete(id);
  };

  const ask = async (rows: readonly RowText[], readHistory: HistoryReader): Promise<void> => {
    const requests =
      unlisted.size > 0
        ? [toDropRequest(Array.from(unlisted.values(), ({ row }) => row))]
        : [NEWEST, toOlderRequest(rows)];
    try {
      // Their responses arrive as those of all other reads of the history.
      for (const request of requests)
        if (request !== null)
          await readHistory(request, null, { purpose: 'prefetch', signal: new AbortController().signal });
    } catch (error) {
      if (!(error instanceof VenueFailure))
        log('error', 'order history not compared', { reason: error instanceof Error ? error.stack : String(error) });
    }
  };

  return {
    take: (reading, readHistory) => {
      const { parts, isComplete, rows } = reading;
      if (rows === undefined) return;
      const times = parts.map(({ at }) => at);
      const read = { from: Math.min(...times), to: Math.max(...times) };
      noteGone(rows.diff.gone, read.to);
      listed = isComplete ? new Set(rows.list.keys.map(toId)) : null;
      if (listed === null) return;
      forget(listed, read.to);
      const earlier = readings.findLast(({ to }) => to <= read.to - LAG_MS);
      readings = [...readings.filter((one) => one === earlier || one.to > read.to - LAG_MS), read];
      askAt ??= now() + LAG_MS;
      if (now() < askAt) return;
      askAt = now() + (unlisted.size > 0 ? LAG_MS : ASK_EVERY_MS);
      void ask(rows.list.rows, readHistory);
    },
    noteHistory: (rows, at) => {
      for (const row of rows) {
        const { id, status, time } = row;
        if (typeof id !== 'string' || typeof time !== 'string') continue;
        if (status !== 'Working') unlisted.delete(id);
        else if (listed !== null && !listed.has(id) && wasMissing(id, Date.parse(time), at))
          setBounded(unlisted, id, { row: JSON.stringify(row), shownAt: at }, MAX_UNLISTED);
      }
    },
    describe: (filter, rows) => {
      if (unlisted.size === 0) return [];
      const ids = new Set(Array.from(rows, ({ id }) => String(id)));
      const matches = toOrderFilter(filter);
      const count = [...unlisted].filter(([id, { row }]) => !ids.has(id) && matches(row)).length;
      const orders = count === 1 ? 'order that is' : 'orders that are';
      return count === 0
        ? []
        : [`The order history has ${count.toLocaleString('en-US')} working ${orders} not listed.`];
    },
  };
}

const NEWEST: Pairs = [['order', 'desc']];

/** Returns the page of the history before the oldest of these orders: a list that is cut off lacks those. */
function toOlderRequest(rows: readonly RowText[]): Pairs | null {
  const range = findTimeRange(rows);
  return range && [['end_time', toInstant(range.oldest)], ...NEWEST];
}
