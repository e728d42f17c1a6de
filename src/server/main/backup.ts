// Writes everything that Perpdesk needs to one file, whether it is running or not.
import '#files/owner-only.ts';
import { backUp } from '#server/ops/backup/back-up.ts';
import { readBackupOptions } from '#server/ops/backup/options.ts';
import { readDataDirOf } from '#server/ops/process/config-file.ts';
import { readVersion } from '#server/ops/process/version.ts';

const options = readBackupOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options} "perpdesk backup --help" explains all options.`);
  process.exitCode = 2;
} else {
  try {
    for (const sentence of await backUp({
      ...options,
      dataDir: readDataDirOf(process.env),
      version: readVersion(),
      now: Date.now(),
    }))
      console.log(sentence);
  } catch (error) {
    console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
