import { isDay } from './day.ts';
import { isInstant } from './instant.ts';
import type { JsonType, Shape } from './schema.ts';

/**
 * What differs from the interface.
 * - drift (the row is good): a field or a word that the interface does not list; where a whole number is due, one past
 *   2^53, which a float rounds (`wireText` has its digits), or one with a fraction.
 * - fault (the row is not to be believed): a field that is missing or of another type, text or a number that is not of its
 *   form where that is judged, an answer that is not JSON.
 */
export type DeviationKind =
  | 'unknown field'
  | 'unknown word'
  | 'long number'
  | 'fraction'
  | 'missing field'
  | 'wrong type'
  | 'wrong form'
  | 'not json';

const DRIFT: ReadonlySet<DeviationKind> = new Set(['unknown field', 'unknown word', 'long number', 'fraction']);

/** One difference, with its place. */
export interface Deviation {
  readonly kind: DeviationKind;
  /** Where, for example `$.data[17].ohlc.close`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * `strict` judges the form of every text and number (patterns, instants, minimum), `tolerant` that of calendar days alone:
 * sessions are put in order and into weeks by them, where a moment of another form can still be shown as it came.
 */
export type Strictness = 'strict' | 'tolerant';

/** Compares a value with a shape and tells every deviation, first to last. None: the value is as the interface says. */
export function findDeviations(shape: Shape, value: unknown, path: string, strictness: Strictness): Deviation[] {
  const found: Deviation[] = [];
  visit(shape, value, path);
  return found;

  function visit(at: Shape, current: unknown, here: string): void {
    if (!typesOf(at).some((type) => isOfType(type, current))) {
      report('wrong type', here, typesOf(at).join(' or '), current);
    } else if (isRecord(current)) {
      visitObject(at, current, here);
    } else if (Array.isArray(current)) {
      if (at.items) for (const [index, item] of current.entries()) visit(at.items, item, `${here}[${String(index)}]`);
    } else if (current !== null) {
      visitScalar(at, current, here);
    }
  }

  function visitObject(at: Shape, record: Readonly<Record<string, unknown>>, here: string): void {
    const properties = at.properties ?? {};
    for (const [name, field] of Object.entries(properties)) {
      if (record[name] !== undefined) visit(field, record[name], `${here}.${name}`);
      else if (at.required?.includes(name))
        report('missing field', `${here}.${name}`, typesOf(field).join(' or '), undefined);
    }
    for (const name of Object.keys(record)) {
      if (!Object.hasOwn(properties, name)) report('unknown field', `${here}.${name}`, 'no such field', record[name]);
    }
  }

  function visitScalar(at: Shape, current: unknown, here: string): void {
    if (at.enum && typeof current === 'string' && !at.enum.includes(current)) {
      report('unknown word', here, at.enum.join(' or '), current);
    }
    if (typesOf(at).includes('integer') && !Number.isSafeInteger(current)) {
      report(Number.isInteger(current) ? 'long number' : 'fraction', here, 'a whole number within 2^53', current);
    }
    const problem = findDayProblem(at, current) ?? (strictness === 'strict' ? findFormProblem(at, current) : null);
    if (problem !== null) report('wrong form', here, problem, current);
  }

  function report(kind: DeviationKind, where: string, expected: string, current: unknown): void {
    found.push({ kind, path: where, expected, found: describe(current) });
  }
}

/** Whether what shows it is not to be believed; otherwise it is drift. */
export function isFault(deviation: Deviation): boolean {
  return !DRIFT.has(deviation.kind);
}

/** The JSON types a value of the shape may have; several where it may be null. */
export function typesOf(shape: Shape): readonly JsonType[] {
  if (shape.type === undefined) return [];
  return typeof shape.type === 'string' ? [shape.type] : shape.type;
}

/** What a value should have looked like and does not, or null. */
function findFormProblem(shape: Shape, value: unknown): string | null {
  if (typeof value === 'number') {
    return shape.minimum !== undefined && value < shape.minimum ? `at least ${String(shape.minimum)}` : null;
  }
  if (typeof value !== 'string') return null;
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(value)) return `text of the form ${shape.pattern}`;
  if (shape.format === 'date-time' && !isInstant(value)) return 'an ISO 8601 instant in UTC';
  return null;
}

function findDayProblem(shape: Shape, value: unknown): string | null {
  return shape.format === 'date' && typeof value === 'string' && !isDay(value) ? 'a day YYYY-MM-DD' : null;
}

function isOfType(type: JsonType, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
    case 'number':
      // JSON.parse reads 1e400 as Infinity.
      return Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONGEST_SAMPLE = 40;

/** A value in a few words, for people. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
  if (typeof value === 'object') return 'an object';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return `${typeof value} ${text.slice(0, LONGEST_SAMPLE)}`;
}
