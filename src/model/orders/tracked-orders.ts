import { keepsDigits, wireText } from '#contract/exchange/wire-text.ts';
import type { OrderId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Source } from '../source.ts';
import type { OrderRow } from './order-row.ts';
import { compareNewest, mergeNewest, type CompletenessCheck } from './working-set.ts';

type OrderField = keyof Order;

/** A change of a row that the user has not seen yet. */
export type OrderMark =
  | { readonly kind: 'added' }
  | { readonly kind: 'changed'; readonly fields: ReadonlySet<OrderField> }
  /** The latest response does not contain the order: it is kept as it was until seen. */
  | { readonly kind: 'gone' };

/** A list of orders updated by every response, with the changes that the user has not seen yet. */
export interface TrackedOrders {
  /** Orders of the latest response, newest first. */
  readonly rows: readonly OrderRow[];
  /** Missing from the latest response, which was incomplete: they may still be working. Newest first. */
  readonly unread: readonly OrderRow[];
  /** Orders gone since the user last looked, newest first; only the latest ones if there are too many. */
  readonly gone: readonly OrderRow[];
  /** All orders gone since the user last looked, including those not in `gone`, without those that left by themselves. */
  readonly goneCount: number;
  readonly marks: ReadonlyMap<OrderId, OrderMark>;
  /** Orders that the latest response added, changed or removed. */
  readonly changeCount: number;
}

/** As many as anybody would look through. */
const MAX_GONE = 1_000;

/** Starts tracking with the first response, which has no changes. */
export function createTrackedOrders(rows: readonly OrderRow[]): TrackedOrders {
  return { rows, unread: [], gone: [], goneCount: 0, marks: new Map(), changeCount: 0 };
}

/** When a response was received, and how long gone orders are kept before they leave by themselves. */
interface KeepGone {
  readonly at: number;
  readonly keepMs: number;
}

const FOR_EVER: KeepGone = { at: 0, keepMs: Infinity };

/**
 * Merges the next response and marks what it added, changed or removed, on top of the unseen changes. An order missing
 * from an incomplete response may still be working: it is unread, not gone.
 */
export function mergeSnapshot(
  tracked: TrackedOrders,
  next: readonly OrderRow[],
  { complete }: Pick<CompletenessCheck, 'complete'>,
  { at, keepMs } = FOR_EVER,
): TrackedOrders {
  const { marks, changeCount, missing } = compareRows(tracked, next);
  const unread = complete ? [] : missing.map((row): OrderRow => ({ ...row, absent: 'unread' }));
  const removed = complete ? missing : [];
  // An order that is back has a mark by now.
  const notBack = tracked.gone.filter(({ order }) => marks.get(order.id)?.kind === 'gone');
  const stillGone = notBack.filter(({ goneAt = at }) => at - goneAt < keepMs);
  const left = notBack.length - stillGone.length;
  const goneNow = removed.slice(0, MAX_GONE).map((row): OrderRow => ({ ...row, absent: 'gone', goneAt: at }));
  const gone = mergeNewest(stillGone.slice(0, MAX_GONE - goneNow.length), goneNow);
  for (const { order } of [...notBack, ...removed]) marks.delete(order.id);
  for (const { order } of gone) marks.set(order.id, GONE);
  const goneCount = removed.length + tracked.goneCount - (tracked.gone.length - stillGone.length);
  // Those that were too many to be kept leave with the last that was.
  return {
    rows: next,
    unread,
    gone,
    goneCount: gone.length === 0 ? 0 : goneCount,
    marks,
    changeCount: changeCount + removed.length + left,
  };
}

/** Both lists are sorted newest first: what is at the same place in both is the same order, and mostly the same object. */
function compareRows(tracked: TrackedOrders, next: readonly OrderRow[]) {
  const before = mergeNewest(tracked.rows, tracked.unread);
  const marks = new Map(tracked.marks);
  const missing: OrderRow[] = [];
  let changeCount = 0;
  let at = 0;
  for (const { order } of next) {
    let known = before[at];
    for (; known !== undefined && known.order !== order && compareNewest(known.order, order) < 0; known = before[at]) {
      missing.push(known);
      at += 1;
    }
    if (known?.order.id === order.id) at += 1;
    else known = undefined;
    if (known?.order === order) continue;
    const fields = known === undefined ? NONE : findChangedFields(known.order, order);
    if (known !== undefined && fields.length === 0) continue;
    marks.set(order.id, known === undefined ? NEW : toChangedMark(marks.get(order.id), fields));
    changeCount += 1;
  }
  return { marks, changeCount, missing: [...missing, ...before.slice(at)] };
}

/** All rows to show. Orders that are gone or unread keep their place, so that no row moves. */
export function listRows({ rows, unread, gone }: TrackedOrders): readonly OrderRow[] {
  return mergeNewest(mergeNewest(rows, unread), gone);
}

/** Also for an order that was gone and is back. */
const NEW: OrderMark = { kind: 'added' };
const GONE: OrderMark = { kind: 'gone' };

function toChangedMark(mark: OrderMark | undefined, fields: readonly OrderField[]): OrderMark {
  if (mark?.kind === 'added') return mark;
  return { kind: 'changed', fields: new Set([...(mark?.kind === 'changed' ? mark.fields : []), ...fields]) };
}

/** Fields whose wire value differs. */
export function findChangedFields(before: Order, after: Order): readonly OrderField[] {
  if (before === after) return NONE;
  let changed: OrderField[] | null = null;
  for (const field in after) {
    if (isSame(before, after, field as OrderField)) continue;
    changed ??= [];
    changed.push(field as OrderField);
  }
  return changed ?? NONE;
}

const NONE: readonly OrderField[] = [];

/** Numbers that are equal as floats may differ on the wire. */
function isSame(before: Order, after: Order, field: OrderField): boolean {
  const value: unknown = after[field];
  if (before[field] !== value) return false;
  return (
    typeof value !== 'number' ||
    !(keepsDigits(before) || keepsDigits(after)) ||
    wireText(before, field) === wireText(after, field)
  );
}

/** Orders that are gone, and of which the history does not say yet how they closed. */
export function findUnexplained({ gone }: TrackedOrders): readonly OrderRow[] {
  return gone.filter(({ order }) => order.status !== 'Closed');
}

/** Shows gone orders as the history has them, if it says that they are closed. */
export function explainGone(tracked: TrackedOrders, history: readonly Order[], source: Source): TrackedOrders {
  const closed = new Map(history.filter(({ status }) => status === 'Closed').map((order) => [order.id, order]));
  if (!tracked.gone.some((row) => closed.has(row.order.id))) return tracked;
  const gone = tracked.gone.map((row): OrderRow => {
    const order = closed.get(row.order.id);
    return order === undefined ? row : { ...row, order, source };
  });
  return { ...tracked, gone };
}

/** Marks all changes as seen: removes the marks and the orders that are gone. */
export function markSeen(tracked: TrackedOrders): TrackedOrders {
  return tracked.marks.size === 0 ? tracked : { ...tracked, gone: [], goneCount: 0, marks: new Map() };
}
