import type { OrdersRule } from '#contract/desk/rules.ts';
import type { MeasureOf } from '#contract/desk/rule-measures.ts';
import { countOf } from '../format/count.ts';
import { toSortableDistance } from '../orders/order-distance.ts';
import { toAgeSeconds, type OrderRow } from '../orders/order-row.ts';
import type { OrderTotals } from '../orders/order-totals.ts';
import { Decimal, sumOf } from '../units/decimal.ts';
import type { OrderTest } from './match-orders.ts';
import { isMissing, type Evaluation, type GroupReading, type Missing, type WorkingReading } from './readings.ts';
import { addLasting } from './rule-groups.ts';
import { judge, type Certainty, type Compared } from './verdict.ts';
import { viewsOf } from './working-views.ts';

/** What the orders of one group come to. */
interface Measured {
  /** Null: none of them has what is measured. */
  readonly value: Decimal | null;
  /** Orders that have it, but that it is not known of. */
  readonly unknown: number;
  /** How many orders it is about, and the first of them. */
  readonly total: number;
  readonly rows: readonly OrderRow[];
}

type Views = ReturnType<typeof viewsOf>;

interface OrderMeasure {
  readonly measure: (rows: readonly OrderRow[], compared: Compared, views: Views) => Measured;
  readonly needsPrices?: true;
  /** The one that is furthest in the direction of the comparison counts, not the sum of all. */
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

/** `working` has the orders of one response. Of groups that are remembered it is said, too, that they have none. */
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
  return [...addLasting(views.groups(test, rule.each), rule, remembered, NO_ROWS)].map(([group, rows]) =>
    toReading(rule, { group, isExtreme: isExtreme === true }, measure(rows, rule, views), working),
  );
}

interface Subject {
  readonly group: string;
  readonly isExtreme: boolean;
}

function toReading(
  rule: OrdersRule,
  { group, isExtreme }: Subject,
  { value, unknown, total, rows }: Measured,
  { complete, unreadable }: WorkingReading,
): GroupReading {
  const isWhole = complete && unreadable === 0 && unknown === 0;
  const certainty: Certainty = isWhole ? 'exact' : isExtreme && rule.comparison === 'under' ? 'most' : 'least';
  const holds = value === null ? (isWhole ? false : null) : judge(value, rule, certainty);
  return {
    group,
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

/** The price of a spread is a difference, of which no distance is a share: that is no lack of data. */
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

/** The lowest place comes first. */
interface Placed {
  readonly row: OrderRow;
  readonly place: number;
}

/** Numbers are sorted many times as fast as rows, and only few rows are wanted. */
function takeFirst(placed: readonly Placed[]): readonly OrderRow[] {
  const last = Float64Array.from(placed, ({ place }) => place).sort()[MOST_ROWS - 1] ?? Infinity;
  return placed
    .filter(({ place }) => place <= last)
    .sort((a, b) => a.place - b.place)
    .slice(0, MOST_ROWS)
    .map(({ row }) => row);
}

/** Orders with the same account, product, side, price and quantity as another, whether that one matches or not. */
function toRepeated(rows: readonly OrderRow[]): Measured {
  const repeated = rows.filter(({ twins = 0 }) => twins > 0);
  return { value: new Decimal(repeated.length), unknown: 0, ...about(repeated) };
}

const MOST_ROWS = 20;

function about(rows: readonly OrderRow[]): Pick<Measured, 'total' | 'rows'> {
  return { total: rows.length, rows: rows.slice(0, MOST_ROWS) };
}
