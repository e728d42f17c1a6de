/**
 * Each with a key of its own, though several may be the same by their text: the text, and which of those it is from the
 * beginning. So no key changes when more are appended.
 */
export function withOwnKeys<T extends object>(items: readonly T[], textOf: (item: T) => string): readonly (T & { readonly key: string })[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const text = textOf(item);
    const nth = (counts.get(text) ?? 0) + 1;
    counts.set(text, nth);
    return { ...item, key: `${text} ${nth}` };
  });
}
