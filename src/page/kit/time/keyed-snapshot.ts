/** A value read once for a key. */
export interface KeyedSnapshot<T> {
  readonly key: string;
  readonly value: T;
}

/** The same snapshot as before while the key stays; read again for another key. */
export function takeSnapshot<T>(before: KeyedSnapshot<T> | null, key: string, read: () => T): KeyedSnapshot<T> {
  return before?.key === key ? before : { key, value: read() };
}
