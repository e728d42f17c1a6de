/** What the shell has set for a desk of its own, each set to nothing: desks that tests start are to know nothing of it. */
export function clearedSettings(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => name.startsWith('DESK_'));
  return Object.fromEntries(names.map((name) => [name, '']));
}
