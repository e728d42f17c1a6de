/** Formats a non-negative integer with thousands separators. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count with its noun: `1 row`, `1,200 rows`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const MOST_NAMED = 3;

/** Lists the first names, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
}

/** Why a figure is withheld or in doubt, with the name of its product. */
export interface NamedReason {
  readonly name: string;
  readonly reason: string;
}

/** Lists the names with one of their reasons as an example: the reasons usually differ in numbers only. */
export function exemplify(all: readonly NamedReason[]): { readonly names: string; readonly reason: string } {
  const [first = { name: '', reason: '' }] = all;
  return {
    names: nameSome(all.map(({ name }) => name)),
    reason: all.length === 1 ? first.reason : `${first.name}, for example: ${first.reason}`,
  };
}
