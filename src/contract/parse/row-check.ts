import {
  compareInstants,
  type EpochNanos,
  formatInstant,
  type Instant,
  INSTANT_PATTERN,
  isDay,
  parseInstant,
  toEpochNanos,
} from '../exchange/instant.ts';
import type { Parameter } from '../exchange/parameters.ts';
import { CLOCK_TOLERANCE_MS, type ParameterRule, type RowRules } from '../exchange/row-rules.ts';
import { describeValue, type DeviationKind } from './check.ts';
import type { Endpoint } from '../exchange/endpoints.ts';
import { type Shape, toShape, type TSchema } from '../exchange/schema.ts';

/** A row whose fields may not be those of its schema. */
type Row = Readonly<Record<string, unknown>>;

/** A deviation in one field of a row. */
export interface RowDeviation {
  readonly kind: DeviationKind;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/** Checks one row independently of the others; null if nothing is wrong. */
type Judge = (row: Row) => RowDeviation | null;

/** The names and decoded values of a request's parameters in path and query. */
export type RequestPairs = readonly (readonly [name: string, value: string])[];

interface JudgedRequest {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly pairs: RequestPairs;
  /** The exchange's time in milliseconds; null if it is unknown, in which case nothing counts as in the future. */
  readonly venueNow: number | null;
}

/** Creates the judges of one request. `hasField`: whether the rows of the endpoint have a field. */
function createJudges(
  { parameters, pairs, venueNow }: JudgedRequest,
  rules: RowRules,
  hasField: (name: string) => boolean,
): readonly Judge[] {
  const values = Map.groupBy(pairs, ([name]) => name);
  const named = [...values].map(([name, all]) => ({
    rule: parameters[name]?.rule,
    texts: all.map(([, text]) => text),
  }));
  // A day overrides the range.
  const effective = named.some(({ rule }) => rule?.kind === 'day')
    ? named.filter(({ rule }) => rule?.kind !== 'begin' && rule?.kind !== 'end')
    : named;
  const judges = effective.map(({ rule, texts }) => rule && toJudge(rule, texts, rules, hasField));
  return [...judges, judgePast(rules, venueNow), judgePossible(rules)].filter(
    (judge) => judge !== null && judge !== undefined,
  );
}

function toJudge(
  rule: ParameterRule,
  texts: readonly string[],
  rules: RowRules,
  hasField: (name: string) => boolean,
): Judge | null {
  const [text = ''] = texts;
  switch (rule.kind) {
    case 'equal':
      return judgeEqual(rule.fields.find(hasField), texts, rule.ignoresCase === true);
    case 'begin':
      return judgeBound(rules, shift(text, -rules.rangeSlackSeconds), 'later');
    case 'end':
      return judgeBound(rules, shift(text, rules.rangeSlackSeconds), 'earlier');
    case 'day':
      return judgeDay(rules, text);
    // Only all rows together can prove this.
    case 'alike':
    case 'order':
      return null;
  }
}

/** Reads the time of a row as an instant, which for a day is its beginning; null if it is neither. */
function readTime(value: unknown): Instant | null {
  if (typeof value !== 'string') return null;
  if (INSTANT_PATTERN.test(value)) return value as Instant;
  return isDay(value) ? (`${value}T00:00:00Z` as Instant) : null;
}

function judgeEqual(field: string | undefined, texts: readonly string[], ignoresCase: boolean): Judge | null {
  if (field === undefined) return null;
  const toComparable = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const wanted = new Set(texts.map(toComparable));
  return (row) => {
    const value = row[field];
    if ((typeof value !== 'string' && typeof value !== 'number') || wanted.has(toComparable(String(value))))
      return null;
    return { kind: 'not requested', field, expected: texts.join(' or '), found: describeValue(value) };
  };
}

const DAY_SECONDS = 86_400;

/** The interface defines neither the zone nor the bounds of a day, so one day before and after is accepted. */
function judgeDay(rules: RowRules, day: string): Judge | null {
  const start = `${day}T00:00:00Z`;
  const [early, late] = [
    judgeBound(rules, shift(start, -DAY_SECONDS), 'later'),
    judgeBound(rules, shift(start, 2 * DAY_SECONDS), 'earlier'),
  ];
  return (row) => early?.(row) ?? late?.(row) ?? null;
}

type Side = 'earlier' | 'later';

/** Requires the row's time to be at the bound or on one side of it. */
function judgeBound({ timeField }: RowRules, bound: Instant | null, side: Side): Judge | null {
  if (timeField === null || bound === null) return null;
  const sign = side === 'later' ? 1 : -1;
  return (row) => {
    const time = readTime(row[timeField]);
    if (time === null || sign * compareInstants(time, bound) >= 0) return null;
    return {
      kind: 'outside the range',
      field: timeField,
      expected: `${bound} or ${side}`,
      found: describeValue(row[timeField]),
    };
  };
}

function judgePast({ pastFields, pastSlackSeconds }: RowRules, venueNow: number | null): Judge | null {
  if (venueNow === null || pastFields.length === 0) return null;
  const latest = formatInstant(toEpochNanos(venueNow + CLOCK_TOLERANCE_MS + pastSlackSeconds * 1_000), 0);
  return (row) => {
    for (const field of pastFields) {
      const time = readTime(row[field]);
      if (time !== null && compareInstants(time, latest) > 0)
        return { kind: 'in the future', field, expected: `${latest} or earlier`, found: describeValue(row[field]) };
    }
    return null;
  };
}

function judgePossible({ impossible }: RowRules): Judge | null {
  const values = Object.entries(impossible);
  if (values.length === 0) return null;
  return (row) => {
    const found = values.find(([field, value]) => row[field] === value);
    if (found === undefined) return null;
    const [field, value] = found;
    return { kind: 'not requested', field, expected: `another ${field}`, found: describeValue(value) };
  };
}

const NANOS_PER_SECOND = 1_000_000_000n;

/** Returns null for `now`, which is no bound, and for a time that the calendar does not have. */
function shift(text: string, seconds: number): Instant | null {
  const nanos = parseInstant(text);
  if (nanos === null) return null;
  try {
    return formatInstant((nanos + BigInt(seconds) * NANOS_PER_SECOND) as EpochNanos);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The findings about a list of rows, given the request. */
export interface RowFindings {
  /** Rows that must be left out, by position. */
  readonly leftOut: ReadonlyMap<number, RowDeviation>;
  /** The positions of the other rows in the requested order; null if they are already in order. */
  readonly sorted: readonly number[] | null;
  /** Deviations of the list as a whole. Its rows are used. */
  readonly ofList: readonly RowDeviation[];
}

/** Checks rows that match their schema. Values that are not rows, or lack a field, are not judged by it. */
export type RowCheck = (rows: readonly unknown[]) => RowFindings;

/** Creates the check of the rows in the response to one request. */
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
 * Returns the shape of one row: of a list, of a page, or of the one object.
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

/** The response to a request for one product, or for the total of several, is a single series. */
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

/** Finds rows that differ from most of the others; all rows if no value is the most frequent. */
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

/** Finds rows with the same key. Of equal rows, one counts; of rows that contradict each other, none. */
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

/** Returns null if the rows are in order. A row without a readable time stays with the row before it. */
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
