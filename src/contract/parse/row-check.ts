import type { Endpoint } from '../exchange/endpoints.ts';
import { compareInstants, type Instant } from '../exchange/instant.ts';
import type { RowRules } from '../exchange/row-rules.ts';
import { toShape, type Shape, type TSchema } from '../exchange/schema.ts';
import { describeValue } from './check.ts';
import {
  createJudges,
  readTime,
  type Judge,
  type JudgedRequest,
  type RequestPairs,
  type Row,
  type RowDeviation,
} from './row-judges.ts';

/** What a list of rows proves about itself, as the answer to a request. */
export interface RowFindings {
  /** Rows that must be left out, by position. */
  readonly leftOut: ReadonlyMap<number, RowDeviation>;
  /** The positions of the other rows in the requested order; null where they are in it. */
  readonly sorted: readonly number[] | null;
  /** Deviations of the list as a whole, whose rows are used. */
  readonly ofList: readonly RowDeviation[];
}

/** Examines rows that match their schema; what is not a row, or lacks a field, is not judged by it. */
export type RowCheck = (rows: readonly unknown[]) => RowFindings;

/** The check of the rows that answer one request. */
export function createRowCheck(
  endpoint: Pick<Endpoint, 'pathParameters' | 'query' | 'response' | 'rows'>,
  pairs: RequestPairs,
  venueNow: number | null,
): RowCheck {
  const { rows: rules } = endpoint;
  const request: JudgedRequest = { parameters: { ...endpoint.pathParameters, ...endpoint.query }, pairs, venueNow };
  const fields = toRowShape(endpoint.response).properties ?? {};
  const judges = createJudges(request, rules, (name) => Object.hasOwn(fields, name));
  const keyFields = toKeyFields(request, rules);
  const alike = findAlikeField(request);
  const direction = findDirection(request);
  return (rows) => {
    const leftOut = judgeEach(rows, judges);
    if (alike !== null) leaveOut(leftOut, findOdd(remaining(rows, leftOut), alike));
    if (keyFields.length > 0) leaveOut(leftOut, findRepeated(remaining(rows, leftOut), keyFields));
    const disorder =
      direction === null || rules.timeField === null
        ? null
        : sortByTime(remaining(rows, leftOut), rules.timeField, direction);
    return {
      leftOut,
      sorted: disorder?.sorted ?? null,
      ofList: [...(disorder?.found ?? []), ...findExcess(rows, rules)],
    };
  };
}

/**
 * The shape of one row: of a list, of a page, or of the one object.
 *
 * @internal Exported for tests.
 */
export function toRowShape(response: TSchema): Shape {
  const shape = toShape(response);
  return shape.items ?? shape.properties?.['data']?.items ?? shape;
}

type Placed = readonly [position: number, row: Row];

function judgeEach(rows: readonly unknown[], judges: readonly Judge[]): Map<number, RowDeviation> {
  const found = new Map<number, RowDeviation>();
  if (judges.length === 0) return found;
  for (const [position, row] of rows.entries()) {
    if (!isRow(row)) continue;
    for (const judge of judges) {
      const deviation = judge(row);
      if (deviation === null) continue;
      found.set(position, deviation);
      break;
    }
  }
  return found;
}

function remaining(rows: readonly unknown[], leftOut: ReadonlyMap<number, RowDeviation>): readonly Placed[] {
  return [...rows.entries()].filter((entry): entry is [number, Row] => !leftOut.has(entry[0]) && isRow(entry[1]));
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null;
}

function leaveOut(leftOut: Map<number, RowDeviation>, found: Iterable<readonly [number, RowDeviation]>): void {
  for (const [position, deviation] of found) leftOut.set(position, deviation);
}

/** The response to a request for one product, or for the total of several, is one series. */
function toKeyFields({ parameters, pairs }: JudgedRequest, { keyFields }: RowRules): readonly string[] {
  const requested = pairs.flatMap(([name]) => {
    const rule = parameters[name]?.rule;
    return rule?.kind === 'equal' ? rule.fields : [];
  });
  return keyFields.filter((field) => !requested.includes(field));
}

