export interface GivenOptions {
  /** What was given for each option, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
}

/** Reads `--name value` and `--name=value`. */
export function readOptions(args: readonly string[], names: readonly string[]): GivenOptions {
  const values = new Map<string, string[]>();
  const problems: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [name = '', ...attached] = (args[at] ?? '').replace(/^--/, '').split('=');
    if (!args[at]?.startsWith('--') || !names.includes(name)) {
      problems.push(`"${name}" is no option; there are ${names.map((one) => `--${one}`).join(', ')}.`);
      continue;
    }
    const next = args[at + 1];
    const follows = attached.length === 0 && next !== undefined && !next.startsWith('--');
    const value = attached.length > 0 ? attached.join('=') : follows ? next : undefined;
    if (follows) at += 1;
    if (value === undefined || value === '') problems.push(`--${name} needs a value.`);
    else values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { values, problems };
}
