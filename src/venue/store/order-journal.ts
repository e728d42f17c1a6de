import type { Order } from '../model.ts';
import type { Change, Put, Row, Step } from './driver.ts';
import type { Streams } from './streams.ts';
import { orders, pending, streams as streamsTable, toWorkingRow, working } from './tables.ts';

/** Steps of a transaction, and what is to be remembered once it is on disk. */
export interface Planned {
  readonly steps: readonly Step[];
  readonly keep: () => void;
}

export interface OrderJournal {
  /** Changes that are to become visible later, or at once (`projected`). */
  readonly plan: (changes: readonly Order[], projected: boolean) => Planned;
  /** Makes the changes up to an instant visible. */
  readonly planProjection: (untilNs: bigint) => Planned & { readonly changes: readonly Order[] };
  /** Makes these, all the pending rows on disk, visible. */
  readonly planRecovery: (pendingRows: readonly Row[]) => Planned;
}

interface PendingChange {
  readonly seq: number;
  readonly order: Order;
  /** As `orders` has it. */
  readonly row: Row;
}

/** Order changes on their way from the commit to where they are seen, and the orders in the book. */
export function createOrderJournal(streams: Streams, toText: (order: Order) => string, firstSeq: number): OrderJournal {
  let nextSeq = firstSeq;
  let queue: PendingChange[] = [];

  const plan: OrderJournal['plan'] = (changes, projected) => {
    const draft = streams.draft();
    const rows = changes.map((order) => toOrderRow(order, draft.idOf(order), toText(order)));
    const queued = projected ? [] : changes.map((order, i) => ({ seq: nextSeq + i, order, row: rows[i] ?? [] }));
    return {
      steps: [
        { table: streamsTable, rows: draft.newRows() },
        projected ? { table: orders, rows } : { table: pending, rows: queued.map(({ seq, row }) => [seq, ...row]) },
        ...bookSteps(changes),
      ],
      keep: () => {
        draft.keep();
        queue.push(...queued);
        nextSeq += queued.length;
      },
    };
  };

  const planProjection: OrderJournal['planProjection'] = (untilNs) => {
    // A change never passes one before it: of an order, the newer would be replaced by the older.
    const first = queue.findIndex(({ order }) => order.lastModifiedNs > untilNs);
    const due = first === -1 ? queue : queue.slice(0, first);
    const last = due.at(-1);
    return {
      changes: due.map(({ order }) => order),
      steps: last ? [{ table: orders, rows: due.map(({ row }) => row) }, forgetPending(last.seq)] : [],
      keep: () => {
        queue = queue.slice(due.length);
      },
    };
  };

  const planRecovery: OrderJournal['planRecovery'] = (pendingRows) => ({
    steps:
      pendingRows.length === 0
        ? []
        : [{ table: orders, rows: pendingRows.map(([, ...row]) => row) }, forgetPending(nextSeq)],
    keep: () => {
      queue = [];
    },
  });

  return { plan, planProjection, planRecovery };
}

function toOrderRow({ timeNs, id, account, productId }: Order, stream: number, text: string): Row {
  return [timeNs, id, stream, account.id, productId, text];
}

function forgetPending(upToSeq: number): Change {
  return { name: 'forget pending', sql: 'DELETE FROM pending WHERE seq <= $1', values: [upToSeq] };
}

/** What the changes leave in the book: of several changes of an order, the last one tells. */
function bookSteps(changes: readonly Order[]): readonly Step[] {
  const last = [...new Map(changes.map((order) => [order.id, order])).values()];
  const resting: Put = { table: working, rows: last.filter(({ status }) => status === 'Working').map(toWorkingRow) };
  const gone = last.filter(({ status }) => status === 'Closed').map(({ id }) => id);
  return [
    resting,
    ...gone.map((id) => ({ name: 'leave book', sql: 'DELETE FROM working WHERE id = $1', values: [id] })),
  ];
}
