import { readFileSync } from 'node:fs';
import type { AccessMode } from '#contract/desk/roles.ts';
import type { Log } from '#server/core/ports.ts';
import type { DeskSettings } from './desk-settings.ts';

/** Who has an account on this machine. */
export interface Accounts {
  /** `/etc/passwd`, or nothing where there is none. */
  readonly passwd: () => string;
  /** Null where the system has no such numbers. */
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

/** A port of this machine is open to all of its users: one line says so where there are others, and nobody has to sign in. */
export function warnOfOtherUsers(
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
    'Every user of this machine can read the screens, orders included: set DESK_SOCKET to listen on a Unix socket that only this user may open.';
  log('warn', 'open to other users', { others, reason });
}

const FIRST_PERSON = 1_000;
const NO_LOGIN = /\/(?:nologin|false)$/;

function isPerson(line: string, ownId: number | null): boolean {
  const [name, , id = '', , , , shell] = line.split(':');
  if (name === '' || shell === undefined || !/^\d+$/.test(id)) return false;
  return Number(id) >= FIRST_PERSON && Number(id) !== ownId && !NO_LOGIN.test(shell.trim());
}
