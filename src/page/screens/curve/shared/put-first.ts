/** Puts the columns that matter most first, where space is limited. */
export function putFirst<Column extends { readonly id: string }>(
  columns: readonly Column[],
  first: readonly string[],
): readonly Column[] {
  const rank = ({ id }: Column): number => (first.includes(id) ? first.indexOf(id) : first.length);
  return columns.toSorted((a, b) => rank(a) - rank(b));
}
