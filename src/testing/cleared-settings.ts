/** Settings of the shell that a program started by a test must not see, each set to nothing. */
export function clearedSettings(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => name.startsWith('DESK_') || name === 'VENUE_CREDENTIAL');
  return Object.fromEntries(names.map((name) => [name, '']));
}
