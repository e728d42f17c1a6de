import type { DeskWorking } from '#contract/desk/desk.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import { createRepetitionCount, type Repetition } from '../../orders/duplicates.ts';
import { findExchanged } from '../../orders/exchanged-orders.ts';
import { toAsOf, type OrderRow } from '../../orders/order-row.ts';
import { matchesFilter } from '../../orders/part-counts.ts';
import type { OrderTerms, TermsOf } from '../../orders/order-terms.ts';
import { compareNewest, mergeNewest } from '../../orders/working-set.ts';
import type { Source } from '../../source.ts';

type Part = DeskWorking['parts'][number];

interface WorkingRowsParts {
  readonly source: Source;
  /** The reads that the set was put together from. */
  readonly parts: readonly Part[];
  readonly termsOf: TermsOf;
  /** How far the venue’s clock is ahead of the desk’s. */
  readonly offsetMs: number;
}

/** What an order’s row consists of beside the time of its reading. */
interface KeptOrder {
  readonly order: Order;
  readonly terms: OrderTerms;
  readonly repetition: Repetition;
  /** The place of its part; -1: of none. */
  readonly part: number;
}

type ToRows = (orders: readonly Order[], given: WorkingRowsParts) => readonly OrderRow[];

/**
 * Rows of one reading after the other, newest first. The desk’s response has no time of its own, so each row takes the time
 * at which its part was read. All else is kept for the orders that stay the same, so that a reading costs what has changed.
 */
export function createWorkingRows(): ToRows {
  let keeper: Keeper | null = null;
  return (orders, given) => {
    const { termsOf, parts } = given;
    if (keeper?.termsOf !== termsOf || !hasSameFilters(keeper.parts, parts)) keeper = createKeeper(termsOf, parts);
    return toRows(keeper.exchange(orders), given);
  };
}

interface Keeper extends Pick<WorkingRowsParts, 'termsOf' | 'parts'> {
  /** Newest first, after the orders that came and went. */
  readonly exchange: (orders: readonly Order[]) => readonly KeptOrder[];
}

function createKeeper(termsOf: TermsOf, parts: readonly Part[]): Keeper {
  const repetitions = createRepetitionCount();
  let orders: readonly Order[] = [];
  let kept: readonly KeptOrder[] = [];
  const keep = (order: Order): KeptOrder => ({
    order,
    terms: termsOf(order),
    repetition: repetitions.add(order),
    part: findPart(order, parts),
  });
  return {
    termsOf,
    parts,
    exchange: (next) => {
      const { gone, come, changed } = findExchanged(orders, next);
      orders = next;
      for (const order of [...gone, ...changed.keys()]) repetitions.remove(order);
      const staying =
        gone.size + changed.size === 0
          ? kept
          : exchangeChanged(kept, gone, new Map(Array.from(changed, ([before, after]) => [before, keep(after)])));
      kept = mergeNewest(staying, come.toSorted(compareNewest).map(keep));
      return kept;
    },
  };
}

/** What changed keeps its id, and so its place. */
function exchangeChanged(
  kept: readonly KeptOrder[],
  gone: ReadonlySet<Order>,
  changed: ReadonlyMap<Order, KeptOrder>,
): readonly KeptOrder[] {
  const exchanged: KeptOrder[] = [];
  for (const each of kept) if (!gone.has(each.order)) exchanged.push(changed.get(each.order) ?? each);
  return exchanged;
}

function toRows(list: readonly KeptOrder[], { source, parts, offsetMs }: WorkingRowsParts): readonly OrderRow[] {
  const readings = parts.map(({ read_at: answeredAt }) => toReading({ ...source, answeredAt }, offsetMs));
  const oldest = parts.reduce(
    (least, { read_at: at }, place) => (compareInstants(at, parts[least]?.read_at ?? at) < 0 ? place : least),
    0,
  );
  const ofNone = readings[oldest] ?? toReading({ ...source, answeredAt: null }, offsetMs);
  return list.map((kept) => {
    const {
      order,
      terms,
      repetition: { duplicates, twins },
    } = kept;
    const { source: read, asOf } = readings[kept.part] ?? ofNone;
    return { order, terms, source: read, asOf, facts: kept, duplicates: duplicates.others, twins: twins.others };
  });
}

function toReading(source: Source, offsetMs: number): Pick<OrderRow, 'source' | 'asOf'> {
  return { source, asOf: toAsOf(source, offsetMs) };
}

/** A set that was read at once needs no search. */
function findPart(order: Order, parts: readonly Part[]): number {
  return parts.length <= 1 ? 0 : parts.findIndex(({ filter }) => matchesFilter(order, filter));
}

function hasSameFilters(parts: readonly Part[], others: readonly Part[]): boolean {
  const toText = (some: readonly Part[]): string => JSON.stringify(some.map(({ filter }) => filter));
  return toText(parts) === toText(others);
}
