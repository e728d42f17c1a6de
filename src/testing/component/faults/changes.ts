import type { Change, Row } from './fault.ts';

type Rows = readonly Row[];
type ChangeRow = (row: Row) => unknown;

/** The names that responses have for their lists. */
interface Lists {
  readonly data?: Rows;
  readonly products?: Rows;
  readonly orders?: Rows;
  readonly perpetuals?: readonly (Row & { readonly prints: Rows })[];
}

export function inText(change: (text: string) => string): Change {
  return (response) => ({ ...response, text: change(response.text) });
}

export function inBody(change: (body: Row) => unknown): Change {
  return inText((text) => JSON.stringify(change(JSON.parse(text) as Row)));
}

/** Replaces the whole response. */
export function responding(status: number, contentType: string, text: string): Change {
  return () => ({ status, contentType, text });
}

/** Changes the list of rows, by whichever name a response has it. A single object is a list of one. */
export function inList(change: (rows: Rows, productId: number) => readonly unknown[]): Change {
  return (response, productId) =>
    inBody((body) => changeLists(body, (rows) => change(rows, productId)))(response, productId);
}

function changeLists(body: Row, change: (rows: Rows) => readonly unknown[]): unknown {
  if (Array.isArray(body)) return change(body);
  const { data, products, orders, perpetuals }: Lists = body;
  if (data !== undefined) return { ...body, data: change(data) };
  if (products !== undefined) return { ...body, products: change(products) };
  if (orders !== undefined) return { ...body, orders: change(orders) };
  if (perpetuals !== undefined)
    return { ...body, perpetuals: perpetuals.map((one) => ({ ...one, prints: change(one.prints) })) };
  return change([body])[0];
}

export function inEach(change: ChangeRow): Change {
  return inList((rows) => rows.map(change));
}

/** Changes the first row, whichever product it belongs to. */
export function inFirst(change: ChangeRow): Change {
  return inList((rows) => rows.map((row, index) => (index === 0 ? change(row) : row)));
}

/** Changes the rows of the perpetual. Rows that name no product count as its rows. */
export function inOwn(change: ChangeRow): Change {
  return inList((rows, productId) => rows.map((row) => (isOf(row, productId) ? change(row) : row)));
}

/** Changes the perpetual's newest row. */
export function inNewest(change: ChangeRow): Change {
  return inList((rows, productId) => {
    const newest = findNewest(rows, productId);
    return rows.map((row) => (row === newest ? change(row) : row));
  });
}

/** Changes one of the perpetual's rows, counted from the newest if `at` is negative. */
export function inSession(at: number, change: ChangeRow): Change {
  return inList((rows, productId) => {
    const changed = rows.filter((row) => isOf(row, productId)).at(at);
    return rows.map((row) => (row === changed ? change(row) : row));
  });
}

/** Adds a row beside the perpetual's newest one. */
export function besideNewest(toRow: ChangeRow): Change {
  return inList((rows, productId) => {
    const newest = findNewest(rows, productId);
    return rows.flatMap((row) => (row === newest ? [row, toRow(row)] : [row]));
  });
}

/** Removes rows of the perpetual. */
export function without(isLeftOut: (index: number, rows: number) => boolean): Change {
  return inList((rows, productId) => {
    const own = rows.filter((row) => isOf(row, productId));
    const leftOut = new Set(own.filter((_, index) => isLeftOut(index, own.length)));
    return rows.filter((row) => !leftOut.has(row));
  });
}

function isOf(row: Row, productId: number): boolean {
  const id = row['product_id'] ?? row['productId'];
  return id === undefined || id === productId;
}

function findNewest(rows: Rows, productId: number): Row | undefined {
  return rows.filter((row) => isOf(row, productId)).toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))[0];
}

function timeOf(row: Row): string {
  return String(row['interval_end'] ?? row['date'] ?? row['time']);
}

/** Returns a row with other values; undefined removes a field. */
export function having(values: Row): (row: Row) => Row {
  return (row) => ({ ...row, ...values });
}

/** Returns a row with another value in a field. A dot leads into an object. */
export function withField(path: string, change: (value: unknown) => unknown): (row: Row) => Row {
  const [field = '', ...rest] = path.split('.');
  return (row) => ({
    ...row,
    [field]: rest.length === 0 ? change(row[field]) : withField(rest.join('.'), change)(row[field] as Row),
  });
}

/** Returns a row with the same change in several fields. */
export function withFields(paths: readonly string[], change: (value: unknown) => unknown): (row: Row) => Row {
  return (row) => paths.reduce((changed, path) => withField(path, change)(changed), row);
}

export function renamed(from: string, to: string): (row: Row) => Row {
  return ({ [from]: value, ...row }) => ({ ...row, [to]: value });
}

/** Returns a row with the values of two fields swapped. */
export function swapped(a: string, b: string): (row: Row) => Row {
  return (row) => ({ ...row, [a]: row[b], [b]: row[a] });
}

/** Multiplies a number or a decimal text. */
export function times(factor: number): (value: unknown) => unknown {
  return (value) => {
    if (typeof value === 'number') return Number((value * factor).toPrecision(12));
    return typeof value === 'string' ? (Number(value) * factor).toFixed(10) : value;
  };
}

const DAY_MS = 86_400_000;

/** Shifts a day or an instant by some days. */
export function later(days: number): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'string') return value;
    const moved = new Date(Date.parse(value) + days * DAY_MS).toISOString();
    return value.length === 'YYYY-MM-DD'.length ? moved.slice(0, value.length) : moved;
  };
}

export function withoutZone(time: unknown): string {
  return String(time).replace('Z', '');
}
