import type { OrderPlace, OrdersPage, OrdersQuery } from '../ports.ts';
import type { Dialect, Driver, Read, ReadPlan, Row } from './driver.ts';
import { toBigInt } from './tables.ts';

/** As many streams are merged by one statement; more go in groups. */
const WIDEST_MERGE = 32;
/** How many of the nearest orders are looked through before many streams are merged. */
const NEAREST = 2_000;
/** No stream has this id: fills a merge up to a size that has its statement. */
const NO_STREAM = 0;

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Places strictly between two others. */
interface Span {
  readonly above: OrderPlace;
  readonly below: OrderPlace;
}

type Direction = OrdersQuery['direction'];

/** Reads a page of the orders of some streams, or of all (null). Its cost follows the page, not what lies around it. */
export function readOrdersPage(driver: Driver, query: OrdersQuery, streams: readonly number[] | null): Promise<OrdersPage> {
  const span = spanOf(query);
  const { direction, limit } = query;
  if (streams === null) return driver.read(allRead(span, direction, limit)).then(toPage);
  if (streams.length === 0) return Promise.resolve(toPage([]));
  if (streams.length <= WIDEST_MERGE) return driver.read(mergeRead(streams, span, direction, limit)).then(toPage);
  return driver.readTogether(gather(driver.dialect, streams, span, direction, limit)).then(toPage);
}

/** Of many streams: what is nearest is likely to fill the page. Where it does not, every stream is asked. */
function* gather(
  dialect: Dialect,
  streams: readonly number[],
  span: Span,
  direction: Direction,
  limit: number,
): ReadPlan<readonly Row[]> {
  const near = yield nearestRead(dialect, streams, span, direction, limit);
  if (near.length === limit) return near;
  let rows: readonly Row[] = [];
  let open = span;
  for (let from = 0; from < streams.length; from += WIDEST_MERGE) {
    const found = yield mergeRead(streams.slice(from, from + WIDEST_MERGE), open, direction, limit);
    rows = [...rows, ...found].sort(byPlace(direction)).slice(0, limit);
    const last = rows.length === limit ? placeOf(rows.at(-1)) : null;
    if (last) open = direction === 'asc' ? { ...open, below: last } : { ...open, above: last };
  }
  return rows;
}

function spanOf({ fromNs, untilNs, direction, after }: OrdersQuery): Span {
  const above = { timeNs: fromNs ?? LOWEST, id: LOWEST };
  const below = { timeNs: untilNs ?? HIGHEST, id: untilNs === undefined ? HIGHEST : LOWEST };
  if (!after) return { above, below };
  if (direction === 'asc') return { above: compare(after, above) > 0 ? after : above, below };
  return { above, below: compare(after, below) < 0 ? after : below };
}

const between = '(time_ns, id) > ($1, $2) AND (time_ns, id) < ($3, $4)';
const columns = 'time_ns, id, body';

function ordered(direction: Direction): string {
  const word = direction === 'asc' ? 'ASC' : 'DESC';
  return `ORDER BY time_ns ${word}, id ${word}`;
}

function spanValues({ above, below }: Span): readonly bigint[] {
  return [above.timeNs, above.id, below.timeNs, below.id];
}

function allRead(span: Span, direction: Direction, limit: number): Read {
  const sql = `SELECT ${columns} FROM orders WHERE ${between} ${ordered(direction)} LIMIT $5`;
  return { name: `orders ${direction}`, sql, values: [...spanValues(span), limit], wide: true };
}

function mergeRead(streams: readonly number[], span: Span, direction: Direction, limit: number): Read {
  const size = 2 ** Math.ceil(Math.log2(streams.length));
  const branches = Array.from(
    { length: size },
    (_, i) => `SELECT ${columns} FROM orders WHERE stream = $${i + 6} AND ${between}`,
  );
  const filled = [...streams, ...new Array<number>(size - streams.length).fill(NO_STREAM)];
  const sql = `${branches.join(' UNION ALL ')} ${ordered(direction)} LIMIT $5`;
  return { name: `orders of ${size} ${direction}`, sql, values: [...spanValues(span), limit, ...filled], wide: true };
}

function nearestRead(
  { items }: Dialect,
  streams: readonly number[],
  span: Span,
  direction: Direction,
  limit: number,
): Read {
  const near = `SELECT stream, ${columns} FROM orders WHERE ${between} ${ordered(direction)} LIMIT ${NEAREST}`;
  const sql = `SELECT ${columns} FROM (${near}) AS near
    WHERE stream IN (SELECT p.value FROM ${items(6)}) ${ordered(direction)} LIMIT $5`;
  return { name: `orders near ${direction}`, sql, values: [...spanValues(span), limit, streams], wide: true };
}

function toPage(rows: readonly Row[]): OrdersPage {
  return { rows: rows.map(([, , body]) => body).join(','), count: rows.length, last: placeOf(rows.at(-1)) };
}

function placeOf(row: Row | undefined): OrderPlace | null {
  return row ? { timeNs: toBigInt(row[0]), id: toBigInt(row[1]) } : null;
}

function byPlace(direction: Direction): (a: Row, b: Row) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return ([timeA, idA], [timeB, idB]) =>
    sign * (sizes(toBigInt(timeA), toBigInt(timeB)) || sizes(toBigInt(idA), toBigInt(idB)));
}

function compare(a: OrderPlace, b: OrderPlace): number {
  return sizes(a.timeNs, b.timeNs) || sizes(a.id, b.id);
}

function sizes(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
