import { describe, findDeviations, isFault, typesOf, type Deviation, type DeviationKind } from './check.ts';
import { exactChecks } from './exact.generated.ts';
import { createLongNumberTest, parseKeepingDigits } from './json-text.ts';
import { toShape, type Shape, type Static, type TSchema } from './schema.ts';

/** A row that cannot be believed, kept as it came so that it can be shown and counted. */
export interface SetAside {
  readonly index: number;
  readonly row: unknown;
  readonly deviations: readonly Deviation[];
}

/** What a tolerant reading makes of an answer. */
export interface Reading<T> {
  /** The good rows (or the one object); null where the answer is not of the expected shape at all. */
  readonly value: T | null;
  readonly setAside: readonly SetAside[];
  /** Every deviation, those of the rows set aside included, counted by kind and place. */
  readonly deviations: readonly CountedDeviation[];
}

/** Equal deviations of many rows, told once. */
export interface CountedDeviation extends Deviation {
  /** The place without row numbers: `$.data[].price`. `path` names the first row that showed it. */
  readonly place: string;
  readonly count: number;
}

const LONGEST_LIST = 20;

/** An answer that is not exactly what the interface says. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly deviations: readonly Deviation[];

  constructor(deviations: readonly Deviation[]) {
    const told = deviations
      .slice(0, LONGEST_LIST)
      .map((d) => `${d.path}: ${d.kind}, expected ${d.expected}, found ${d.found}`);
    const rest = deviations.length - told.length;
    super([...told, ...(rest > 0 ? [`and ${String(rest)} more`] : [])].join('\n'));
    this.deviations = deviations;
  }
}

/** Reads the text of an answer. Neither reading makes code from text, which the page’s policy forbids. */
export interface Parser<T> {
  /** Conformance: any deviation throws a `ShapeError` with the path to the field. */
  readonly strict: (text: string) => T;
  /** The browser: drift passes and is reported, faulty rows are set aside and reported, good rows survive. */
  readonly tolerant: (text: string) => Reading<T>;
}

/**
 * A parser of answers of one shape: a list of rows, an object that holds rows in one of its fields (`data` of a page), or
 * one object.
 */
export function createParser<Schema extends TSchema>(schema: Schema, rowsField = 'data'): Parser<Static<Schema>> {
  const shape = toShape(schema);
  const mayHoldLongNumber = createLongNumberTest([...numericFields(shape)]);
  const readRows = createRowReader(shape, rowsField);
  return {
    strict: (text) => {
      const read = readText(text, mayHoldLongNumber(text));
      if ('problem' in read) throw new ShapeError([read.problem]);
      const deviations = findDeviations(shape, read.value, '$', 'strict');
      if (deviations.length > 0) throw new ShapeError(deviations);
      return read.value as Static<Schema>;
    },
    tolerant: (text) => {
      const keepsDigits = mayHoldLongNumber(text);
      const reading = readTolerantly(text, keepsDigits);
      const isRounded = !keepsDigits && reading.deviations.some(({ kind }) => ROUNDING.has(kind));
      return (isRounded ? readTolerantly(text, true) : reading) as Reading<Static<Schema>>;
    },
  };

  function readTolerantly(text: string, keepsDigits: boolean): Reading<unknown> {
    const read = readText(text, keepsDigits);
    return 'problem' in read ? { value: null, setAside: [], deviations: count([read.problem]) } : readRows(read.value);
  }
}

const ROUNDING: ReadonlySet<DeviationKind> = new Set(['long number', 'fraction']);

type Read = { readonly value: unknown } | { readonly problem: Deviation };

/** Reads text as JSON: fast, or with the digits of numbers that a float would change. */
function readText(text: string, keepsDigits: boolean): Read {
  try {
    return { value: keepsDigits ? parseKeepingDigits(text) : JSON.parse(text) };
  } catch {
    return { problem: { kind: 'not json', path: '$', expected: 'JSON', found: describe(text) } };
  }
}

function* numericFields(shape: Shape): Iterable<string> {
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    if (typesOf(field).includes('number')) yield name;
    else yield* numericFields(field);
  }
  if (shape.items) yield* numericFields(shape.items);
}

function createRowReader(shape: Shape, field: string): (value: unknown) => Reading<unknown> {
  if (shape.items) return (value) => readList(shape, shape.items ?? {}, value, '$');
  const rows = shape.properties?.[field];
  if (!rows?.items) return (value) => readOne(shape, value);
  const envelope: Shape = { ...shape, properties: { ...shape.properties, [field]: { type: 'array' } } };
  return (value) => readEnvelope(envelope, field, rows, value);
}

function readOne(shape: Shape, value: unknown): Reading<unknown> {
  const deviations = findDeviations(shape, value, '$', 'tolerant');
  return { value: deviations.some(isFault) ? null : value, setAside: [], deviations: count(deviations) };
}

function readEnvelope(envelope: Shape, field: string, rows: Shape, value: unknown): Reading<unknown> {
  const outer = readOne(envelope, value);
  if (outer.value === null) return outer;
  const whole = outer.value as Readonly<Record<string, unknown>>;
  const inner = readList(rows, rows.items ?? {}, whole[field], `$.${field}`);
  return {
    value: inner.value === whole[field] ? whole : { ...whole, [field]: inner.value },
    setAside: inner.setAside,
    deviations: [...outer.deviations, ...inner.deviations],
  };
}

function readList(shape: Shape, item: Shape, value: unknown, path: string): Reading<unknown[]> {
  if (!Array.isArray(value))
    return { value: null, setAside: [], deviations: count(findDeviations(shape, value, path, 'tolerant')) };
  const rows: unknown[] = value;
  const suspects = findSuspects(item, rows);
  if (suspects.length === 0) return { value: rows, setAside: [], deviations: [] };
  return judge(item, rows, suspects, path);
}

/** Indexes of the rows that the compiled check does not vouch for. Every row is a suspect where there is no such check. */
function findSuspects(item: Shape, rows: readonly unknown[]): number[] {
  const isExact = exactChecks[item.title ?? ''];
  if (!isExact) return [...rows.keys()];
  const suspects: number[] = [];
  for (let index = 0; index < rows.length; index++) if (!isExact(rows[index])) suspects.push(index);
  return suspects;
}

function judge(item: Shape, rows: unknown[], suspects: readonly number[], path: string): Reading<unknown[]> {
  const all: Deviation[] = [];
  const setAside: SetAside[] = [];
  for (const index of suspects) {
    const deviations = findDeviations(item, rows[index], `${path}[${String(index)}]`, 'tolerant');
    all.push(...deviations);
    if (deviations.some(isFault)) setAside.push({ index, row: rows[index], deviations });
  }
  const bad = new Set(setAside.map((entry) => entry.index));
  const value = bad.size === 0 ? rows : rows.filter((_, index) => !bad.has(index));
  return { value, setAside, deviations: count(all) };
}

function count(deviations: readonly Deviation[]): CountedDeviation[] {
  const byPlace = new Map<string, CountedDeviation>();
  for (const deviation of deviations) {
    const place = deviation.path.replace(/\[\d+\]/g, '[]');
    const key = `${deviation.kind} ${place}`;
    const known = byPlace.get(key);
    byPlace.set(key, known ? { ...known, count: known.count + 1 } : { ...deviation, place, count: 1 });
  }
  return [...byPlace.values()];
}
