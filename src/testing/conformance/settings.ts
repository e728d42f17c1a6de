import { parseArgs } from 'node:util';
import type { Credential } from './probe.ts';

export interface Settings {
  readonly baseUrl: string;
  readonly env: string;
  readonly gateway: boolean;
  /** Null before a gateway, which signs itself. */
  readonly credential: Credential | null;
  readonly decisions: boolean;
  readonly requestLimit: number;
}

/** What a run is to be, or a sentence that says which option is in the way of it. */
export function readSettings(args: readonly string[]): Settings | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'base-url': { type: 'string' },
      env: { type: 'string' },
      'connection-id': { type: 'string' },
      'auth-token': { type: 'string' },
      gateway: { type: 'boolean', default: false },
      decisions: { type: 'boolean', default: false },
      'read-only-budget': { type: 'string', default: '100000' },
    },
  });
  const { 'base-url': baseUrl = '', 'connection-id': connectionId, 'auth-token': token, env, gateway, decisions } = values;
  const requestLimit = Number(values['read-only-budget']);
  if (!URL.canParse(baseUrl)) return '--base-url is needed, and is an address.';
  if (!Number.isInteger(requestLimit) || requestLimit < 1) return '--read-only-budget is a whole number from 1.';
  const idle = (['env', 'connection-id', 'auth-token'] as const).find((name) => gateway && values[name] !== undefined);
  if (idle !== undefined) return `--${idle} has no meaning with --gateway: the gateway signs, for the environment that it was started with.`;
  const credential = connectionId !== undefined && token !== undefined ? { connectionId, token } : null;
  if (credential === null && !gateway) return `${connectionId === undefined ? '--connection-id' : '--auth-token'} is needed without --gateway: private requests are signed.`;
  return { baseUrl, env: env ?? 'prod', gateway, credential, decisions, requestLimit };
}
