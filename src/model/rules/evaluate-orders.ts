import type { Each, MeasureOf } from '#contract/desk/rule-measures.ts';
import { type OrderRow, toAgeSeconds } from '../orders/order-row.ts';
import { type OrderTotals, toOrderTotals } from '../orders/order-totals.ts';
import { addLasting, groupRows, type OrderTest } from './rule-subjects.ts';
import {
  type Certainty,
  type Compared,
  type Evaluation,
  type SubjectReading,
  isMissing,
  judge,
  type Missing,
  type WorkingReading,
} from './readings.ts';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { countOf } from '../format/count.ts';
import { toSortableDistance } from '../orders/order-distance.ts';
import { Decimal, sumOf } from '../units/decimal.ts';

/** The measured value of one subject's orders. */
interface Measured {
  /** Null: no order has this figure. */
  readonly value: Decimal | null;
  /** Orders whose figure is unknown. */
  readonly unknown: number;
  /** Number of orders measured, and the first of them. */
  readonly total: number;
  readonly rows: readonly OrderRow[];
}

type Views = ReturnType<typeof viewsOf>;

interface OrderMeasure {
  readonly measure: (rows: readonly OrderRow[], compared: Compared, views: Views) => Measured;
  readonly needsPrices?: true;
  /** Whether the most extreme order in the direction of the comparison counts, rather than the sum. */
  readonly isExtreme?: true;
}

const ZERO = new Decimal(0);

const ORDER_MEASURES: Readonly<Record<MeasureOf<'orders'>, OrderMeasure>> = {
  count: { measure: (rows) => ({ value: new Decimal(rows.length), unknown: 0, ...about(rows) }) },
  quantity: {
    measure: (rows, _, { totalsOf }) => ({ ...sumSides(totalsOf(rows), 'remaining', 'uncounted'), ...about(rows) }),
  },
  notional: {
    needsPrices: true,
    measure: (rows, _, { totalsOf }) => ({
      ...sumSides(totalsOf(rows), 'underlying', 'withoutUnderlying'),
      ...about(rows),
    }),
  },
  oldest_age: {
    isExtreme: true,
    measure: (rows, compared, { valueOf }) => findExtreme(rows, (row) => valueOf(row, toAgeSeconds), compared),
  },
  distance: {
    isExtreme: true,
    needsPrices: true,
    measure: (rows, compared, { valueOf }) =>
      findExtreme(rows.filter(hasShare), (row) => valueOf(row, toSortableDistance), compared),
  },
  twins: { measure: toRepeated },
};

const NO_ROWS: readonly OrderRow[] = [];

/** `working` contains the orders of one response. Remembered subjects are reported even if they have no orders. */
export function evaluateOrders(
  rule: OrdersRule,
  working: WorkingReading | Missing,
  test: OrderTest,
  remembered: readonly string[] = [],
): Evaluation {
  if (isMissing(working)) return working;
  const { measure, needsPrices, isExtreme } = ORDER_MEASURES[rule.measure];
  if (needsPrices === true && working.pricesMissing !== null) return { missing: working.pricesMissing };
  const views = viewsOf(working);
  return [...addLasting(views.groups(test, rule.each), rule, remembered, NO_ROWS)].map(([subject, rows]) =>
    toReading(rule, { group: subject, isExtreme: isExtreme === true }, measure(rows, rule, views), working),
  );
}

interface Subject {
  readonly group: string;
  readonly isExtreme: boolean;
}

function toReading(
  rule: OrdersRule,
  { group: subject, isExtreme }: Subject,
  { value, unknown, total, rows }: Measured,
  { complete, unreadable }: WorkingReading,
): SubjectReading {
  const isWhole = complete && unreadable === 0 && unknown === 0;
  const certainty: Certainty = isWhole ? 'exact' : isExtreme && rule.comparison === 'under' ? 'most' : 'least';
  const holds = value === null ? (isWhole ? false : null) : judge(value, rule, certainty);
  return {
    group: subject,
    holds,
    value,
    because: describeUnknown(unknown, unreadable, complete),
    evidence: { total, orders: rows.map(({ order }) => order), products: [] },
  };
}

