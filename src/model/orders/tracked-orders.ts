import type { Order } from '#contract/exchange/order.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import type { OrderId } from '#contract/exchange/ids.ts';
import type { Source } from '../response.ts';
import { addCodes, findChangedFields, type OrderField } from './order-fields.ts';
import { copyRow, type OrderRow } from './order-row.ts';
import { compareNewest, type Listed, mergeNewest } from './working-set.ts';

/** A change of a row that the user has not yet seen. */
export type OrderMark =
  | { readonly kind: 'added' }
  | { readonly kind: 'changed'; readonly fields: ReadonlySet<OrderField> }
  /** The latest response does not contain the order. It is kept as it was until the user has seen that. */
  | { readonly kind: 'gone' };

/** A list of orders that every reading updates, with the changes that the user has not yet seen. */
export interface TrackedOrders {
  /** Orders of the latest reading, newest first. */
  readonly rows: readonly OrderRow[];
  /** Orders missing from the latest reading, which was incomplete, so they may still be working. Newest first. */
  readonly unread: readonly OrderRow[];
  /** Orders gone since the user last looked, newest first. If there are too many, only the latest. */
  readonly gone: readonly OrderRow[];
  /**
   * Number of all orders gone since the user last looked, including those not in `gone`, but not those that left after
   * their time was up.
   */
  readonly goneCount: number;
  readonly marks: ReadonlyMap<OrderId, OrderMark>;
  /** All codes of accounts, firms and connections so far: a code stays private after its last order is gone. */
  readonly codes: ReadonlySet<string>;
}

/** Nobody looks through more. */
const MAX_GONE = 1_000;

/** Starts tracking with the first reading, which has no changes. */
export function createTrackedOrders(rows: readonly OrderRow[]): TrackedOrders {
  const codes = addCodes(new Set(), rows.map(toOrder));
  return { rows, unread: [], gone: [], goneCount: 0, marks: new Map(), codes };
}

/** How the next reading differs, with its circumstances. */
interface Update<Row extends Listed> {
  readonly diff: RowDiff<Row>;
  readonly complete: boolean;
  /** When the reading was received, and how long gone orders are kept before they leave the list. */
  readonly at: number;
  readonly keepMs: number;
}

/**
 * Applies the next reading and marks what it added, changed or removed, in addition to earlier unseen changes. An order
 * missing from an incomplete reading may still be working: it is unread, not gone.
 */
export function trackOrders(
  tracked: TrackedOrders,
  rows: readonly OrderRow[],
  update: Update<OrderRow>,
): TrackedOrders {
  const { marks, missing, notBack, stillGone } = compare(tracked, update);
  const { diff, complete, at } = update;
  const removed = complete ? missing : [];
  const goneNow = removed.slice(0, MAX_GONE).map((row): OrderRow => ({ ...copyRow(row), absent: 'gone', goneAt: at }));
  const gone = mergeNewest(stillGone.slice(0, MAX_GONE - goneNow.length), goneNow);
  for (const { order } of [...notBack, ...removed]) marks.delete(order.id);
  for (const { order } of gone) marks.set(order.id, GONE);
  const goneCount = removed.length + tracked.goneCount - (tracked.gone.length - stillGone.length);
  return {
    rows,
    unread: complete ? [] : missing.map((row): OrderRow => ({ ...copyRow(row), absent: 'unread' })),
    gone,
    // The orders that were too many to keep leave with the last of those that were kept.
    goneCount: gone.length === 0 ? 0 : goneCount,
    marks,
    codes: addCodes(tracked.codes, [...diff.added, ...diff.changed.map(([, after]) => after)].map(toOrder)),
  };
}

/** Counts the orders that a reading would add, change or remove. */
export function countChanges(tracked: TrackedOrders, update: Update<Listed>): number {
  const { changeCount, missing, notBack, stillGone } = compare(tracked, update);
  return changeCount + (update.complete ? missing.length : 0) + notBack.length - stillGone.length;
}

function compare<Row extends Listed>(tracked: TrackedOrders, { diff, at, keepMs }: Update<Row>) {
  const marks = new Map(tracked.marks);
  const unread = new Map(tracked.unread.map((row) => [row.order.id, row]));
  let changeCount = 0;
  const mark = (before: Listed | undefined, { order }: Listed): void => {
    const fields = before === undefined ? [] : findChangedFields(before.order, order);
    if (before !== undefined && fields.length === 0) return;
    marks.set(order.id, before === undefined ? NEW : toChangedMark(marks.get(order.id), fields));
    changeCount += 1;
  };
  for (const row of diff.added) {
    mark(unread.get(row.order.id), row);
    unread.delete(row.order.id);
  }
  for (const [before, after] of diff.changed) mark(before, after);
  const missing = [...diff.gone, ...unread.values()].toSorted((a, b) => compareNewest(a.order, b.order));
  // A gone order that returned already has another mark.
  const notBack = tracked.gone.filter(({ order }) => marks.get(order.id)?.kind === 'gone');
  const stillGone = notBack.filter(({ goneAt = at }) => at - goneAt < keepMs);
  return { marks, changeCount, missing, notBack, stillGone };
}

function toOrder({ order }: Listed): Order {
  return order;
}

/** Lists all rows to show. Gone and unread orders keep their place, so that no row moves. */
export function listRows({ rows, unread, gone }: TrackedOrders): readonly OrderRow[] {
  return mergeNewest(mergeNewest(rows, unread), gone);
}

/** Also for an order that was gone and has returned. */
const NEW: OrderMark = { kind: 'added' };
const GONE: OrderMark = { kind: 'gone' };

function toChangedMark(mark: OrderMark | undefined, fields: readonly OrderField[]): OrderMark {
  if (mark?.kind === 'added') return mark;
  return { kind: 'changed', fields: new Set([...(mark?.kind === 'changed' ? mark.fields : []), ...fields]) };
}

/** Finds the gone orders whose outcome the order history does not show yet. */
export function findUnexplained({ gone }: TrackedOrders): readonly OrderRow[] {
  return gone.filter(({ order }) => order.status !== 'Closed');
}

/** Updates gone orders from the order history, if it shows them as closed. */
export function explainGone(tracked: TrackedOrders, history: readonly Order[], source: Source): TrackedOrders {
  const closed = new Map(history.filter(({ status }) => status === 'Closed').map((order) => [order.id, order]));
  if (!tracked.gone.some((row) => closed.has(row.order.id))) return tracked;
  const gone = tracked.gone.map((row): OrderRow => {
    const order = closed.get(row.order.id);
    return order === undefined ? row : { ...row, order, source };
  });
  return { ...tracked, gone };
}

/** Marks all changes as seen: removes all marks and the gone orders. */
export function markSeen(tracked: TrackedOrders): TrackedOrders {
  return tracked.marks.size === 0 ? tracked : { ...tracked, gone: [], goneCount: 0, marks: new Map() };
}
