/** Corrupts one place of a response, to check that a parser names it. */

export type Key = string | number;

export interface Field {
  /** The place in the notation of deviations: `$.data[0].price`. */
  readonly path: string;
  readonly keys: readonly Key[];
  readonly value: unknown;
}

/** Returns the value itself and every value in it, outermost first. */
export function fieldsOf(value: unknown, path = '$', keys: readonly Key[] = []): Field[] {
  const self: Field = { path, keys, value };
  if (Array.isArray(value)) {
    return [self, ...value.flatMap((item, index) => fieldsOf(item, `${path}[${String(index)}]`, [...keys, index]))];
  }
  if (typeof value !== 'object' || value === null) return [self];
  return [
    self,
    ...Object.entries(value).flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`, [...keys, name])),
  ];
}

/** Returns a copy with one value replaced. */
export function replaceAt(value: unknown, [key, ...rest]: readonly Key[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy = structuredClone(value) as Record<Key, unknown>;
  copy[key] = replaceAt(copy[key], rest, other);
  return copy;
}

/** Returns a copy without one field. */
export function removeAt(value: unknown, keys: readonly Key[]): unknown {
  return JSON.parse(JSON.stringify(replaceAt(value, keys, undefined))) as unknown;
}
