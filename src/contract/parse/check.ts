import { isAmount, isUsdText } from '../exchange/amounts.ts';
import { isDay, isInstant } from '../exchange/instant.ts';
import { agreementsOf, mayBeWithheld, type Agreement, type JsonType, type Shape } from '../exchange/schema.ts';

/**
 * How a response differs from the interface.
 * - drift (the row is used): an unlisted field or value; an ID or instant in another format, which is shown unchanged
 *   but never used in a calculation; an integer past 2^53, which a float rounds (`wireText` has its digits), or one
 *   with a fraction; rows in another order than requested, which are sorted, or more rows than a response may have. An
 *   impossible value is withheld: the row is used with null in its place.
 * - fault (the row is left out): a field that is missing, of another type or in the wrong format; a response that is
 *   not JSON; a row that was not requested, is outside the requested range or in the future; a row that repeats another
 *   (duplicate) or has other values for the same key (contradiction).
 */
export type DeviationKind =
  | 'unknown field'
  | 'unknown value'
  | 'unknown format'
  | 'long number'
  | 'fraction'
  | 'out of order'
  | 'too many rows'
  | 'impossible value'
  | 'missing field'
  | 'wrong type'
  | 'wrong format'
  | 'not JSON'
  | 'not requested'
  | 'outside the range'
  | 'in the future'
  | 'duplicate'
  | 'contradiction';

const DRIFT: ReadonlySet<DeviationKind> = new Set([
  'unknown field',
  'unknown value',
  'unknown format',
  'long number',
  'fraction',
  'out of order',
  'too many rows',
  'impossible value',
]);

/** One deviation and its location. */
export interface Deviation {
  readonly kind: DeviationKind;
  /** For example `$.data[17].ohlc.close`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** Finds every deviation of a value from a shape, in order. */
export function findDeviations(shape: Shape, value: unknown, path: string): Deviation[] {
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
    for (const agreement of agreementsOf(at)) visitAgreement(agreement, record, here);
  }

  function visitAgreement(
    { paths, expected, findConflict }: Agreement,
    record: Readonly<Record<string, unknown>>,
    here: string,
  ): void {
    const conflict = findConflict(record);
    if (conflict !== null)
      found.push(
        ...paths.map(
          (path) => ({ kind: 'impossible value', path: `${here}.${path}`, expected, found: conflict }) as const,
        ),
      );
  }

  function visitScalar(at: Shape, current: unknown, here: string): void {
    if (at.enum && typeof current === 'string' && !at.enum.includes(current)) {
      report('unknown value', here, at.enum.join(' or '), current);
    }
    if (typesOf(at).includes('integer') && !Number.isSafeInteger(current)) {
      report(Number.isInteger(current) ? 'long number' : 'fraction', here, 'a whole number within 2^53', current);
    }
    const impossible = findBound(at, current) ?? findExcess(at, current) ?? findVitalFormat(at, current);
    const odd = impossible === null ? findFormat(at, current) : null;
    if (impossible !== null) report(mayBeWithheld(at) ? 'impossible value' : 'wrong format', here, impossible, current);
    if (odd !== null) report('unknown format', here, odd, current);
  }

  function report(kind: DeviationKind, where: string, expected: string, current: unknown): void {
    found.push({ kind, path: where, expected, found: describeValue(current) });
  }
}

/** Returns whether the row must be left out; otherwise the deviation is drift. */
export function isFault(deviation: Deviation): boolean {
  return !DRIFT.has(deviation.kind);
}

/** Returns the JSON types of a shape, which are several if it may be null. */
export function typesOf(shape: Shape): readonly JsonType[] {
  if (shape.type === undefined) return [];
  return typeof shape.type === 'string' ? [shape.type] : shape.type;
}

/** Returns the bound that a number violates, or null. */
function findBound({ minimum, exclusiveMinimum }: Shape, value: unknown): string | null {
  if (typeof value !== 'number') return null;
  if (minimum !== undefined && value < minimum) return `at least ${String(minimum)}`;
  return exclusiveMinimum !== undefined && value <= exclusiveMinimum ? `more than ${String(exclusiveMinimum)}` : null;
}

/** Returns the maximum length that a text exceeds, or null. */
function findExcess({ maxLength }: Shape, value: unknown): string | null {
  if (maxLength === undefined || typeof value !== 'string' || value.length <= maxLength) return null;
  return Array.from(value).length > maxLength ? `at most ${String(maxLength)} characters` : null;
}

/** Returns the format that a value should have but does not, or null. */
function findFormat(shape: Shape, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(value))
    return `text that matches ${shape.pattern}`;
  if (shape.format === 'date-time' && !isInstant(value)) return 'an ISO 8601 instant in UTC';
  return null;
}

/**
 * Returns a violated format that screens depend on: days, which sort and group sessions; USD texts, from which figures
 * are computed; and well-formed Unicode, which addresses need.
 */
function findVitalFormat(shape: Shape, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (shape.format === 'date') return isDay(value) ? null : 'a day YYYY-MM-DD';
  if (shape['x-unit'] === 'usd') return isUsdText(value) ? null : 'a plain decimal';
  return value.isWellFormed() ? null : 'well-formed Unicode';
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
      return isAmount(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONGEST_SAMPLE = 40;

/** Describes a value briefly, for messages. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
  if (typeof value === 'object') return 'an object';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return `${typeof value} ${text.slice(0, LONGEST_SAMPLE)}`;
}
