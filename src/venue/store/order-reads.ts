import type { OrderPosition, OrdersQuery } from '../ports.ts';
import { limitTo, type Dialect, type Read } from './driver.ts';
import type { IndexRanges } from './index-ranges.ts';

/** Places strictly between two others. */
export interface PositionRange {
  readonly above: OrderPosition;
  readonly below: OrderPosition;
}

/** What a page is cut from. */
export interface PageBounds {
  readonly range: PositionRange;
  readonly direction: OrdersQuery['direction'];
  readonly limit: number;
}

/** How many of the nearest orders are looked through before many lanes are merged. */
const NEAREST = 2_000;

const between = '(time_ns, id) > ($1, $2) AND (time_ns, id) < ($3, $4)';

/** The orders of all lanes. */
export function allRead(cut: PageBounds): Read {
  const sql = `SELECT time_ns, id, body FROM orders WHERE ${between} ${firstOf(cut)}`;
  return { name: `orders ${cut.direction}`, sql, values: cutValues(cut), wide: true };
}

/** Those of some lanes, among the nearest of all only. */
export function nearestRead({ isAmong }: Dialect, { column, type, values }: IndexRanges, cut: PageBounds): Read {
  const near = `SELECT ${column}, time_ns, id, body FROM orders WHERE ${between} ${ordered(cut)} LIMIT ${NEAREST}`;
  const which = isAmong(column, 6, type);
  const sql = `SELECT time_ns, id, body FROM (${near}) AS near WHERE ${which} ${firstOf(cut)}`;
  return { name: `orders near by ${column} ${cut.direction}`, sql, values: [...cutValues(cut), values], wide: true };
}

/** Those of some lanes, each read in its own order and no further than the page needs. */
export function mergeRead(dialect: Dialect, lanes: IndexRanges, cut: PageBounds): Read {
  return dialect.lateral ? lateralRead(dialect, lanes, cut) : unionRead(lanes, cut);
}

/** For a database whose ordered union takes from each branch only what comes next. */
function unionRead({ column, values }: IndexRanges, cut: PageBounds): Read {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  const branch = (n: number): string => `SELECT time_ns, id, body FROM orders WHERE ${column} = $${n} AND ${between}`;
  const branches = Array.from({ length: size }, (_, i) => branch(i + 6));
  // Nothing equals null: fills the merge up to a size that has its statement.
  const filled = [...values, ...new Array<null>(size - values.length).fill(null)];
  const sql = `${branches.join(' UNION ALL ')} ${firstOf(cut)}`;
  return {
    name: `orders of ${size} by ${column} ${cut.direction}`,
    sql,
    values: [...cutValues(cut), ...filled],
    wide: true,
  };
}

/** The places first, from the index alone; the texts of those that are on the page after that. */
function lateralRead({ items }: Dialect, { column, type, values }: IndexRanges, cut: PageBounds): Read {
  const ofOne = `SELECT time_ns, id FROM orders WHERE ${column} = p.value AND ${between} ${firstOf(cut)}`;
  const places = `SELECT time_ns, id FROM ${items(6, type)} CROSS JOIN LATERAL (${ofOne}) AS lane ${firstOf(cut)}`;
  const sql = `SELECT time_ns, id, body FROM (${places}) AS places JOIN orders USING (time_ns, id) ${ordered(cut)}`;
  return { name: `orders by ${column} ${cut.direction}`, sql, values: [...cutValues(cut), values], wide: true };
}

function ordered({ direction }: PageBounds): string {
  const word = direction === 'asc' ? 'ASC' : 'DESC';
  return `ORDER BY time_ns ${word}, id ${word}`;
}

function firstOf(cut: PageBounds): string {
  return `${ordered(cut)} ${limitTo(5)}`;
}

function cutValues({ range: { above, below }, limit }: PageBounds): readonly (bigint | number)[] {
  return [above.timeNs, above.id, below.timeNs, below.id, limit];
}
