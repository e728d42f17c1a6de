import { parseEnv } from 'node:util';
import { isSettingName, SECRET_NAMES } from '#contract/desk/settings.ts';
import { readVariable, type Environment } from './environment.ts';
import type { SettingsFiles } from './source.ts';

/** Names the file. It is no setting itself, since a file cannot name another. */
export const CONFIG_VARIABLE = 'DESK_CONFIG';

interface Configured {
  /** What the environment sets goes before what the file sets; an empty variable clears it for a single command. */
  readonly environment: Environment;
  /** A sentence for each mistake in the file. */
  readonly problems: readonly string[];
}

/** The environment, and what the file that it names sets beside it. */
export function withConfigFile(
  environment: Environment,
  files: Pick<SettingsFiles, 'read' | 'readSecret'>,
): Configured {
  const path = readVariable(environment, CONFIG_VARIABLE);
  if (path === null) return { environment, problems: [] };
  const from = `${CONFIG_VARIABLE} is "${path}"`;
  let text;
  try {
    text = files.read(path);
  } catch {
    return { environment, problems: [`${from}, which cannot be read.`] };
  }
  const { names, problems } = listNames(text);
  const secret = SECRET_NAMES.find((name) => names.includes(name));
  const read = secret === undefined ? { text } : files.readSecret(path);
  if ('problem' in read) problems.push(`contains ${secret ?? ''}, but ${read.problem}`);
  return {
    environment: { ...parseEnv(text), ...environment },
    problems: problems.map((problem) => `${from}, which ${problem}.`),
  };
}

/** Nothing, a comment, or a name and its value; a value in quotes may go over several lines. */
const STATEMENT =
  /[ \t]*(?:(?:export[ \t]+)?(?<name>\w+)[ \t]*=[ \t]*(?:'[^']*'|"[^"]*"|[^\n'"#]*)[ \t]*)?(?:#[^\n]*)?\r?(?:\n|$)/y;

/** The names that a text sets, and what is wrong with it: `parseEnv` passes over what it does not understand. */
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
          `is not understood from line ${String(line)}: write NAME=value, or NAME='value' if it contains a quote, # or a line break`,
        ],
      };
    const name = match.groups?.['name'];
    if (name !== undefined) {
      if (!isSettingName(name)) problems.push(`sets ${name} in line ${String(line)}, which is not a setting`);
      else if (names.includes(name)) problems.push(`sets ${name} again in line ${String(line)}`);
      names.push(name);
    }
    at = STATEMENT.lastIndex;
  }
  return { names, problems };
}
