import { copyDatabases, removeCopies, type DatabaseFile } from './backup/copy-databases.ts';
import type { ControlCommands } from './control/control-commands.ts';
import { readVersion } from './process/version.ts';

/** What this Perpdesk does for the owner of its data folder. */
export function createControlCommands(dataDir: string, databases: readonly (DatabaseFile | null | undefined)[]): ControlCommands {
  removeCopies(dataDir);
  const open = databases.flatMap((database) => database ?? []);
  return { 'copy-databases': async () => ({ version: readVersion(), ...(await copyDatabases(dataDir, open)) }) };
}