function findAlikeField({ parameters, pairs }: JudgedRequest): string | null {
  const rules = pairs.map(([name]) => parameters[name]?.rule);
  return rules.find((rule) => rule?.kind === 'alike')?.field ?? null;
}

/** Rows that differ from most of the others; all of them where no value is the most frequent. */
function* findOdd(placed: readonly Placed[], field: string): Iterable<readonly [number, RowDeviation]> {
  const groups = [...Map.groupBy(placed, ([, row]) => row[field])].sort(([, a], [, b]) => b.length - a.length);
  const [first, second] = groups;
  if (first === undefined || second === undefined) return;
  const isTie = first[1].length === second[1].length;
  for (const [value, odd] of isTie ? groups : groups.slice(1)) {
    const deviation = {
      kind: 'not requested',
      field,
      expected: isTie ? `one ${field}` : describeValue(first[0]),
      found: describeValue(value),
    } as const;
    for (const [position] of odd) yield [position, deviation];
  }
}

/** Equal rows count once; of rows that contradict each other, none counts. */
function* findRepeated(
  placed: readonly Placed[],
  keyFields: readonly string[],
): Iterable<readonly [number, RowDeviation]> {
  const [field = ''] = keyFields.slice(-1);
  const byKey = new Map<string, Placed[]>();
  for (const entry of placed) {
    const key = keyFields.map((name) => String(entry[1][name])).join(' ');
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [entry]);
    else known.push(entry);
  }
  for (const [first, ...others] of byKey.values()) {
    if (first === undefined || others.length === 0) continue;
    const isSame = others.every(([, row]) => JSON.stringify(row) === JSON.stringify(first[1]));
    const deviation = {
      kind: isSame ? 'duplicate' : 'contradiction',
      field,
      expected: 'one row',
      found: `${String(others.length + 1)} with ${describeValue(first[1][field])}`,
    } as const;
    for (const [position] of isSame ? others : [first, ...others]) yield [position, deviation];
  }
}

type Direction = 'asc' | 'desc';

function findDirection({ parameters, pairs }: JudgedRequest): Direction | null {
  const value = pairs.find(([name]) => parameters[name]?.rule?.kind === 'order')?.[1];
  return value === 'asc' || value === 'desc' ? value : null;
}

interface Disorder {
  readonly sorted: readonly number[];
  readonly found: readonly RowDeviation[];
}

/** Null where the rows are in order. A row without a readable time stays with the row before it. */
function sortByTime(placed: readonly Placed[], field: string, direction: Direction): Disorder | null {
  const sign = direction === 'asc' ? 1 : -1;
  const timed = withTimes(placed, field);
  const compare = (a: Timed, b: Timed): number => sign * compareInstants(a.time, b.time);
  const wrong = timed.find((one, index) => compare(timed[index - 1] ?? one, one) > 0);
  if (wrong === undefined) return null;
  const expected = `rows in ${direction === 'asc' ? 'ascending' : 'descending'} order`;
  return {
    sorted: timed.sort(compare).map(({ position }) => position),
    found: [{ kind: 'out of order', field, expected, found: describeValue(wrong.time) }],
  };
}

interface Timed {
  readonly position: number;
  readonly time: Instant;
}

const NEVER = '0000-01-01T00:00:00Z' as Instant;

function withTimes(placed: readonly Placed[], field: string): Timed[] {
  const times = placed.map(([, row]) => readTime(row[field]));
  let latest = times.find((time) => time !== null) ?? NEVER;
  return placed.map(([position], index) => ({ position, time: (latest = times[index] ?? latest) }));
}

function findExcess(rows: readonly unknown[], { maxRows }: RowRules): readonly RowDeviation[] {
  if (rows.length <= maxRows) return [];
  return [
    { kind: 'too many rows', field: '', expected: `at most ${String(maxRows)} rows`, found: describeValue(rows) },
  ];
}
