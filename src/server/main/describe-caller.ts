import { userInfo } from 'node:os';
import { toPrintable } from '#server/core/printable.ts';

/** Returns the user of this machine who runs a command, for the audit log, and who has become that user with sudo. */
export function describeCaller({ SUDO_USER = '' }: NodeJS.ProcessEnv): string {
  const [before, own] = [toPrintable(SUDO_USER), toUserName()];
  return before === '' || before === own ? own : `${before} as ${own}`;
}

/** A user of a container may have no name. */
function toUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${String(process.getuid?.())}`;
  }
}
