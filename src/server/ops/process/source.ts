import type { SecretName, SettingName } from '#contract/desk/settings.ts';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { toOctal } from '#files/octal-mode.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the value of a variable, or null. An empty variable counts as unset, because that is how a shell clears one
 * for a single command.
 */
export function readVariable(environment: Environment, name: SettingName | 'DESK_CONFIG'): string | null {
  const value = environment[name]?.trim() ?? '';
  return value === '' ? null : value;
}

/** The text of a file whose permissions are right, or the end of a sentence: "… is "file", which …". */
export type SecretFile = { readonly text: string } | { readonly problem: string };

const ACCESS_OF_OTHERS = 0o077;
const ACCESS_OF_ALL = 0o007;

/**
 * Reads a file that must be private. In systemd's credentials folder, the group may have access too: systemd grants
 * access there with an access list, which appears as access of the group.
 */
export function readSecretFile(path: string, credentialsFolder: string | null = null): SecretFile {
  try {
    const file = openSync(path, 'r');
    try {
      const { mode } = fstatSync(file);
      // Windows reports permissions that it does not have.
      if (
        process.platform !== 'win32' &&
        (mode & (isBelow(credentialsFolder, path) ? ACCESS_OF_ALL : ACCESS_OF_OTHERS)) !== 0
      )
        return { problem: `other users may access (mode ${toOctal(mode)}): run chmod 600 on it` };
      return { text: readFileSync(file, 'utf8') };
    } finally {
      closeSync(file);
    }
  } catch {
    return { problem: 'cannot be read' };
  }
}

function isBelow(folder: string | null, path: string): boolean {
  return folder !== null && dirname(resolve(path)) === resolve(folder);
}

/** Reads the files that settings name. */
export interface SettingsFiles {
  readonly read: (path: string) => string;
  readonly readSecret: (path: string) => SecretFile;
  /** The file that systemd's LoadCredential= provides under this name; null if there is none. */
  readonly credentialOf: (name: SecretName) => string | null;
}

/** Where settings are read from. */
export interface Source {
  readonly value: (name: SettingName) => string | null;
  readonly files: SettingsFiles;
  /** Records a mistake; the setting is then null. */
  readonly problem: (sentence: string) => null;
}

/** Reads the environment and collects mistakes in `problems`. */
export function createSource(environment: Environment, files: SettingsFiles, problems: string[]): Source {
  return {
    value: (name) => readVariable(environment, name),
    files,
    problem: (sentence) => {
      problems.push(sentence);
      return null;
    },
  };
}

/** An optional variable: undefined if unset, null after a mistake. */
export type Optional = string | null | undefined;

interface Secret {
  readonly text: string;
  /** The beginning of a sentence about the secret. */
  readonly from: string;
  readonly isFile: boolean;
}

/**
 * Returns the value of a variable, of the file that the variable with `_FILE` names, or of the credential with its
 * name.
 */
export function readSecret({ value, files, problem }: Source, name: SecretName): Secret | null | undefined {
  const text = value(name);
  const file = value(`${name}_FILE`);
  if (text !== null && file !== null) return problem(`${name} and ${name}_FILE are both set: use only one of them.`);
  if (text !== null) return { text, from: name, isFile: false };
  const path = file ?? files.credentialOf(name);
  if (path === null) return undefined;
  const from = file === null ? `The credential ${name} is "${path}"` : `${name}_FILE is "${path}"`;
  const secret = files.readSecret(path);
  return 'problem' in secret
    ? problem(`${from}, which ${secret.problem}.`)
    : { text: secret.text.trim(), from, isFile: true };
}

interface NumberRange {
  readonly unset: number;
  readonly least: number;
  readonly most: number;
  /** Whether zero is allowed, to switch it off. */
  readonly orZero?: true;
}

export function readNumber(
  { value, problem }: Source,
  name: SettingName,
  { unset, least, most, orZero }: NumberRange,
): number {
  const text = value(name);
  if (text === null) return unset;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if ((number >= least && number <= most) || (number === 0 && orZero === true)) return number;
  problem(
    `${name} is "${text}", but must be a whole number from ${String(least)} to ` +
      `${String(most)}${orZero === true ? ', or 0 to switch it off' : ''}.`,
  );
  return unset;
}
