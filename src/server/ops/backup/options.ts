import { parseArgs } from 'node:util';

export const BACKUP_USAGE = `perpdesk backup FILE
  FILE       the zip file to write, which must not exist yet`;

export const RESTORE_USAGE = `perpdesk restore FILE [--replace]
  FILE       the backup to restore
  --replace  if the data folder is not empty, move its contents to a folder replaced-… in it`;

export interface RestoreOptions {
  readonly file: string;
  readonly replaces: boolean;
}

/** Returns the options, or a sentence about what is wrong with them. */
export function readBackupOptions(args: readonly string[]): { readonly file: string } | string {
  return readFile(args, {});
}

/** Returns the options, or a sentence about what is wrong with them. */
export function readRestoreOptions(args: readonly string[]): RestoreOptions | string {
  return readFile(args, { replace: { type: 'boolean' } });
}

function readFile(
  args: readonly string[],
  options: { readonly replace?: { readonly type: 'boolean' } },
): RestoreOptions | string {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) return 'Name one file.';
    return { file, replaces: values.replace === true };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
