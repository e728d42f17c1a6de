import type { OrderPosition, OrdersPage, OrdersQuery } from '../ports.ts';
import type { IndexRanges } from './index-ranges.ts';
import type { Dialect, Driver, ReadPlan, Row } from './driver.ts';
import { allRead, mergeRead, nearestRead, type PageBounds, type PositionRange } from './order-reads.ts';
import { toBigInt } from './tables.ts';

/** As many lanes are merged by one statement; more go in groups. */
const WIDEST_MERGE = 32;

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Reads a page of the orders in some lanes, or of all (null). Its cost follows the page, not what lies around it. */
export async function readOrdersPage(driver: Driver, query: OrdersQuery, lanes: IndexRanges | null): Promise<OrdersPage> {
  const cut = { range: spanOf(query), direction: query.direction, limit: query.limit };
  return toPage(await readRows(driver, cut, lanes));
}

async function readRows(driver: Driver, cut: PageBounds, lanes: IndexRanges | null): Promise<readonly Row[]> {
  if (lanes === null) return driver.read(allRead(cut));
  if (lanes.values.length === 0) return [];
  if (lanes.values.length <= WIDEST_MERGE) return driver.read(mergeRead(driver.dialect, lanes, cut));
  return driver.readTogether(readManyRanges(driver.dialect, lanes, cut));
}

/** Of many lanes: what is nearest is likely to fill the page. Where it does not, every lane is asked. */
function* readManyRanges(dialect: Dialect, lanes: IndexRanges, cut: PageBounds): ReadPlan<readonly Row[]> {
  const near = yield nearestRead(dialect, lanes, cut);
  if (near.length === cut.limit) return near;
  let rows: readonly Row[] = [];
  let { range } = cut;
  for (let from = 0; from < lanes.values.length; from += WIDEST_MERGE) {
    const group = { ...lanes, values: lanes.values.slice(from, from + WIDEST_MERGE) };
    const found = yield mergeRead(dialect, group, { ...cut, range });
    rows = [...rows, ...found].sort(byPlace(cut.direction)).slice(0, cut.limit);
    const last = rows.length === cut.limit ? placeOf(rows.at(-1)) : null;
    if (last) range = upTo(last, range, cut.direction);
  }
  return rows;
}

function spanOf({ fromNs, untilNs, direction, after }: OrdersQuery): PositionRange {
  const above = { timeNs: fromNs ?? LOWEST, id: LOWEST };
  const below = { timeNs: untilNs ?? HIGHEST, id: untilNs === undefined ? HIGHEST : LOWEST };
  if (!after) return { above, below };
  if (direction === 'asc') return { above: compare(after, above) > 0 ? after : above, below };
  return { above, below: compare(after, below) < 0 ? after : below };
}

/** What comes before a place, in the direction of reading. */
function upTo(place: OrderPosition, { above, below }: PositionRange, direction: PageBounds['direction']): PositionRange {
  return direction === 'asc' ? { above, below: place } : { above: place, below };
}

function toPage(rows: readonly Row[]): OrdersPage {
  return { rows: rows.map(([, , body]) => body).join(','), count: rows.length, last: placeOf(rows.at(-1)) };
}

function placeOf(row: Row | undefined): OrderPosition | null {
  return row ? { timeNs: toBigInt(row[0]), id: toBigInt(row[1]) } : null;
}

function byPlace(direction: PageBounds['direction']): (a: Row, b: Row) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return ([timeA, idA], [timeB, idB]) =>
    sign * (sizes(toBigInt(timeA), toBigInt(timeB)) || sizes(toBigInt(idA), toBigInt(idB)));
}

function compare(a: OrderPosition, b: OrderPosition): number {
  return sizes(a.timeNs, b.timeNs) || sizes(a.id, b.id);
}

function sizes(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
