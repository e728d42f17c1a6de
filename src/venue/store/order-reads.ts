import type { OrderPosition, OrdersQuery } from '../core/ports.ts';
import { limitTo, type Read } from '#sql/driver.ts';
import type { IndexRanges } from './index-ranges.ts';
import { isAmong } from './tables.ts';

/** The positions strictly between two others. */
export interface PositionRange {
  readonly above: OrderPosition;
  readonly below: OrderPosition;
}

/** Which orders a page may have. */
export interface PageBounds {
  readonly range: PositionRange;
  readonly direction: OrdersQuery['direction'];
  readonly limit: number;
}

/** How many of the nearest orders are searched before many index ranges are merged. */
const NEAREST = 2_000;

const between = '(time_ns, id) > ($1, $2) AND (time_ns, id) < ($3, $4)';

/** All orders. */
export function allRead(bounds: PageBounds): Read {
  const sql = `SELECT time_ns, id, body FROM orders WHERE ${between} ${firstOf(bounds)}`;
  return { name: `orders ${bounds.direction}`, sql, values: boundValues(bounds), wide: true };
}

/** The orders of some index ranges, among the nearest of all orders. */
export function nearestRead({ column, values }: IndexRanges, bounds: PageBounds): Read {
  const near = `SELECT ${column}, time_ns, id, body FROM orders WHERE ${between} ${ordered(bounds)} LIMIT ${NEAREST}`;
  const which = isAmong(column, 6);
  const sql = `SELECT time_ns, id, body FROM (${near}) AS near WHERE ${which} ${firstOf(bounds)}`;
  return {
    name: `orders near by ${column} ${bounds.direction}`,
    sql,
    values: [...boundValues(bounds), values],
    wide: true,
  };
}

/**
 * The orders of some index ranges, each read in order and no further than the page needs: the database reads a branch of
 * an ordered union only as far as that.
 */
export function mergeRead({ column, values }: IndexRanges, bounds: PageBounds): Read {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  const branch = (n: number): string => `SELECT time_ns, id, body FROM orders WHERE ${column} = $${n} AND ${between}`;
  const branches = Array.from({ length: size }, (_, i) => branch(i + 6));
  // Nulls match nothing: they fill the union up to a power of two, so that there are few statements.
  const filled = [...values, ...new Array<null>(size - values.length).fill(null)];
  const sql = `${branches.join(' UNION ALL ')} ${firstOf(bounds)}`;
  return {
    name: `orders of ${size} by ${column} ${bounds.direction}`,
    sql,
    values: [...boundValues(bounds), ...filled],
    wide: true,
  };
}

function ordered({ direction }: PageBounds): string {
  const word = direction === 'asc' ? 'ASC' : 'DESC';
  return `ORDER BY time_ns ${word}, id ${word}`;
}

function firstOf(bounds: PageBounds): string {
  return `${ordered(bounds)} ${limitTo(5)}`;
}

function boundValues({ range: { above, below }, limit }: PageBounds): readonly (bigint | number)[] {
  return [above.timeNs, above.id, below.timeNs, below.id, limit];
}