function describeUnknown(unknown: number, unreadable: number, complete: boolean): string | null {
  if (unknown > 0) return `It is unknown for ${countOf(unknown, 'order')}.`;
  if (unreadable > 0) return `${countOf(unreadable, 'order')} could not be read.`;
  return complete ? null : 'The working set is not proven complete.';
}

function sumSides(
  { sides }: OrderTotals,
  field: 'remaining' | 'underlying',
  missing: 'uncounted' | 'withoutUnderlying',
): Pick<Measured, 'value' | 'unknown'> {
  const unknown = sides.reduce((sum, side) => sum + side.uncounted + (missing === 'uncounted' ? 0 : side[missing]), 0);
  const sum = sumOf(sides.map((side) => side[field]));
  return { value: sum ?? (unknown === 0 ? ZERO : null), unknown };
}

/** The price of a spread is a difference, so its distance is no share of it. This is not missing data. */
function hasShare({ order }: OrderRow): boolean {
  return order.product_type !== 'Spread';
}

function findExtreme(
  rows: readonly OrderRow[],
  valueOf: (row: OrderRow) => number | null,
  compared: Compared,
): Measured {
  const sign = compared.comparison === 'under' ? 1 : -1;
  const beyond: Placed[] = [];
  let unknown = 0;
  let furthest: number | null = null;
  for (const row of rows) {
    const value = valueOf(row);
    if (value === null) {
      unknown += 1;
      continue;
    }
    if (furthest === null || (value - furthest) * sign < 0) furthest = value;
    if ((value - compared.value) * sign < 0) beyond.push({ row, place: value * sign });
  }
  return {
    value: furthest === null ? null : new Decimal(furthest),
    unknown,
    total: beyond.length,
    rows: takeFirst(beyond),
  };
}

/** Sorted by place, lowest first. */
interface Placed {
  readonly row: OrderRow;
  readonly place: number;
}

/** Sorting numbers is many times faster than sorting rows, and only a few rows are needed. */
function takeFirst(placed: readonly Placed[]): readonly OrderRow[] {
  const last = Float64Array.from(placed, ({ place }) => place).sort()[MOST_ROWS - 1] ?? Infinity;
  return placed
    .filter(({ place }) => place <= last)
    .sort((a, b) => a.place - b.place)
    .slice(0, MOST_ROWS)
    .map(({ row }) => row);
}

/**
 * Counts orders with the same account, product, side, price and quantity as another, whether or not the other one
 * matches the rule.
 */
function toRepeated(rows: readonly OrderRow[]): Measured {
  const repeated = rows.filter(({ twins = 0 }) => twins > 0);
  return { value: new Decimal(repeated.length), unknown: 0, ...about(repeated) };
}

const MOST_ROWS = 20;

function about(rows: readonly OrderRow[]): Pick<Measured, 'total' | 'rows'> {
  return { total: rows.length, rows: rows.slice(0, MOST_ROWS) };
}

type Subjects = ReadonlyMap<string, readonly OrderRow[]>;

/** What several rules derive from one reading, so that each figure is computed once. */
interface WorkingViews {
  /** Groups the orders that pass a test by subject. Rules with the same filter share one test. */
  readonly groups: (test: OrderTest, each: Each) => Subjects;
  readonly totalsOf: (rows: readonly OrderRow[]) => OrderTotals;
  /** `valueOf`: must be the same function for the same figure. */
  readonly valueOf: (row: OrderRow, valueOf: ValueOf) => number | null;
}

type ValueOf = (row: OrderRow) => number | null;

/** Readings never change, so derived figures are kept for as long as the reading. */
const views = new WeakMap<WorkingReading, WorkingViews>();

export function viewsOf(working: WorkingReading): WorkingViews {
  const known = views.get(working) ?? createViews(working);
  views.set(working, known);
  return known;
}

function createViews({ rows }: WorkingReading): WorkingViews {
  const matching = once((test: OrderTest) => rows.filter(({ order }) => test(order)));
  const subjectsOf = once((test: OrderTest) =>
    once((each: Each): Subjects => groupRows(matching(test), ({ order }) => order, each)),
  );
  const valuesOf = once((valueOf: ValueOf) => once(valueOf));
  return {
    groups: (test, each) => subjectsOf(test)(each),
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
