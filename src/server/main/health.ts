// Reports whether Perpdesk runs on the data folder of the settings, and responds: for supervisors.
import '#files/owner-only.ts';
import { isRunning } from '#server/ops/call-control.ts';
import { readDataDirOf } from '#server/ops/process/config-file.ts';

try {
  const dataDir = readDataDirOf(process.env);
  const runs = await isRunning(dataDir);
  console.log(runs ? `Perpdesk is running on ${dataDir}.` : `Perpdesk is not running on ${dataDir}.`);
  if (!runs) process.exitCode = 1;
} catch (error) {
  console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
