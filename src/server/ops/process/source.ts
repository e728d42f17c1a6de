import type { SecretName, SettingName } from '#contract/desk/settings.ts';
import { readVariable, type Environment } from './environment.ts';
import type { SecretFile } from './secret-file.ts';

/** How files are read that settings name. */
export interface SettingsFiles {
  readonly read: (path: string) => string;
  readonly readSecret: (path: string) => SecretFile;
  /** The file that systemd's LoadCredential= gives this name; null without one. */
  readonly credentialOf: (name: SecretName) => string | null;
}

/** What settings are read from. */
export interface Source {
  readonly value: (name: SettingName) => string | null;
  readonly files: SettingsFiles;
  /** Records a mistake; the setting is then null. */
  readonly problem: (sentence: string) => null;
}

/** Reads the environment; `problems` collects the mistakes. */
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

/** An optional variable: undefined if unset, null if its value is a mistake. */
export type Optional = string | null | undefined;

interface Secret {
  readonly text: string;
  /** The beginning of a sentence about it. */
  readonly from: string;
  readonly isFile: boolean;
}

/** The value of a variable, or of the file that the variable with `_FILE` names, or of the credential with its name. */
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
