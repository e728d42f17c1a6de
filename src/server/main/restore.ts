// Restores a backup into a data folder that no Perpdesk uses.
import '#files/owner-only.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRestoreOptions } from '#server/ops/backup/options.ts';
import { restore } from '#server/ops/backup/restore.ts';
import { readDataDirOf } from '#server/ops/process/config-file.ts';
import { prepareDataFolder, recallStore, STORE_FILE } from '#server/ops/process/data-folder.ts';
import { readVersion } from '#server/ops/process/version.ts';
import { describeCaller } from './describe-caller.ts';
import { withAccessOf } from './with-access.ts';

/** How long sessions last has no effect on ending them. The audit log of the backup loses nothing by its restoring. */
const ENDING = {
  sessionHours: 0,
  idleHours: 0,
  auditing: { days: Infinity, bytes: Infinity, target: null },
  given: {},
};

const options = readRestoreOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options} "perpdesk restore --help" explains all options.`);
  process.exitCode = 2;
} else {
  try {
    const dataDir = readDataDirOf(process.env);
    prepareDataFolder(dataDir, console.error);
    for (const sentence of await restore({ ...options, dataDir, version: readVersion(), now: Date.now() }))
      console.log(sentence);
    const address = recallStore(dataDir);
    if (address !== null)
      console.log(
        `The store is in PostgreSQL, at ${address}: restore its pg_dump of the same time. The sign-in sessions in it are ` +
          'valid again; end them with perpdesk user end-sessions.',
      );
    else if (!options.keepsSessions && existsSync(join(dataDir, STORE_FILE)))
      for (const sentence of await endRestored(dataDir)) console.log(sentence);
  } catch (error) {
    console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

async function endRestored(dataDir: string): Promise<readonly string[]> {
  try {
    return await withAccessOf(dataDir, ENDING, ({ commands }) => commands.endRestored(describeCaller(process.env)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The backup is restored, but its sign-in sessions have not been ended. ${reason}`, {
      cause: error,
    });
  }
}
