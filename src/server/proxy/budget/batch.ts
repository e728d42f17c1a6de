/** Collects items until `write` takes them all; they are written, or fail, together. */
export function createBatch<Item>(
  write: (take: () => readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let open: { readonly items: Item[]; readonly written: Promise<void> } | null = null;
  const begin = (items: Item[]): Promise<void> => {
    const close = (): readonly Item[] => {
      if (open?.items === items) open = null;
      return items;
    };
    return write(close).finally(close);
  };
  return (item) => {
    if (open === null) {
      const items: Item[] = [];
      open = { items, written: begin(items) };
    }
    open.items.push(item);
    return open.written;
  };
}
