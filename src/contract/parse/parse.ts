import { describeValue, findDeviations, isFault, typesOf, type Deviation, type DeviationKind } from './check.ts';
import { exactChecks } from './exact.generated.ts';
import { createLongNumberTest, parseKeepingDigits } from './json-text.ts';
import type { RowCheck, RowDeviation, RowFindings } from './row-check.ts';
import { withhold } from '../exchange/row-notes.ts';
import { agreementsOf, toShape, type Shape, type Static, type TSchema } from '../exchange/schema.ts';

/** A row with a fault, unchanged, so that it can be shown and counted. */
export interface RejectedRow {
  readonly index: number;
  readonly row: unknown;
  readonly deviations: readonly Deviation[];
}

/** A row that deviates from the interface. */
export interface DeviatingRow extends RejectedRow {
  /** The row as it is used, without impossible values; null if it is set aside. */
  readonly used: object | null;
}

/** The result of tolerant parsing. */
export interface ParseResult<T> {
  /** The rows without a fault, or the one object; null if the response as a whole has a fault. */
  readonly value: T | null;
  readonly setAside: readonly RejectedRow[];
  /** All deviations, including those of rows set aside, counted by kind and location. */
  readonly deviations: readonly CountedDeviation[];
  /** The deviating rows, if every deviation belongs to one row. Undefined if there are none, or if some do not. */
  readonly deviatingRows?: readonly DeviatingRow[] | undefined;
}

/** Equal deviations of several rows. */
export interface CountedDeviation extends Deviation {
  /** The location without row numbers: `$.data[].price`. `path` is that of the first row. */
  readonly place: string;
  readonly count: number;
}

const LONGEST_LIST = 20;

/**
 * A response that deviates from the interface.
 *
 * @internal Exported for its test.
 */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly deviations: readonly Deviation[];

  constructor(deviations: readonly Deviation[]) {
    const listed = deviations
      .slice(0, LONGEST_LIST)
      .map((d) => `${d.path}: ${d.kind}, expected ${d.expected}, found ${d.found}`);
    const rest = deviations.length - listed.length;
    super([...listed, ...(rest > 0 ? [`and ${String(rest)} more`] : [])].join('\n'));
    this.deviations = deviations;
  }
}

/** Parses the text of a response. It generates no code, because the page's content security policy forbids that. */
export interface Parser<T> {
  /** For conformance: any deviation throws a `ShapeError` with the path of the field. */
  readonly strict: (text: string) => T;
  /** Reports drift, sets aside and reports rows with a fault, and returns all other rows. */
  readonly tolerant: (text: string, check?: RowCheck) => ParseResult<T>;
}

/**
 * Creates a parser for responses of one shape: a list of rows, an object with rows in one field (`data` of a page), or
 * a single object.
 */
export function createParser<Schema extends TSchema>(schema: Schema, rowsField = 'data'): Parser<Static<Schema>> {
  const shape = toShape(schema);
  const mayHoldLongNumber = createLongNumberTest([...numericFields(shape)]);
  const readRows = createRowReader(shape, rowsField);
  return {
    strict: (text) => {
      const read = readText(text, mayHoldLongNumber(text));
      if ('problem' in read) throw new ShapeError([read.problem]);
      const deviations = findDeviations(shape, read.value, '$');
      if (deviations.length > 0) throw new ShapeError(deviations);
      return read.value as Static<Schema>;
    },
    tolerant: (text, check) => {
      const keepsDigits = mayHoldLongNumber(text);
      const result = parseTolerantly(text, keepsDigits, check);
      const isRounded = !keepsDigits && result.deviations.some(({ kind }) => ROUNDING.has(kind));
      return (isRounded ? parseTolerantly(text, true, check) : result) as ParseResult<Static<Schema>>;
    },
  };

  function parseTolerantly(text: string, keepsDigits: boolean, check: RowCheck | undefined): ParseResult<unknown> {
    const read = readText(text, keepsDigits);
    return 'problem' in read
      ? { value: null, setAside: [], deviations: countDeviations([read.problem]) }
      : readRows(read.value, check);
  }
}

