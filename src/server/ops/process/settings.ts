import type { Log } from '#server/core/ports.ts';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import { readServerSettings, type ServerSettings } from './server-settings.ts';
import { isSettingName, SECRET_NAMES } from '#contract/desk/settings.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import { CONFIG_VARIABLE, listSettingsFiles, openSettingsFiles, withConfigFile } from './config-file.ts';
import { type DeskSettings, readDeskSettings } from './desk-settings.ts';
import { createSource, type Environment, type SettingsFiles } from './source.ts';
import { readProvider } from './read-provider.ts';
import { type ReachSettings, readReachSettings } from './reach-settings.ts';
import { readTrustedAuthorities, trustAuthorities } from './trusted-authorities.ts';

export interface Settings {
  readonly desk: DeskSettings;
  readonly reach: ReachSettings;
  readonly provider: ProviderSettings | null;
  readonly server: ServerSettings;
  /** Certificates of authorities, in PEM, that are trusted in addition to those of Node.js. */
  readonly authorities: readonly string[];
  /** Variables that look like settings but are not, perhaps because of a typing mistake. */
  readonly unknown: readonly string[];
  /** The files that settings were read from. */
  readonly files: readonly string[];
  /** Reads those files again. */
  readonly reread: () => SettingsOrProblems;
  /** Reads the files that settings name. */
  readonly source: SettingsFiles;
}

export type SettingsOrProblems =
  | { readonly settings: Settings; readonly problems: null }
  | { readonly settings: null; readonly problems: readonly string[] };

/**
 * Returns the settings, or every reason why Perpdesk cannot start with them, each a sentence. Removes the secrets from
 * the environment, because diagnostic reports print it and child processes inherit it. Trusts the authorities that the
 * settings name, so that no program forgets to.
 */
export function readSettings(environment: Record<string, string | undefined>): SettingsOrProblems {
  const tooOld = nodeVersionProblem(process.versions.node);
  if (tooOld !== undefined) return { settings: null, problems: [tooOld] };
  const given = { ...environment };
  for (const name of SECRET_NAMES) Reflect.deleteProperty(environment, name);
  const read = readFrom(given);
  if (read.problems === null) trustAuthorities(read.settings.authorities);
  return read;
}

function readFrom(environment: Environment): SettingsOrProblems {
  const files = openSettingsFiles(environment);
  const configured = withConfigFile(environment, files);
  const problems = [...configured.problems];
  const source = createSource(configured.environment, files, problems);
  const reach = readReachSettings(source);
  const desk = readDeskSettings(source, reach);
  const provider = readProvider(source, reach);
  const authorities = readTrustedAuthorities(source);
  const server = readServerSettings(configured.environment, files);
  const unknown = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('DESK_') && name !== CONFIG_VARIABLE && !isSettingName(name) && value !== '' ? [name] : [],
  );
  if (desk !== null && server.problems === null && problems.length === 0) {
    return {
      settings: {
        desk,
        reach,
        provider,
        server: server.settings,
        authorities,
        unknown,
        files: listSettingsFiles(configured.environment, files),
        source: files,
        reread: () => readFrom(environment),
      },
      problems: null,
    };
  }
  return { settings: null, problems: [...problems, ...(server.problems ?? [])].map(withoutTokens) };
}

/** A token has 64 hexadecimal digits; a shorter run may be a token that was truncated when copied. */
const LIKE_A_TOKEN = /[0-9a-f]{32,}/gi;

/** Makes a sentence safe to print even if a token was pasted into the wrong variable. */
function withoutTokens(sentence: string): string {
  return sentence.replace(LIKE_A_TOKEN, '(what looks like a token)');
}

const oldestMajor = 24;

/**
 * Returns a sentence if this version of Node.js is too old for the server.
 *
 * @internal Exported for its test.
 */
export function nodeVersionProblem(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldestMajor) return undefined;
  return `Node.js ${oldestMajor} or newer is required; this is ${version}. "npm start" uses its own.`;
}

interface Secrets {
  readonly token: string | null;
  readonly channels: readonly ChannelSettings[];
  readonly metricsToken: string | null;
}

/** The secrets that only take effect at a restart, by setting. */
const FIXED = [
  ['DESK_CONNECTION_ID', ({ credential }: ServerSettings) => credential?.connectionId],
  ['DESK_HEARTBEAT_URL', ({ heartbeat }: ServerSettings) => heartbeat?.url],
  ['DESK_DATABASE_URL', ({ databaseUrl }: ServerSettings) => databaseUrl],
  ['DESK_SECRET', ({ secrets }: ServerSettings) => secrets.join(' ')],
] as const;

/** Reads the secrets again and passes them on. Mistakes are logged and change nothing. */
export function createSecretsReader(
  first: Settings,
  change: (secrets: Secrets) => Promise<void>,
  log: Log,
): { readonly reread: () => void; readonly files: () => readonly string[] } {
  let current = first;
  const reread = (): void => {
    const { settings, problems } = current.reread();
    if (problems !== null) {
      for (const reason of problems)
        log('error', 'secrets not changed', { reason: `${reason} Perpdesk continues with the previous ones.` });
      return;
    }
    for (const [name, valueOf] of FIXED) {
      if (valueOf(settings.server) !== valueOf(first.server))
        log('warn', 'secret not changed', { name, reason: `${name} takes effect when Perpdesk is restarted.` });
    }
    current = settings;
    const { credential, channels, access } = settings.server;
    change({ token: credential?.token ?? null, channels, metricsToken: access.metricsToken }).then(
      () => {
        log('info', 'secrets read again');
      },
      (error: unknown) => {
        log('error', 'secrets not changed', { reason: String(error) });
      },
    );
  };
  return { reread, files: () => current.files };
}
