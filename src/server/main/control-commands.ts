import { copyDatabases, removeCopies, type DatabaseFile } from '#server/ops/backup/copy-databases.ts';
import { UsageError } from '#server/people/commands/usage-error.ts';
import type { AccessRoom } from '#server/people/open-access-room.ts';
import type { ControlCommands, UserCommandResult } from '#server/ops/control/control-commands.ts';
import { readVersion } from '#server/ops/process/version.ts';

/** What this Perpdesk does for the owner of its data folder. */
export function createControlCommands(
  dataDir: string,
  databases: readonly (DatabaseFile | null | undefined)[],
  { user, audit }: AccessRoom['commands'],
): ControlCommands {
  removeCopies(dataDir);
  const open = databases.flatMap((database) => database ?? []);
  return {
    'copy-databases': async () => ({ version: readVersion(), ...(await copyDatabases(dataDir, open)) }),
    'user': ({ args, baseUrl }) => user(baseUrl)(args).then((lines) => ({ lines }), toMistake),
    'audit-ends': audit.ends,
    'audit-after': ({ number, limit }) => audit.after(number, limit),
  };
}

/** Any other error is passed on as one. */
function toMistake(error: unknown): UserCommandResult {
  if (error instanceof UsageError) return { mistake: error.message };
  throw error;
}
