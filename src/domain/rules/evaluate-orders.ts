import type { OrdersRule } from '#contract/desk-rules.ts';
import type { MeasureOf } from '#contract/rule-measures.ts';
import { countOf } from '../format/count.ts';
import { toSortableDistance } from '../orders/order-distance.ts';
import { toAgeSeconds, type OrderRow } from '../orders/order-row.ts';
import { toOrderTotals, type OrderTotals } from '../orders/order-totals.ts';
import { Decimal, sumOf } from '../units/decimal.ts';
import { groupRows, type OrderTest } from './match-orders.ts';
import { isMissing, type Evaluation, type Evidence, type GroupReading, type Missing, type WorkingReading } from './readings.ts';
import { judge, type Certainty, type Compared } from './verdict.ts';

/** What the orders of one group come to. */
interface Measured {
  /** Null: none of them has what is measured. */
  readonly value: Decimal | null;
  /** Orders that have it, but that it is not known of. */
  readonly unknown: number;
  /** The orders that it is about. */
  readonly rows: readonly OrderRow[];
}

interface OrderMeasure {
  readonly measure: (rows: readonly OrderRow[], compared: Compared) => Measured;
  readonly needsPrices?: true;
  /** The one that is furthest in the direction of the comparison counts, not the sum of all. */
  readonly isExtreme?: true;
}

const ZERO = new Decimal(0);

const ORDER_MEASURES: Readonly<Record<MeasureOf<'orders'>, OrderMeasure>> = {
  count: { measure: (rows) => ({ value: new Decimal(rows.length), unknown: 0, rows }) },
  quantity: { measure: (rows) => ({ ...sumSides(toOrderTotals(rows), 'remaining', 'uncounted'), rows }) },
  notional: { needsPrices: true, measure: (rows) => ({ ...sumSides(toOrderTotals(rows), 'underlying', 'withoutUnderlying'), rows }) },
  oldest_age: { isExtreme: true, measure: (rows, compared) => findExtreme(rows, toAgeSeconds, compared) },
  distance: { isExtreme: true, needsPrices: true, measure: (rows, compared) => findExtreme(rows.filter(hasShare), toSortableDistance, compared) },
  twins: { measure: toRepeated },
};

/** `working` has the orders of one response. */
export function evaluateOrders(rule: OrdersRule, working: WorkingReading | Missing, test: OrderTest): Evaluation {
  if (isMissing(working)) return working;
  const { measure, needsPrices, isExtreme } = ORDER_MEASURES[rule.measure];
  if (needsPrices === true && working.pricesMissing !== null) return { missing: working.pricesMissing };
  const groups = groupRows(working.rows.filter(({ order }) => test(order)), ({ order }) => order, rule.each);
  return [...groups].map(([group, rows]) => toReading(rule, { group, isExtreme: isExtreme === true }, measure(rows, rule), working));
}

interface Subject {
  readonly group: string;
  readonly isExtreme: boolean;
}

function toReading(rule: OrdersRule, { group, isExtreme }: Subject, { value, unknown, rows }: Measured, { complete, unreadable }: WorkingReading): GroupReading {
  const isWhole = complete && unreadable === 0 && unknown === 0;
  const certainty: Certainty = isWhole ? 'exact' : isExtreme && rule.comparison === 'under' ? 'most' : 'least';
  const holds = value === null ? (isWhole ? false : null) : judge(value, rule, certainty);
  return { group, holds, value, because: describeUnknown(unknown, unreadable, complete), evidence: toEvidence(rows) };
}

function describeUnknown(unknown: number, unreadable: number, complete: boolean): string | null {
  if (unknown > 0) return `It is not known of ${countOf(unknown, 'order')}.`;
  if (unreadable > 0) return `${countOf(unreadable, 'order')} could not be read.`;
  return complete ? null : 'The working set is not proven complete.';
}

function sumSides({ sides }: OrderTotals, field: 'remaining' | 'underlying', missing: 'uncounted' | 'withoutUnderlying'): Omit<Measured, 'rows'> {
  const unknown = sides.reduce((sum, side) => sum + side.uncounted + (missing === 'uncounted' ? 0 : side[missing]), 0);
  const sum = sumOf(sides.map((side) => side[field]));
  return { value: sum ?? (unknown === 0 ? ZERO : null), unknown };
}

/** The price of a spread is a difference, of which no distance is a share: that is no lack of data. */
function hasShare({ order }: OrderRow): boolean {
  return order.product_type !== 'Spread';
}

function findExtreme(rows: readonly OrderRow[], valueOf: (row: OrderRow) => number | null, compared: Compared): Measured {
  const sign = compared.comparison === 'under' ? 1 : -1;
  const known: { readonly row: OrderRow; readonly value: number }[] = [];
  let unknown = 0;
  for (const row of rows) {
    const value = valueOf(row);
    if (value === null) unknown += 1;
    else known.push({ row, value });
  }
  const beyond = known.filter(({ value }) => (value - compared.value) * sign < 0).sort((a, b) => (a.value - b.value) * sign);
  const furthest = known.reduce<number | null>((found, { value }) => (found === null || (value - found) * sign < 0 ? value : found), null);
  return { value: furthest === null ? null : new Decimal(furthest), unknown, rows: beyond.map(({ row }) => row) };
}

/** Orders with the same account, product, side, price and quantity as another, whether that one matches or not. */
function toRepeated(rows: readonly OrderRow[]): Measured {
  const repeated = rows.filter(({ twins = 0 }) => twins > 0);
  return { value: new Decimal(repeated.length), unknown: 0, rows: repeated };
}

const MOST_ROWS = 20;

function toEvidence(rows: readonly OrderRow[]): Evidence {
  return { total: rows.length, orders: rows.slice(0, MOST_ROWS).map(({ order }) => order), products: [] };
}
