import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeNames, readSettingsFile } from '#cli/settings-file.mjs';
import { isSettingName, SECRET_NAMES } from '#contract/desk/settings.ts';
import { type Environment, readSecretFile, readVariable, type SecretFile, type SettingsFiles } from './source.ts';
import { parseEnv } from 'node:util';

/** Set by systemd for a service with LoadCredential=. */
const CREDENTIALS_VARIABLE = 'CREDENTIALS_DIRECTORY';

interface ConfigFiles extends Pick<SettingsFiles, 'readSecret'> {
  /** Reads a file that nobody else can change. */
  readonly readConfig: (path: string) => SecretFile;
}

/** Returns access to the files of this machine. */
export function openSettingsFiles(environment: Environment): SettingsFiles & ConfigFiles {
  const folder = environment[CREDENTIALS_VARIABLE] ?? null;
  return {
    read: (path) => readFileSync(path, 'utf8'),
    readConfig: readSettingsFile,
    readSecret: (path) => readSecretFile(path, folder),
    credentialOf: (name) => {
      const path = folder === null ? null : join(folder, name);
      return path !== null && existsSync(path) ? path : null;
    },
  };
}

/**
 * Lists the files that settings are read from at run time. `environment` includes the variables that the config file
 * sets.
 */
export function listSettingsFiles(environment: Environment, { credentialOf }: SettingsFiles): readonly string[] {
  const secrets = SECRET_NAMES.map((name) => readVariable(environment, `${name}_FILE`) ?? credentialOf(name));
  return [readVariable(environment, CONFIG_VARIABLE), ...secrets].filter((path) => path !== null);
}

const DEFAULT_DATA_DIR = '.perpdesk';

export function readDataDir(environment: Environment): string {
  return readVariable(environment, 'DESK_DATA_DIR') ?? DEFAULT_DATA_DIR;
}

/** Reads the data folder for commands that need no other setting. Throws the mistakes in the config file. */
export function readDataDirOf(environment: Environment): string {
  const configured = withConfigFile(environment, openSettingsFiles(environment));
  if (configured.problems.length > 0) throw new Error(configured.problems.join('\n'));
  return readDataDir(configured.environment);
}

/** Names the config file. It is not a setting itself, since one file cannot name another. */
export const CONFIG_VARIABLE = 'DESK_CONFIG';

interface Configured {
  /**
   * Variables of the environment take precedence over those of the file. An empty variable clears one for a single
   * command.
   */
  readonly environment: Environment;
  /** A sentence for each mistake in the file. */
  readonly problems: readonly string[];
}

/** Returns the environment together with the variables of the config file that it names. */
export function withConfigFile(environment: Environment, files: ConfigFiles): Configured {
  const path = readVariable(environment, CONFIG_VARIABLE);
  if (path === null) return { environment, problems: [] };
  const from = `${CONFIG_VARIABLE} is "${path}"`;
  const file = files.readConfig(path);
  if ('problem' in file) return { environment, problems: [`${from}, which ${file.problem}.`] };
  const { text } = file;
  const { names, problems } = listNames(text);
  const secret = SECRET_NAMES.find((name) => names.includes(name));
  const read = secret === undefined ? { text } : files.readSecret(path);
  if ('problem' in read) problems.push(`contains ${secret ?? ''}, but ${read.problem}`);
  return {
    environment: { ...parseEnv(text), ...environment },
    problems: problems.map((problem) => `${from}, which ${problem}.`),
  };
}

/** Matches an empty line, a comment, or a name with its value. A quoted value may span several lines. */
const STATEMENT =
  /[ \t]*(?:(?:export[ \t]+)?(?<name>\w+)[ \t]*=[ \t]*(?:'[^']*'|"[^"]*"|[^\n'"#]*)[ \t]*)?(?:#[^\n]*)?\r?(?:\n|$)/y;

/** Returns the names that a text sets and its mistakes, because `parseEnv` skips what it does not understand. */
function listNames(text: string): { readonly names: readonly string[]; readonly problems: string[] } {
  const names: string[] = [];
  const problems: string[] = [];
  for (let at = 0; at < text.length;) {
    STATEMENT.lastIndex = at;
    const match = STATEMENT.exec(text);
    const line = text.slice(0, at).split('\n').length;
    if (match === null)
      return {
        names,
        problems: [
          ...problems,
          `is not understood from line ${String(line)}: write NAME=value, or NAME='value' if it contains ` +
            'a quote, # or a line break',
        ],
      };
    const name = match.groups?.['name'];
    if (name !== undefined) {
      // The launcher has passed those of Node.js on. One file can so serve a systemd unit and the commands.
      if (!isSettingName(name) && !nodeNames.includes(name))
        problems.push(`sets ${name} in line ${String(line)}, which is not a setting`);
      else if (names.includes(name)) problems.push(`sets ${name} again in line ${String(line)}`);
      names.push(name);
    }
    at = STATEMENT.lastIndex;
  }
  return { names, problems };
}
