import type { Each } from '#contract/desk/rule-measures.ts';
import type { OrderRow } from '../orders/order-row.ts';
import { toOrderTotals, type OrderTotals } from '../orders/order-totals.ts';
import { groupRows, type OrderTest } from './match-orders.ts';
import type { WorkingReading } from './readings.ts';

type Groups = ReadonlyMap<string, readonly OrderRow[]>;

/** What several rules find out of one reading: each of it is found out once. */
interface WorkingViews {
  /** Orders that pass a test, in groups. Rules with the same filter have the same test. */
  readonly groups: (test: OrderTest, each: Each) => Groups;
  readonly totalsOf: (rows: readonly OrderRow[]) => OrderTotals;
  /** `valueOf`: the same function for the same figure. */
  readonly valueOf: (row: OrderRow, valueOf: ValueOf) => number | null;
}

type ValueOf = (row: OrderRow) => number | null;

/** Readings do not change: what follows from one is kept for as long as it is. */
const views = new WeakMap<WorkingReading, WorkingViews>();

export function viewsOf(working: WorkingReading): WorkingViews {
  const known = views.get(working) ?? createViews(working);
  views.set(working, known);
  return known;
}

function createViews({ rows }: WorkingReading): WorkingViews {
  const matching = once((test: OrderTest) => rows.filter(({ order }) => test(order)));
  const groupsOf = once((test: OrderTest) =>
    once((each: Each): Groups => groupRows(matching(test), ({ order }) => order, each)),
  );
  const valuesOf = once((valueOf: ValueOf) => once(valueOf));
  return {
    groups: (test, each) => groupsOf(test)(each),
    totalsOf: once(toOrderTotals),
    valueOf: (row, valueOf) => valuesOf(valueOf)(row),
  };
}

function once<Given, Found>(find: (given: Given) => Found): (given: Given) => Found {
  const found = new Map<Given, Found>();
  return (given) => {
    const known = found.get(given);
    if (known !== undefined) return known;
    const value = find(given);
    found.set(given, value);
    return value;
  };
}
