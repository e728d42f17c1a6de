import { parseArgs } from 'node:util';

interface BackupOptions {
  readonly file: string;
  readonly withoutStore: boolean;
}

export interface RestoreOptions {
  readonly file: string;
  readonly replaces: boolean;
  readonly keepsSessions: boolean;
}

/** Returns the options, or a sentence about what is wrong with them. */
export function readBackupOptions(args: readonly string[]): BackupOptions | string {
  const given = readFile(args, ['without-store']);
  return typeof given === 'string' ? given : { file: given.file, withoutStore: given.has('without-store') };
}

/** Returns the options, or a sentence about what is wrong with them. */
export function readRestoreOptions(args: readonly string[]): RestoreOptions | string {
  const given = readFile(args, ['replace', 'keep-sessions']);
  return typeof given === 'string'
    ? given
    : { file: given.file, replaces: given.has('replace'), keepsSessions: given.has('keep-sessions') };
}

interface Given {
  readonly file: string;
  readonly has: (flag: string) => boolean;
}

function readFile(args: readonly string[], flags: readonly string[]): Given | string {
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]));
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) return 'Name one file.';
    return { file, has: (flag) => values[flag] === true };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
