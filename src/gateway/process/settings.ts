import { readFileSync } from 'node:fs';
import { readDeskSettings, type DeskSettings } from './desk-settings.ts';
import { readGatewaySettings, type GatewaySettings } from './gateway-settings.ts';
import { nodeVersionProblem } from './node-version.ts';
import { readSecretFile } from './secret-file.ts';

export interface Settings {
  readonly desk: DeskSettings;
  readonly gateway: GatewaySettings;
}

export type SettingsOrProblems = { readonly settings: Settings; readonly problems: null } | { readonly settings: null; readonly problems: readonly string[] };

/**
 * The settings, or every reason why Perpdesk cannot start with them, a sentence each. Removes the secrets from the
 * environment, which diagnostic reports print and child processes inherit.
 */
export function readSettings(environment: Record<string, string | undefined>): SettingsOrProblems {
  const tooOld = nodeVersionProblem(process.versions.node);
  if (tooOld !== undefined) return { settings: null, problems: [tooOld] };
  const desk = readDeskSettings(environment);
  const gateway = readGatewaySettings(environment, { read: (path) => readFileSync(path, 'utf8'), readSecret: readSecretFile });
  for (const name of ['DESK_AUTH_TOKEN', 'DESK_WEBHOOKS', 'DESK_SMTP_URL']) Reflect.deleteProperty(environment, name);
  if (desk.problems === null && gateway.problems === null) return { settings: { desk: desk.settings, gateway: gateway.settings }, problems: null };
  return { settings: null, problems: [...(desk.problems ?? []), ...(gateway.problems ?? [])].map(withoutTokens) };
}

/** A token has 64 hexadecimal digits; a shorter run may be one that was truncated when it was copied. */
const LIKE_A_TOKEN = /[0-9a-f]{32,}/gi;

/** Safe to print, whichever variable the token was pasted into by mistake. */
function withoutTokens(sentence: string): string {
  return sentence.replace(LIKE_A_TOKEN, '(what looks like a token)');
}
