const MOST_NAMED = 3;

/** The first names of a list, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
}
