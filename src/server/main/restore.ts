// Restores a backup into a data folder that no Perpdesk uses.
import '#files/owner-only.ts';
import { readRestoreOptions, RESTORE_USAGE } from '#server/ops/backup/options.ts';
import { restore } from '#server/ops/backup/restore.ts';
import { readDataDirOf } from '#server/ops/process/config-file.ts';
import { prepareDataFolder } from '#server/ops/process/data-folder.ts';
import { readVersion } from '#server/ops/process/version.ts';

const options = readRestoreOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${RESTORE_USAGE}`);
  process.exitCode = 2;
} else {
  try {
    const dataDir = readDataDirOf(process.env);
    prepareDataFolder(dataDir, console.error);
    for (const sentence of await restore({ ...options, dataDir, version: readVersion(), now: Date.now() }))
      console.log(sentence);
  } catch (error) {
    console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