const ROUNDING: ReadonlySet<DeviationKind> = new Set(['long number', 'fraction']);

type Read = { readonly value: unknown } | { readonly problem: Deviation };

/** Parses JSON: quickly, or keeping the digits of numbers that a float would round. */
function readText(text: string, keepsDigits: boolean): Read {
  try {
    return { value: keepsDigits ? parseKeepingDigits(text) : JSON.parse(text) };
  } catch {
    return { problem: { kind: 'not JSON', path: '$', expected: 'JSON', found: describeValue(text) } };
  }
}

function* numericFields(shape: Shape): Iterable<string> {
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    if (typesOf(field).includes('number')) yield name;
    else yield* numericFields(field);
  }
  if (shape.items) yield* numericFields(shape.items);
}

type RowReader = (value: unknown, check: RowCheck | undefined) => ParseResult<unknown>;

function createRowReader(shape: Shape, field: string): RowReader {
  if (shape.items) return (value, check) => readList(shape, shape.items ?? {}, { value, path: '$', check });
  const rows = shape.properties?.[field];
  if (!rows?.items) return (value, check) => checkOne(readOne(shape, value), check);
  const envelope: Shape = { ...shape, properties: { ...shape.properties, [field]: { type: 'array' } } };
  return (value, check) => readEnvelope(envelope, rows, value, { field, check });
}

/** Checks a single object against the request. If it does not match, there is no result. */
function checkOne(read: ParseResult<unknown>, check: RowCheck | undefined): ParseResult<unknown> {
  const found = read.value === null ? undefined : check?.([read.value]).leftOut.get(0);
  return found === undefined
    ? read
    : { ...read, value: null, deviations: [...read.deviations, ...countDeviations([at('$', found)])] };
}

function at(path: string, { field, ...deviation }: RowDeviation): Deviation {
  return { ...deviation, path: field === '' ? path : `${path}.${field}` };
}

function readOne(shape: Shape, value: unknown): ParseResult<unknown> {
  const deviations = findDeviations(shape, value, '$');
  return {
    value: deviations.some(isFault) ? null : withoutImpossible(value, '$', deviations),
    setAside: [],
    deviations: countDeviations(deviations),
  };
}

interface EnvelopeRows {
  readonly field: string;
  readonly check: RowCheck | undefined;
}

function readEnvelope(
  envelope: Shape,
  rows: Shape,
  value: unknown,
  { field, check }: EnvelopeRows,
): ParseResult<unknown> {
  const outer = readOne(envelope, value);
  if (outer.value === null) return outer;
  const whole = outer.value as Readonly<Record<string, unknown>>;
  const inner = readList(rows, rows.items ?? {}, { value: whole[field], path: `$.${field}`, check });
  return {
    value: inner.value === whole[field] ? whole : { ...whole, [field]: inner.value },
    setAside: inner.setAside,
    deviations: [...outer.deviations, ...inner.deviations],
    deviatingRows: outer.deviations.length === 0 ? inner.deviatingRows : undefined,
  };
}

interface ListRead {
  readonly value: unknown;
  readonly path: string;
  readonly check: RowCheck | undefined;
}

function readList(shape: Shape, item: Shape, { value, path, check }: ListRead): ParseResult<unknown[]> {
  if (!Array.isArray(value))
    return { value: null, setAside: [], deviations: countDeviations(findDeviations(shape, value, path)) };
  const rows: unknown[] = value;
  const suspects = findSuspects(item, rows);
  const valid =
    suspects.length === 0 ? { value: rows, setAside: [], deviations: [] } : examine(item, rows, suspects, path);
  return check === undefined ? valid : leaveOut(valid, check(valid.value), path);
}

