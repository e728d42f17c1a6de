import type { Order } from '../core/model.ts';
import type { Change, Put, Row, Step } from '#sql/driver.ts';
import type { Streams } from './streams.ts';
import { orders, pending, streams as streamsTable, toWorkingRow, working } from './tables.ts';

/** The steps of a transaction, and the update of memory to make once they are on disk. */
export interface Planned {
  readonly steps: readonly Step[];
  readonly apply: () => void;
}

export interface OrderJournal {
  /** Stores changes, which become visible later or, if `projected`, at once. */
  readonly plan: (changes: readonly Order[], projected: boolean) => Planned;
  /** Makes the changes up to an instant visible. */
  readonly planProjection: (untilNs: bigint) => Planned & { readonly changes: readonly Order[] };
  /** Makes all pending rows of an earlier run visible. */
  readonly planRecovery: (pendingRows: readonly Row[]) => Planned;
}

interface PendingChange {
  readonly seq: number;
  readonly order: Order;
  /** The row for the table `orders`. */
  readonly row: Row;
}

/** Stores order changes, makes them visible later, and keeps the table of working orders up to date. */
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
        ...workingSteps(changes),
      ],
      apply: () => {
        draft.apply();
        queue.push(...queued);
        nextSeq += queued.length;
      },
    };
  };

  const planProjection: OrderJournal['planProjection'] = (untilNs) => {
    // Changes keep their order: otherwise an older state of an order could replace a newer one.
    const first = queue.findIndex(({ order }) => order.lastModifiedNs > untilNs);
    const due = first === -1 ? queue : queue.slice(0, first);
    const last = due.at(-1);
    return {
      changes: due.map(({ order }) => order),
      steps: last ? [{ table: orders, rows: due.map(({ row }) => row) }, deletePending(last.seq)] : [],
      apply: () => {
        queue = queue.slice(due.length);
      },
    };
  };

  const planRecovery: OrderJournal['planRecovery'] = (pendingRows) => ({
    steps:
      pendingRows.length === 0
        ? []
        : [{ table: orders, rows: pendingRows.map(([, ...row]) => row) }, deletePending(nextSeq)],
    apply: () => {
      queue = [];
    },
  });

  return { plan, planProjection, planRecovery };
}

function toOrderRow({ timeNs, id, account, productId }: Order, stream: number, text: string): Row {
  return [timeNs, id, stream, account.id, productId, text];
}

function deletePending(upToSeq: number): Change {
  return { name: 'delete pending', sql: 'DELETE FROM pending WHERE seq <= $1', values: [upToSeq] };
}

/** Returns the changes to the table of working orders. If an order changes several times, the last change counts. */
function workingSteps(changes: readonly Order[]): readonly Step[] {
  const last = [...new Map(changes.map((order) => [order.id, order])).values()];
  const resting: Put = { table: working, rows: last.filter(({ status }) => status === 'Working').map(toWorkingRow) };
  const closed = last.filter(({ status }) => status === 'Closed').map(({ id }) => id);
  return [
    resting,
    ...closed.map((id) => ({ name: 'leave book', sql: 'DELETE FROM working WHERE id = $1', values: [id] })),
  ];
}
