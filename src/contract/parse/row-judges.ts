import { isDay } from '../exchange/day.ts';
import {
  compareInstants,
  formatInstant,
  INSTANT_PATTERN,
  parseInstant,
  toEpochNanos,
  type EpochNanos,
  type Instant,
} from '../exchange/instant.ts';
import type { Parameter } from '../exchange/parameter-sets.ts';
import { CLOCK_TOLERANCE_MS, type ParameterRule, type RowRules } from '../exchange/row-rules.ts';
import { describeValue, type DeviationKind } from './check.ts';

/** A row whose fields may or may not be those of its schema. */
export type Row = Readonly<Record<string, unknown>>;

/** How a row deviates, in one of its fields. */
export interface RowDeviation {
  readonly kind: DeviationKind;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/** What is wrong with one row, whatever the others are; null: nothing. */
export type Judge = (row: Row) => RowDeviation | null;

/** The names and decoded values of a request's parameters, in path and query. */
export type RequestPairs = readonly (readonly [name: string, value: string])[];

export interface JudgedRequest {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly pairs: RequestPairs;
  /** The exchange's time in milliseconds; null where it is unknown, so that nothing counts as in the future. */
  readonly venueNow: number | null;
}

/** The judges of one request. `hasField`: whether the rows of the endpoint have a field. */
export function createJudges(
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
    // What only all rows together can prove.
    case 'alike':
    case 'order':
      return null;
  }
}

/** The time of a row as an instant, that of a day at its beginning; null where it is neither. */
export function readTime(value: unknown): Instant | null {
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

/** The interface defines neither the zone nor the bounds of a day: one day before and after it are within. */
function judgeDay(rules: RowRules, day: string): Judge | null {
  const start = `${day}T00:00:00Z`;
  const [early, late] = [
    judgeBound(rules, shift(start, -DAY_SECONDS), 'later'),
    judgeBound(rules, shift(start, 2 * DAY_SECONDS), 'earlier'),
  ];
  return (row) => early?.(row) ?? late?.(row) ?? null;
}

type Side = 'earlier' | 'later';

/** The row's time is at the bound or on one side of it. */
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

/** Null for `now`, which is no bound, and where the calendar has no such time. */
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
