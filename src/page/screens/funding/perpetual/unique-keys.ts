/** Keys are the text and its occurrence from the start, so that no key changes when items are appended. */
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
