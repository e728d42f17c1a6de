import { diffOf, diffRows, type ListChange, type RowDiff } from '#contract/parse/row-diff.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { OrderId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import { createRepetitionCount, type Repetition } from '../../orders/duplicates.ts';
import { copyRow, toAsOf, type OrderRow } from '../../orders/order-row.ts';
import { compareNewest, findPlace, type Listed, matchesFilter, mergeNewest } from '../../orders/working-set.ts';
import type { OrderTerms, TermsOf } from '../../orders/order-terms.ts';
import type { Source } from '../../response.ts';

type Part = DeskWorking['parts'][number];

/** One reading of the working orders. */
export interface OrderReading {
  readonly orders: readonly Order[];
  /** How they differ from an earlier reading, if known. */
  readonly change?: ListChange<Order> | undefined;
  readonly source: Source;
  /** The reads that make up the set. */
  readonly parts: readonly Part[];
  readonly termsOf: TermsOf;
  /** How far the exchange’s clock is ahead of Perpdesk’s. */
  readonly offsetMs: number;
}

/** The rows shown, and how they differ from those shown before. */
export interface ShownRows extends ListChange<OrderRow> {
  /** Newest first. */
  readonly rows: readonly OrderRow[];
}

/** When each part of the latest reading was read. */
interface PartTime {
  source: Source;
  asOf: number;
}

/**
 * A row that is kept as long as its order stays the same. It reports the time of the latest reading, and how many
 * others are like it now.
 */
class WorkingRow implements OrderRow {
  readonly order: Order;
  readonly terms: OrderTerms;
  readonly facts = {};
  readonly #time: PartTime;
  readonly #repetition: Repetition;

  constructor(order: Order, terms: OrderTerms, time: PartTime, repetition: Repetition) {
    this.order = order;
    this.terms = terms;
    this.#time = time;
    this.#repetition = repetition;
  }

  get source(): Source {
    return this.#time.source;
  }

  get asOf(): number {
    return this.#time.asOf;
  }

  get duplicates(): number {
    return this.#repetition.duplicates.others;
  }

  get twins(): number {
    return this.#repetition.twins.others;
  }
}

/**
 * Creates the rows of successive readings. An order that stays the same keeps its row, so that a reading costs only
 * what has changed. Rows returned earlier report the time of the latest reading too.
 */
export function createWorkingRows(): (reading: OrderReading) => ShownRows {
  let keeper: Keeper | null = null;
  let [orders, rows]: [readonly Order[], readonly OrderRow[]] = [[], []];
  return (reading) => {
    const { termsOf, parts, change } = reading;
    const from = rows;
    const isKept = keeper?.termsOf === termsOf && hasSameFilters(keeper.parts, parts);
    if (keeper === null || !isKept) keeper = createKeeper(reading);
    const diff = isKept
      ? diffOf(orders, reading.orders, change, ({ id }) => id)
      : { added: reading.orders, changed: [], gone: [] };
    const exchanged = keeper.exchange(isKept ? from : [], diff);
    keeper.stamp(reading);
    [orders, rows] = [reading.orders, exchanged.rows];
    return { rows, from, diff: isKept ? exchanged.diff : diffRows(from, rows, idOf) };
  };
}

function idOf({ order }: Listed): OrderId {
  return order.id;
}

interface Keeper extends Pick<OrderReading, 'termsOf' | 'parts'> {
  /** Sets the time of a reading in all rows. */
  readonly stamp: (reading: OrderReading) => void;
  readonly exchange: (
    rows: readonly OrderRow[],
    diff: RowDiff<Order>,
  ) => { readonly rows: readonly OrderRow[]; readonly diff: RowDiff<OrderRow> };
}

function createKeeper(first: OrderReading): Keeper {
  const { termsOf, parts } = first;
  const repetitions = createRepetitionCount();
  const toPartTimes = ({ source, parts: read, offsetMs }: OrderReading): readonly PartTime[] => {
    const times = read.map(({ read_at: respondedAt }) => toTime({ ...source, respondedAt }, offsetMs));
    const oldest = read.reduce(
      (least, { read_at: at }, place) => (compareInstants(at, read[least]?.read_at ?? at) < 0 ? place : least),
      0,
    );
    // The server’s response has no time of its own, so an order outside all parts counts as read with the oldest one.
    return [...times, times[oldest] ?? toTime({ ...source, respondedAt: null }, offsetMs)];
  };
  const times = toPartTimes(first).map((time) => ({ ...time }));
  const ofNone = times.at(-1) ?? toTime(first.source, first.offsetMs);
  const keep = (order: Order): OrderRow =>
    new WorkingRow(order, termsOf(order), times[findPart(order, parts)] ?? ofNone, repetitions.add(order));
  return {
    termsOf,
    parts,
    stamp: (reading) => {
      for (const [place, time] of toPartTimes(reading).entries()) Object.assign(times[place] ?? {}, time);
    },
    exchange: (rows, { added, changed, gone }) => {
      const left = new Set(gone);
      const leaving = left.size === 0 ? [] : rows.filter(({ order }) => left.has(order)).map(copyRow);
      const staying = left.size === 0 ? [...rows] : rows.filter(({ order }) => !left.has(order));
      for (const order of gone) repetitions.remove(order);
      for (const [before] of changed) repetitions.remove(before);
      const diff = {
        added: added.toSorted(compareNewest).map(keep),
        changed: changed.map(([before, after]) => exchangeAt(staying, findPlace(staying, before), keep(after))),
        gone: leaving,
      };
      return { rows: mergeNewest(staying, diff.added), diff };
    },
  };
}

/** Replaces a row in place: a changed order keeps its id, and with that its position. */
function exchangeAt(rows: OrderRow[], place: number, after: OrderRow): readonly [before: OrderRow, after: OrderRow] {
  const before = rows[place] ?? after;
  rows[place] = after;
  return [before, after];
}

function toTime(source: Source, offsetMs: number): PartTime {
  return { source, asOf: toAsOf(source, offsetMs) };
}

/** Compares rows on screen with those shown last. The screen’s may be older, because React can abandon a render. */
export function diffSince(rows: readonly OrderRow[], shown: ShownRows): RowDiff<OrderRow> {
  return diffOf(rows, shown.rows, shown, idOf);
}

/** Returns what a later reading would change. */
export function diffReadings(reading: OrderReading, { orders, change }: OrderReading): RowDiff<Listed> {
  const { added, changed, gone } = diffOf(reading.orders, orders, change, ({ id }) => id);
  const toListed = (order: Order): Listed => ({ order });
  return {
    added: added.map(toListed),
    changed: changed.map(([before, after]) => [toListed(before), toListed(after)]),
    gone: gone.map(toListed),
  };
}

/** Finds the part of an order. A set that was read at once needs no search. */
function findPart(order: Order, parts: readonly Part[]): number {
  return parts.length <= 1 ? 0 : parts.findIndex(({ filter }) => matchesFilter(order, filter));
}

function hasSameFilters(parts: readonly Part[], others: readonly Part[]): boolean {
  const toText = (some: readonly Part[]): string => JSON.stringify(some.map(({ filter }) => filter));
  return toText(parts) === toText(others);
}
