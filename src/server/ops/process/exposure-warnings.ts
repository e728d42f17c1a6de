import { findPlainPassage, PLAIN_BY_CHOICE } from '#sql/postgres-address.ts';
import type { Log } from '#server/core/ports.ts';
import type { ServerSettings } from './server-settings.ts';
import { readFileSync } from 'node:fs';
import type { AccessMode } from '#contract/desk/roles.ts';
import type { DeskSettings } from './desk-settings.ts';

/** Logs a warning if the address of the database deliberately turns encryption off. */
export function warnOfPlainDatabase(log: Log, { databaseUrl }: Pick<ServerSettings, 'databaseUrl'>): void {
  if (databaseUrl !== null && findPlainPassage(databaseUrl) === 'by choice')
    log('warn', 'database without TLS', { reason: PLAIN_BY_CHOICE });
}

/** The accounts of this machine. */
export interface Accounts {
  /** The text of `/etc/passwd`; empty if there is none. */
  readonly passwd: () => string;
  /** Null on systems without user IDs. */
  readonly ownId: number | null;
}

export const machineAccounts: Accounts = {
  passwd: () => {
    try {
      return readFileSync('/etc/passwd', 'utf8');
    } catch {
      return '';
    }
  },
  ownId: process.getuid?.() ?? null,
};

/** Logs if other users of this machine can open the port without signing in, which is so by default. */
export function noteOtherUsers(
  log: Log,
  { passwd, ownId }: Accounts,
  settings: DeskSettings,
  access: AccessMode,
): void {
  if ('socket' in settings || access !== 'local') return;
  const others = passwd()
    .split('\n')
    .filter((line) => isPerson(line, ownId)).length;
  if (others === 0) return;
  const reason =
    'Every user of this machine can read the screens, orders included: set DESK_SOCKET to listen on a ' +
    'Unix socket that only this user may open.';
  log('info', 'open to other users', { others, reason });
}

const FIRST_PERSON = 1_000;
const NO_LOGIN = /\/(?:nologin|false)$/;

function isPerson(line: string, ownId: number | null): boolean {
  const [name, , id = '', , , , shell] = line.split(':');
  if (name === '' || shell === undefined || !/^\d+$/.test(id)) return false;
  return Number(id) >= FIRST_PERSON && Number(id) !== ownId && !NO_LOGIN.test(shell.trim());
}
