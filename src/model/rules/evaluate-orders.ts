import type { Each, MeasureOf } from '#contract/desk/rule-measures.ts';
import { evaluateEachOrder, type JudgeOrder } from './evaluate-each-order.ts';
import { hasShare, type LimitTest, nameOrder, needsPrices, toLimitTest } from './order-limits.ts';
import { toSortableUnderlying } from '../orders/order-figures.ts';
import { type OrderRow, toAgeSeconds, toWorkingQuantity } from '../orders/order-row.ts';
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
  /** Number of orders measured, and the worst of them. */
  readonly total: number;
  readonly rows: readonly OrderRow[];
  /** The order whose value it is, or the worst of several. */
  readonly foremost?: OrderRow | undefined;
}

type Views = ReturnType<typeof viewsOf>;

interface OrderMeasure {
  readonly measure: (rows: readonly OrderRow[], compared: Compared, views: Views) => Measured;
  /** The measure of one order as a float, which is faster where most orders do not meet the condition. */
  readonly roughly?: ValueOf;
  /** Whether the most extreme order in the direction of the comparison counts, rather than the sum. */
  readonly isExtreme?: true;
}

const ZERO = new Decimal(0);

const ORDER_MEASURES: Readonly<Record<MeasureOf<'orders'>, OrderMeasure>> = {
  count: { measure: (rows, _, views) => ({ value: new Decimal(rows.length), unknown: 0, ...farthest(rows, views) }) },
  quantity: {
    roughly: toWorkingQuantity,
    measure: (rows, _, views) => ({
      ...sumSides(views.totalsOf(rows), 'remaining', 'uncounted'),
      ...takeLargest(rows, toWorkingQuantity, views),
    }),
  },
  notional: {
    roughly: toSortableUnderlying,
    measure: (rows, _, views) => ({
      ...sumSides(views.totalsOf(rows), 'underlying', 'withoutUnderlying'),
      ...takeLargest(rows, toSortableUnderlying, views),
    }),
  },
  oldest_age: {
    isExtreme: true,
    roughly: toAgeSeconds,
    measure: (rows, compared, { valueOf }) => findExtreme(rows, (row) => valueOf(row, toAgeSeconds), compared),
  },
  distance: {
    isExtreme: true,
    roughly: toSortableDistance,
    measure: (rows, compared, { valueOf }) =>
      findExtreme(rows.filter(hasShare), (row) => valueOf(row, toSortableDistance), compared),
  },
  twins: { measure: toRepeated },
};

const NO_ROWS: readonly OrderRow[] = [];

interface OrdersOptions {
  /** Subjects that are reported even if they have no orders. */
  readonly remembered?: readonly string[] | undefined;
  /** For each order: those that never raise an alert, by ID. */
  readonly excluded?: ReadonlySet<string> | undefined;
}

/** `working` contains the orders of one response. */
export function evaluateOrders(
  rule: OrdersRule,
  working: WorkingReading | Missing,
  test: OrderTest,
  { remembered = [], excluded }: OrdersOptions = {},
): Evaluation {
  if (isMissing(working)) return working;
  const { measure, isExtreme = false } = ORDER_MEASURES[rule.measure];
  if (needsPrices(rule) && working.pricesMissing !== null) return { missing: working.pricesMissing };
  const views = viewsOf(working);
  const isBeyond = toLimitTest(rule.filter, views.valueOf);
  if (rule.each === 'order')
    return evaluateEachOrder(
      rule,
      { ...working, rows: matchingOf(views, test) },
      { judgeOne: toOrderJudge(rule, views), remembered, excluded },
    );
  return [...addLasting(views.groups(test, rule.each), rule, remembered, NO_ROWS)].map(([subject, own]) => {
    const { rows, unknown } = narrow(own, isBeyond);
    const measured = measure(rows, rule, views);
    return toReading(rule, { group: subject, isExtreme, unmatched: unknown }, measured, working);
  });
}

function matchingOf(views: Views, test: OrderTest): readonly OrderRow[] {
  return views.groups(test, 'all').get('') ?? NO_ROWS;
}

/** Returns how single orders compare with a rule that is evaluated for each of them. */
function toOrderJudge(rule: OrdersRule, shared: Views): JudgeOrder {
  const { measure, roughly } = ORDER_MEASURES[rule.measure];
  const isBeyond = toLimitTest(rule.filter, shared.valueOf);
  // Totals of single orders are not worth keeping.
  const views = { ...shared, totalsOf: toOrderTotals };
  return (row, isKnown) => {
    const verdict = isBeyond === null ? true : isBeyond(row);
    if (verdict !== true) return { holds: verdict, value: null };
    const rough = isKnown ? null : (roughly?.(row) ?? null);
    if (rough !== null && isFarFrom(rough, rule)) return { holds: false, value: null };
    const { value, unknown } = measure([row], rule, views);
    return { holds: unknown > 0 ? null : value !== null && judge(value, rule), value };
  };
}

/** Returns whether a float does not meet the condition, whatever its error. */
function isFarFrom(value: number, { comparison, value: limit }: Compared): boolean {
  const error = Math.abs(limit) * FLOAT_ERROR;
  return comparison === 'under' ? value > limit + error : value < limit - error;
}

