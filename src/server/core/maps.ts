/** Sets an entry of a map that holds at most `most` entries, dropping those that were set longest ago. */
export function setBounded<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, most: number): void {
  // A Map keeps the order of insertion.
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}

interface Node<Key, Value> {
  readonly next: Map<Key, Node<Key, Value>>;
  value?: Value;
}

/** Returns the value of a path, created on first use. Faster than building a string key for each path. */
export function createTrie<Key, Value>(): (path: Iterable<Key>, make: () => Value) => Value {
  const root: Node<Key, Value> = { next: new Map() };
  return (path, make) => {
    let node = root;
    for (const key of path) {
      let next = node.next.get(key);
      if (next === undefined) node.next.set(key, (next = { next: new Map() }));
      node = next;
    }
    return (node.value ??= make());
  };
}
