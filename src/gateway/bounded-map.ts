/** Sets an entry of a map that holds at most `most` entries, dropping those that were set longest ago. */
export function setBounded<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): void {
  // A Map keeps the order of insertion.
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}
