import type { DeskWorking } from '#contract/desk.ts';
import type { Order } from '#contract/order.ts';
import type { Instant } from '#contract/instant.ts';
import { compareOrderIds } from '#contract/ids.ts';

/** One read of the venue that the working set is made of. */
interface ProvenPart {
  /** `product_type=Future, account_id=…`; `everything` where nothing was asked for. */
  readonly asked: string;
  /** The product that was asked for, by its id, where one was. */
  readonly product: string | null;
  readonly count: number;
  readonly readAt: Instant;
}

/** Whether the working set is all of it, and what says so. */
export interface WorkingProof {
  readonly complete: boolean;
  /** Sentences: what keeps it from being complete. */
  readonly unproven: readonly string[];
  readonly parts: readonly ProvenPart[];
  /** Orders of all parts together, each counted once. */
  readonly orders: number;
  /** Orders that were in more than one answer, or twice in one. */
  readonly repeated: number;
  readonly readFrom: Instant | null;
  readonly readTo: Instant | null;
}

export interface WorkingSet {
  /** Each order once, as it came last. */
  readonly orders: readonly Order[];
  readonly proof: WorkingProof;
}

/** What the desk says of the set is not taken on trust: ids are counted here again, and rows that could not be read count. */
export function toWorkingSet(answer: DeskWorking, unreadable: number): WorkingSet {
  const byId = new Map(answer.orders.map((order) => [order.id, order]));
  const repeated = answer.orders.length - byId.size;
  const counted = answer.parts.reduce((sum, { count }) => sum + count, 0);
  const came = answer.orders.length + unreadable;
  const own = [
    ...(unreadable > 0 ? [`${String(unreadable)} orders could not be read and are not in the list.`] : []),
    ...(repeated > 0 && answer.unproven.length === 0 ? [`${String(repeated)} orders came twice.`] : []),
    ...(counted === came ? [] : [`The parts have ${String(counted)} orders by their count, and ${String(came)} came.`]),
  ];
  const unproven = [...answer.unproven, ...own];
  const parts = answer.parts.map(({ filter, count, read_at: readAt }) => ({ asked: describeFilter(filter), product: filter.product_id ?? null, count, readAt }));
  return {
    orders: repeated === 0 ? answer.orders : [...byId.values()],
    proof: {
      complete: answer.complete && unproven.length === 0,
      unproven: answer.complete || unproven.length > 0 ? unproven : ['The desk says so without saying why.'],
      parts,
      orders: byId.size,
      repeated,
      readFrom: answer.read_from,
      readTo: answer.read_to,
    },
  };
}

function describeFilter(filter: object): string {
  return Object.entries(filter).map(([name, value]) => `${name}=${String(value)}`).join(', ') || 'everything';
}

/** The usual order of a list: the newest first, since ids grow. */
export function compareNewest(a: Order, b: Order): number {
  return compareOrderIds(b.id, a.id);
}