/** Replaces each impossible value of a row by null, so that nothing can use one by accident. */
function withoutImpossible(row: unknown, path: string, deviations: readonly Deviation[]): unknown {
  const impossible = deviations.filter(({ kind }) => kind === 'impossible value');
  const fieldOf = (deviation: Deviation): string => deviation.path.slice(path.length + 1);
  return impossible.reduce(
    (kept, each) =>
      withhold(
        kept as object,
        fieldOf(each),
        `Impossible value: expected ${each.expected}, found ${each.found.replace(/^number /, '')}.`,
      ),
    row,
  );
}

/** Keeps the rows that match the request, in its order. */
function leaveOut(valid: ValidRows, { leftOut, sorted, ofList }: RowFindings, path: string): ParseResult<unknown[]> {
  if (leftOut.size === 0 && sorted === null && ofList.length === 0) return valid;
  const { value, setAside } = valid;
  const indexes = toIndexes(valid);
  const rejected = [...leftOut].map(([position, found]): RejectedRow => {
    const index = indexes[position] ?? position;
    return { index, row: value[position], deviations: [at(`${path}[${String(index)}]`, found)] };
  });
  const found = [
    ...rejected.flatMap(({ deviations }) => deviations),
    ...ofList.map((deviation) => at(path, deviation)),
  ];
  return {
    value: sorted?.map((position) => value[position]) ?? value.filter((_, position) => !leftOut.has(position)),
    setAside: [...setAside, ...rejected].sort((a, b) => a.index - b.index),
    deviations: [...valid.deviations, ...countDeviations(found)],
  };
}

/** Returns the index in the response of each valid row. */
function toIndexes({ value, setAside }: ValidRows): readonly number[] {
  const bad = new Set(setAside.map(({ index }) => index));
  return [...Array(value.length + setAside.length).keys()].filter((index) => !bad.has(index));
}

/**
 * Returns the indexes of rows that fail the exact check or contradict themselves; of all rows if there is no exact
 * check.
 */
function findSuspects(item: Shape, rows: readonly unknown[]): number[] {
  const isExact = exactChecks[item.title ?? ''];
  if (!isExact) return [...rows.keys()];
  const agreements = agreementsOf(item);
  const contradictsItself = (row: unknown): boolean =>
    agreements.some(({ findConflict }) => findConflict(row as Readonly<Record<string, unknown>>) !== null);
  const suspects: number[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (!isExact(row) || contradictsItself(row)) suspects.push(index);
  }
  return suspects;
}

interface ValidRows extends ParseResult<unknown[]> {
  readonly value: unknown[];
}

function examine(item: Shape, rows: unknown[], suspects: readonly number[], path: string): ValidRows {
  const deviatingRows: DeviatingRow[] = [];
  const setAside: RejectedRow[] = [];
  const kept = [...rows];
  for (const index of suspects) {
    const place = `${path}[${String(index)}]`;
    const row = rows[index];
    const deviations = findDeviations(item, row, place);
    const used = deviations.some(isFault) ? null : (withoutImpossible(row, place, deviations) as object);
    if (used === null) setAside.push({ index, row, deviations });
    else kept[index] = used;
    if (deviations.length > 0) deviatingRows.push({ index, row, deviations, used });
  }
  const bad = new Set(setAside.map((entry) => entry.index));
  const value = bad.size === 0 ? kept : kept.filter((_, index) => !bad.has(index));
  return {
    value,
    setAside,
    deviations: countDeviations(deviatingRows.flatMap(({ deviations }) => deviations)),
    ...(deviatingRows.length > 0 && { deviatingRows }),
  };
}

export function countDeviations(deviations: readonly Deviation[]): CountedDeviation[] {
  const byPlace = new Map<string, CountedDeviation>();
  for (const deviation of deviations) {
    const place = deviation.path.replace(/\[\d+\]/g, '[]');
    const key = `${deviation.kind} ${place}`;
    const known = byPlace.get(key);
    byPlace.set(key, known ? { ...known, count: known.count + 1 } : { ...deviation, place, count: 1 });
  }
  return [...byPlace.values()];
}
