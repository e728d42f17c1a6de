/** Adds a key to each item: its text and a count of earlier equal texts. Appending items changes no existing key. */
export function withUniqueKeys<T extends object>(
  items: readonly T[],
  textOf: (item: T) => string,
): readonly (T & { readonly key: string })[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const text = textOf(item);
    const nth = (counts.get(text) ?? 0) + 1;
    counts.set(text, nth);
    return { ...item, key: `${text} ${nth}` };
  });
}
