import type { OrderPosition, OrdersPage, OrdersQuery } from '../core/ports.ts';
import { type Driver, limitTo, type Read, type ReadPlan, type Row } from '#sql/driver.ts';
import type { IndexRanges } from './streams.ts';
import { isAmong, toBigInt } from './tables.ts';

/** A range of positions, both bounds excluded. */
interface PositionRange {
  readonly above: OrderPosition;
  readonly below: OrderPosition;
}

/**
 * The bounds on the orders of a page.
 *
 * @internal Exported for its test.
 */
export interface PageBounds {
  readonly range: PositionRange;
  readonly direction: OrdersQuery['direction'];
  readonly limit: number;
}

/** How many index ranges one statement merges. More are merged in batches. */
const LARGEST_MERGE = 32;

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/**
 * Reads a page of the orders in some index ranges, or of all orders (null). The cost depends only on the size of the
 * page.
 */
export async function readOrdersPage(
  driver: Driver,
  query: OrdersQuery,
  ranges: IndexRanges | null,
): Promise<OrdersPage> {
  const bounds = { range: rangeOf(query), direction: query.direction, limit: query.limit };
  return toPage(await readRows(driver, bounds, ranges));
}

async function readRows(driver: Driver, bounds: PageBounds, ranges: IndexRanges | null): Promise<readonly Row[]> {
  if (ranges === null) return driver.read(allRead(bounds));
  if (ranges.values.length === 0) return [];
  if (ranges.values.length <= LARGEST_MERGE) return driver.read(mergeRead(ranges, bounds));
  return driver.readTogether(readManyRanges(ranges, bounds));
}

/** Reads a page from many ranges. The nearest orders are likely to fill it; if not, every range is read. */
function* readManyRanges(ranges: IndexRanges, bounds: PageBounds): ReadPlan<readonly Row[]> {
  const near = yield nearestRead(ranges, bounds);
  if (near.length === bounds.limit) return near;
  let rows: readonly Row[] = [];
  let { range } = bounds;
  for (let from = 0; from < ranges.values.length; from += LARGEST_MERGE) {
    const group = { ...ranges, values: ranges.values.slice(from, from + LARGEST_MERGE) };
    const found = yield mergeRead(group, { ...bounds, range });
    rows = [...rows, ...found].sort(byPosition(bounds.direction)).slice(0, bounds.limit);
    const last = rows.length === bounds.limit ? positionOf(rows.at(-1)) : null;
    if (last) range = rangeBefore(last, range, bounds.direction);
  }
  return rows;
}

function rangeOf({ fromNs, untilNs, direction, after }: OrdersQuery): PositionRange {
  const above = { timeNs: fromNs ?? LOWEST, id: LOWEST };
  const below = { timeNs: untilNs ?? HIGHEST, id: untilNs === undefined ? HIGHEST : LOWEST };
  if (!after) return { above, below };
  if (direction === 'asc') return { above: compare(after, above) > 0 ? after : above, below };
  return { above, below: compare(after, below) < 0 ? after : below };
}

/** Returns the range that precedes a position in the direction of reading. */
function rangeBefore(
  position: OrderPosition,
  { above, below }: PositionRange,
  direction: PageBounds['direction'],
): PositionRange {
  return direction === 'asc' ? { above, below: position } : { above: position, below };
}

function toPage(rows: readonly Row[]): OrdersPage {
  return { rows: rows.map(([, , body]) => body).join(','), count: rows.length, last: positionOf(rows.at(-1)) };
}

function positionOf(row: Row | undefined): OrderPosition | null {
  return row ? { timeNs: toBigInt(row[0]), id: toBigInt(row[1]) } : null;
}

function byPosition(direction: PageBounds['direction']): (a: Row, b: Row) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return ([timeA, idA], [timeB, idB]) =>
    sign * (compareBigints(toBigInt(timeA), toBigInt(timeB)) || compareBigints(toBigInt(idA), toBigInt(idB)));
}

function compare(a: OrderPosition, b: OrderPosition): number {
  return compareBigints(a.timeNs, b.timeNs) || compareBigints(a.id, b.id);
}

function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How many of the nearest orders are searched before many index ranges are merged. */
const NEAREST = 2_000;

const between = '(time_ns, id) > ($1, $2) AND (time_ns, id) < ($3, $4)';

/**
 * Reads all orders.
 *
 * @internal Exported for its test.
 */
export function allRead(bounds: PageBounds): Read {
  const sql = `SELECT time_ns, id, body FROM orders WHERE ${between} ${firstOf(bounds)}`;
  return { name: `orders ${bounds.direction}`, sql, values: boundValues(bounds), wide: true };
}

/**
 * Reads the orders of some index ranges among the nearest of all orders.
 *
 * @internal Exported for its test.
 */
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
 * Reads the orders of some index ranges, each in order and no further than the page needs, because the database reads
 * each branch of an ordered union only that far.
 *
 * @internal Exported for its test.
 */
export function mergeRead({ column, values }: IndexRanges, bounds: PageBounds): Read {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  const branch = (n: number): string => `SELECT time_ns, id, body FROM orders WHERE ${column} = $${n} AND ${between}`;
  const branches = Array.from({ length: size }, (_, i) => branch(i + 6));
  // Nulls match nothing. They pad the union to a power of two, so that there are few different statements.
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
