export interface GivenOptions {
  /** The values given for each option, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
}

/** Reads `--name value` and `--name=value`. Hidden options are read, but no problem offers them. */
export function readOptions(
  args: readonly string[],
  names: readonly string[],
  hidden: readonly string[] = [],
): GivenOptions {
  const values = new Map<string, string[]>();
  const problems: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const { name, attached } = splitOption(args[at] ?? '');
    if (!names.includes(name) && !hidden.includes(name)) {
      problems.push(
        `Unknown option "${withoutToken(args[at] ?? '')}". Options are ${names.map((one) => `--${one}`).join(', ')}.`,
      );
      continue;
    }
    const value = attached ?? valueAt(args, at + 1);
    if (attached === null && value !== '') at += 1;
    if (value === '') problems.push(`--${name} needs a value.`);
    else values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { values, problems };
}

function splitOption(text: string): { readonly name: string; readonly attached: string | null } {
  const [, name = '', , attached] = /^--([^=]+)(=(.*))?$/s.exec(text) ?? [];
  return { name, attached: attached ?? null };
}

/** The argument at a place, unless it is an option itself. */
function valueAt(args: readonly string[], at: number): string {
  const text = args[at] ?? '';
  return text.startsWith('--') ? '' : text;
}

/** A token given by mistake is not repeated. */
function withoutToken(text: string): string {
  return text.replace(/[0-9a-f]{32,}/gi, '…');
}
