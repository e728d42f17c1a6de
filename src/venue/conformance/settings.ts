import { parseArgs } from 'node:util';
import { readSecretFile } from '../credentials.ts';
import type { Credential } from './probe.ts';

export interface Settings {
  readonly baseUrl: string;
  readonly env: string;
  readonly gateway: boolean;
  /** Null for a Perpdesk, which signs by itself. */
  readonly credential: Credential | null;
  readonly decisions: boolean;
  readonly requestLimit: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const TOKEN_VARIABLE = 'CONFORMANCE_AUTH_TOKEN';

const OPTIONS = {
  'base-url': { type: 'string' },
  'env': { type: 'string' },
  'connection-id': { type: 'string' },
  'auth-token': { type: 'string' },
  'auth-token-file': { type: 'string' },
  'gateway': { type: 'boolean', default: false },
  'decisions': { type: 'boolean', default: false },
  'read-only-budget': { type: 'string', default: '100000' },
} as const;

/** Reads the settings of a run. Returns a sentence that names the wrong option if there is a mistake. */
export function readSettings(args: readonly string[], environment: Environment = {}): Settings | string {
  try {
    return toSettings(parseArgs({ args: [...args], options: OPTIONS }).values, environment);
  } catch (error) {
    return error instanceof Error ? withoutToken(error.message) : String(error);
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

function toSettings(values: Values, environment: Environment): Settings | string {
  const { 'base-url': baseUrl = '', env, 'gateway': server, decisions } = values;
  const requestLimit = Number(values['read-only-budget']);
  if (values['auth-token'] !== undefined) {
    return (
      '--auth-token is not accepted: other users of this machine can read a command line. Use ' +
      `--auth-token-file <path>, or set ${TOKEN_VARIABLE}.`
    );
  }
  if (!URL.canParse(baseUrl)) return '--base-url is required and must be a URL.';
  if (!Number.isInteger(requestLimit) || requestLimit < 1) return '--read-only-budget must be a whole number from 1.';
  const idle = (['env', 'connection-id', 'auth-token-file'] as const).find(
    (name) => server && values[name] !== undefined,
  );
  if (idle !== undefined) {
    return `--${idle} has no effect with --gateway: the gateway signs, for the environment that it was started with.`;
  }
  const credential = server ? null : readCredential(values, environment);
  if (typeof credential === 'string') return credential;
  return { baseUrl, env: env ?? 'prod', gateway: server, credential, decisions, requestLimit };
}

function readCredential(values: Values, environment: Environment): Credential | string {
  const { 'connection-id': connectionId, 'auth-token-file': file } = values;
  const token = file === undefined ? environment[TOKEN_VARIABLE] : readSecretFile(file).trim();
  if (connectionId === undefined) return '--connection-id is required without --gateway: private requests are signed.';
  if (token === undefined || token === '') {
    return `--auth-token-file (or ${TOKEN_VARIABLE}) is required without --gateway: private requests are signed.`;
  }
  return { connectionId, token };
}

/** Removes a token that was passed by mistake, so that it is not printed. */
function withoutToken(text: string): string {
  return text.replace(/[0-9a-f]{32,}/gi, '…');
}
