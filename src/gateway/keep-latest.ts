/** Puts an entry, new or used again, behind all others, and forgets the first where there are more than `most`. */
export function keepLatest<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): void {
  // A Map keeps the order of insertion.
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}
