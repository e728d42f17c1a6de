import { isSettingName, SECRET_NAMES } from '#contract/desk/settings.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import { CONFIG_VARIABLE, withConfigFile } from './config-file.ts';
import { readDeskSettings, type DeskSettings } from './desk-settings.ts';
import { readGatewaySettings, type GatewaySettings } from './gateway-settings.ts';
import type { Environment } from './environment.ts';
import { nodeVersionProblem } from './node-version.ts';
import { readProvider } from './read-provider.ts';
import { readReachSettings, type ReachSettings } from './reach-settings.ts';
import { listSettingsFiles, openSettingsFiles } from './settings-files.ts';
import { createSource, type SettingsFiles } from './source.ts';

export interface Settings {
  readonly desk: DeskSettings;
  readonly reach: ReachSettings;
  readonly provider: ProviderSettings | null;
  readonly gateway: GatewaySettings;
  /** Variables that look like settings, but are none: mistyped, perhaps. */
  readonly unknown: readonly string[];
  /** The files that settings were read from. */
  readonly files: readonly string[];
  /** Reads those files again. */
  /** How files are read that settings name. */
  readonly source: SettingsFiles;
  readonly reread: () => SettingsOrProblems;
}

export type SettingsOrProblems =
  | { readonly settings: Settings; readonly problems: null }
  | { readonly settings: null; readonly problems: readonly string[] };

/**
 * The settings, or every reason why Perpdesk cannot start with them, a sentence each. Removes the secrets from the
 * environment, which diagnostic reports print and child processes inherit.
 */
export function readSettings(environment: Record<string, string | undefined>): SettingsOrProblems {
  const tooOld = nodeVersionProblem(process.versions.node);
  if (tooOld !== undefined) return { settings: null, problems: [tooOld] };
  const given = { ...environment };
  for (const name of SECRET_NAMES) Reflect.deleteProperty(environment, name);
  return readFrom(given);
}

function readFrom(environment: Environment): SettingsOrProblems {
  const files = openSettingsFiles(environment);
  const configured = withConfigFile(environment, files);
  const problems = [...configured.problems];
  const source = createSource(configured.environment, files, problems);
  const reach = readReachSettings(source);
  const desk = readDeskSettings(source, reach);
  const provider = readProvider(source, reach);
  const gateway = readGatewaySettings(configured.environment, files);
  const unknown = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('DESK_') && name !== CONFIG_VARIABLE && !isSettingName(name) && value !== '' ? [name] : [],
  );
  if (desk !== null && gateway.problems === null && problems.length === 0) {
    return {
      settings: {
        desk,
        reach,
        provider,
        gateway: gateway.settings,
        unknown,
        files: listSettingsFiles(configured.environment, files),
        source: files,
        reread: () => readFrom(environment),
      },
      problems: null,
    };
  }
  return { settings: null, problems: [...problems, ...(gateway.problems ?? [])].map(withoutTokens) };
}

/** A token has 64 hexadecimal digits; a shorter run may be one that was truncated when it was copied. */
const LIKE_A_TOKEN = /[0-9a-f]{32,}/gi;

/** Safe to print, whichever variable the token was pasted into by mistake. */
function withoutTokens(sentence: string): string {
  return sentence.replace(LIKE_A_TOKEN, '(what looks like a token)');
}
