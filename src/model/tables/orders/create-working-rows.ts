import { diffOf, type ListChange, type RowDiff } from '#contract/parse/row-diff.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import { createRepetitionCount, type Repetition } from '../../orders/duplicates.ts';
import { toAsOf, type OrderRow } from '../../orders/order-row.ts';
import { matchesFilter } from '../../orders/part-counts.ts';
import type { TermsOf } from '../../orders/order-terms.ts';
import { compareNewest, findPlace, mergeNewest, type Listed } from '../../orders/working-set.ts';
import type { Source } from '../../source.ts';

type Part = DeskWorking['parts'][number];

/** One reading of the working orders. */
export interface OrderReading {
  readonly orders: readonly Order[];
  /** How they differ from an earlier reading, where that is known. */
  readonly change?: ListChange<Order> | undefined;
  readonly source: Source;
  /** The reads that the set was put together from. */
  readonly parts: readonly Part[];
  readonly termsOf: TermsOf;
  /** How far the venue’s clock is ahead of the desk’s. */
  readonly offsetMs: number;
}

/** Rows that are shown, and how they differ from those shown before. */
export interface ShownRows extends ListChange<OrderRow> {
  /** Newest first. */
  readonly rows: readonly OrderRow[];
}

/** A row as it is kept: it says when it was last read and how many others are like it, and both change while its order stays the same. */
interface KeptRow extends Omit<OrderRow, 'source' | 'asOf' | 'duplicates' | 'twins'> {
  source: Source;
  asOf: number;
  duplicates: number;
  twins: number;
  readonly repetition: Repetition;
  /** The place of the part that it is of; -1: of none. */
  readonly part: number;
}

/**
 * The rows of one reading after the other. An order that stays the same keeps its row, so that a reading costs what has
 * changed: in the others only the time of the reading is noted, also in rows that were given before.
 */
export function createWorkingRows(): (reading: OrderReading) => ShownRows {
  let keeper: Keeper | null = null;
  let [orders, rows]: [readonly Order[], readonly KeptRow[]] = [[], []];
  return (reading) => {
    const { termsOf, parts, change } = reading;
    const isKept = keeper?.termsOf === termsOf && hasSameFilters(keeper.parts, parts);
    if (keeper === null || !isKept) keeper = createKeeper(reading);
    const diff = diffOf(orders, reading.orders, change, ({ id }) => id);
    const from = rows;
    rows = isKept ? keeper.exchange(from, diff) : keeper.exchange([], { added: reading.orders, changed: [], gone: [] });
    orders = reading.orders;
    stamp(rows, reading);
    return { rows, from, diff: toRowDiff(diff, from, rows) };
  };
}

interface Keeper extends Pick<OrderReading, 'termsOf' | 'parts'> {
  readonly exchange: (rows: readonly KeptRow[], diff: RowDiff<Order>) => readonly KeptRow[];
}

function createKeeper({ termsOf, parts, source }: OrderReading): Keeper {
  const repetitions = createRepetitionCount();
  const keep = (order: Order): KeptRow => ({
    order,
    terms: termsOf(order),
    facts: {},
    repetition: repetitions.add(order),
    part: findPart(order, parts),
    source,
    asOf: NaN,
    duplicates: 0,
    twins: 0,
  });
  return {
    termsOf,
    parts,
    exchange: (rows, { added, changed, gone }) => {
      for (const order of gone) repetitions.remove(order);
      for (const [before] of changed) repetitions.remove(before);
      const left = new Set(gone);
      const staying = left.size === 0 ? [...rows] : rows.filter(({ order }) => !left.has(order));
      // What changed keeps its id, and so its place.
      for (const [, order] of changed) staying[findPlace(staying, order)] = keep(order);
      return mergeNewest(staying, added.toSorted(compareNewest).map(keep));
    },
  };
}

/** The desk’s response has no time of its own: each row takes the time at which its part was read. */
function stamp(rows: readonly KeptRow[], { source, parts, offsetMs }: OrderReading): void {
  const times = parts.map(({ read_at: answeredAt }) => toTime({ ...source, answeredAt }, offsetMs));
  const oldest = parts.reduce(
    (least, { read_at: at }, place) => (compareInstants(at, parts[least]?.read_at ?? at) < 0 ? place : least),
    0,
  );
  const ofNone = times[oldest] ?? toTime({ ...source, answeredAt: null }, offsetMs);
  for (const row of rows) {
    const time = times[row.part] ?? ofNone;
    row.source = time.source;
    row.asOf = time.asOf;
    row.duplicates = row.repetition.duplicates.others;
    row.twins = row.repetition.twins.others;
  }
}

function toTime(source: Source, offsetMs: number): Pick<OrderRow, 'source' | 'asOf'> {
  return { source, asOf: toAsOf(source, offsetMs) };
}

function toRowDiff(
  { added, changed, gone }: RowDiff<Order>,
  from: readonly KeptRow[],
  rows: readonly KeptRow[],
): RowDiff<OrderRow> {
  return {
    added: added.map((order) => rowOf(rows, order)),
    changed: changed.map(([before, after]) => [rowOf(from, before), rowOf(rows, after)]),
    gone: gone.map((order) => rowOf(from, order)),
  };
}

function rowOf(rows: readonly KeptRow[], order: Order): KeptRow {
  const row = rows[findPlace(rows, order)];
  if (row === undefined) throw new Error('an order without a row');
  return row;
}

/** How rows on screen change: they may be earlier ones than those shown last, where a rendering was given up. */
export function diffSince(rows: readonly OrderRow[], shown: ShownRows): RowDiff<OrderRow> {
  return diffOf(rows, shown.rows, shown, ({ order }) => order.id);
}

/** What a later reading would change. */
export function diffReadings(reading: OrderReading, { orders, change }: OrderReading): RowDiff<Listed> {
  const { added, changed, gone } = diffOf(reading.orders, orders, change, ({ id }) => id);
  const toListed = (order: Order): Listed => ({ order });
  return {
    added: added.map(toListed),
    changed: changed.map(([before, after]) => [toListed(before), toListed(after)]),
    gone: gone.map(toListed),
  };
}

/** A set that was read at once needs no search. */
function findPart(order: Order, parts: readonly Part[]): number {
  return parts.length <= 1 ? 0 : parts.findIndex(({ filter }) => matchesFilter(order, filter));
}

function hasSameFilters(parts: readonly Part[], others: readonly Part[]): boolean {
  const toText = (some: readonly Part[]): string => JSON.stringify(some.map(({ filter }) => filter));
  return toText(parts) === toText(others);
}