const FLOAT_ERROR = 1e-9;

/** Returns the IDs of the orders that meet the condition of a rule, if the reading is proven complete. */
export function findMatching(
  rule: OrdersRule,
  working: WorkingReading | Missing,
  test: OrderTest,
): { readonly orders: readonly string[] } | Missing {
  if (isMissing(working)) return working;
  if (!working.complete || working.unreadable > 0) return { missing: UNPROVEN };
  if (needsPrices(rule) && working.pricesMissing !== null) return { missing: working.pricesMissing };
  const views = viewsOf(working);
  const judgeOne = toOrderJudge(rule, views);
  return {
    orders: matchingOf(views, test).flatMap((row) => (judgeOne(row, false).holds === true ? [row.order.id] : [])),
  };
}

/** Returns the orders beyond the limits, and how many others may be. */
function narrow(rows: readonly OrderRow[], isBeyond: LimitTest | null) {
  if (isBeyond === null) return { rows, unknown: 0 };
  let unknown = 0;
  const found = rows.filter((row) => {
    const verdict = isBeyond(row);
    if (verdict === null) unknown += 1;
    return verdict === true;
  });
  return { rows: found, unknown };
}

interface Subject {
  readonly group: string;
  readonly isExtreme: boolean;
  /** Number of orders that may match the filter. */
  readonly unmatched: number;
}

function toReading(
  rule: OrdersRule,
  { group: subject, isExtreme, unmatched }: Subject,
  { value, unknown, total, rows, foremost }: Measured,
  { complete, unreadable, readAt }: WorkingReading,
): SubjectReading {
  const isWhole = complete && unreadable === 0 && unknown === 0 && unmatched === 0;
  const certainty: Certainty = isWhole ? 'exact' : isExtreme && rule.comparison === 'under' ? 'most' : 'least';
  const holds = value === null ? (isWhole ? false : null) : judge(value, rule, certainty);
  return {
    group: subject,
    holds,
    value,
    ...(foremost !== undefined && { foremost: nameOrder(foremost) }),
    because: join(
      unmatched === 0 ? null : `Whether ${countOf(unmatched, 'more order')} match is unknown.`,
      describeUnknown(unknown, unreadable, complete),
      readAt === undefined ? null : `Read at ${readAt}, and not since.`,
    ),
    evidence: { total, orders: rows.map(({ order }) => order), rows, products: [] },
  };
}

function join(...sentences: readonly (string | null)[]): string | null {
  const said = sentences.filter((sentence) => sentence !== null);
  return said.length === 0 ? null : said.join(' ');
}

/** Without the number, because some may be orders that not everybody who sees the rule may see. */
export const SOME_UNREADABLE = 'Some orders could not be read.';

/** Without the reasons, because they may name orders that not everybody who sees the rule may see. */
export const UNPROVEN = 'The working set is not proven complete.';

function describeUnknown(unknown: number, unreadable: number, complete: boolean): string | null {
  if (unknown > 0) return `It is unknown for ${countOf(unknown, 'order')}.`;
  if (unreadable > 0) return SOME_UNREADABLE;
  return complete ? null : UNPROVEN;
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

function findExtreme(
  rows: readonly OrderRow[],
  valueOf: (row: OrderRow) => number | null,
  compared: Compared,
): Measured {
  const sign = compared.comparison === 'under' ? 1 : -1;
  const beyond: Placed[] = [];
  let unknown = 0;
  let furthest: number | null = null;
  let foremost: OrderRow | undefined;
  for (const row of rows) {
    const value = valueOf(row);
    if (value === null) {
      unknown += 1;
      continue;
    }
    if (furthest === null || (value - furthest) * sign < 0) [furthest, foremost] = [value, row];
    if ((value - compared.value) * sign < 0) beyond.push({ row, place: value * sign });
  }
  return {
    value: furthest === null ? null : new Decimal(furthest),
    unknown,
    total: beyond.length,
    rows: takeFirst(beyond),
    foremost,
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
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .slice(0, MOST_ROWS)
    .map(({ row }) => row);
}

/**
 * Counts orders with the same account, product, side, price and quantity as another, whether or not the other one
 * matches the rule.
 */
function toRepeated(rows: readonly OrderRow[], _: Compared, views: Views): Measured {
  const repeated = rows.filter(({ twins = 0 }) => twins > 0);
  return { value: new Decimal(repeated.length), unknown: 0, ...farthest(repeated, views) };
}

const MOST_ROWS = 200;

/** The worst of orders that are only counted are those that are farthest from the market. */
function farthest(rows: readonly OrderRow[], views: Views): Pick<Measured, 'total' | 'rows' | 'foremost'> {
  return takeLargest(rows, toSortableDistance, views);
}

/** Orders whose figure is unknown come last. */
function takeLargest(
  rows: readonly OrderRow[],
  toFigure: ValueOf,
  { valueOf }: Views,
): Pick<Measured, 'total' | 'rows' | 'foremost'> {
  const largest = takeFirst(rows.map((row) => ({ row, place: -(valueOf(row, toFigure) ?? -Infinity) })));
  const foremost = largest.slice(0, 1).find((row) => valueOf(row, toFigure) !== null);
  return { total: rows.length, rows: largest, foremost };
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
