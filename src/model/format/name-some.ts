const MOST_NAMED = 3;

/** The first names of a list, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
}

/** Why something is withheld, or in doubt, by the name of what it is of. */
export interface NamedReason {
  readonly name: string;
  readonly reason: string;
}

/** The names, and one of their reasons, which usually differ in numbers only. */
export function exemplify(all: readonly NamedReason[]): { readonly names: string; readonly reason: string } {
  const [first = { name: '', reason: '' }] = all;
  return {
    names: nameSome(all.map(({ name }) => name)),
    reason: all.length === 1 ? first.reason : `${first.name}, for example: ${first.reason}`,
  };
}
