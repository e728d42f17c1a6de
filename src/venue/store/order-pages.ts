import type { OrderPosition, OrdersPage, OrdersQuery } from '../core/ports.ts';
import type { IndexRanges } from './index-ranges.ts';
import type { Driver, ReadPlan, Row } from '#sql/driver.ts';
import { allRead, mergeRead, nearestRead, type PageBounds, type PositionRange } from './order-reads.ts';
import { toBigInt } from './tables.ts';

/** Index ranges merged by one statement; more are merged in groups. */
const LARGEST_MERGE = 32;

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Reads a page of the orders in some index ranges, or of all (null). The cost depends on the size of the page only. */
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

/** For many ranges: the nearest orders are likely to fill the page. If not, every range is read. */
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

/** The part of the range before a position, in the direction of reading. */
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
