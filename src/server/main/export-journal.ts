// Writes the journal of a running Perpdesk to a Parquet file.
import '#files/owner-only.ts';
import { exportChanges, readOptions } from '#server/journal/export-changes.ts';
import { callControl } from '#server/ops/call-control.ts';
import { readDataDirOf } from '#server/ops/process/config-file.ts';
import { readSecretFile } from '#server/ops/process/source.ts';

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options} "perpdesk export-journal --help" explains all options.`);
  process.exitCode = 2;
} else {
  try {
    const desk = { address: options.desk ?? (await findDesk()), token: readToken(options.tokenFile) };
    for (const sentence of await exportChanges(options, desk, console.error)) console.log(sentence);
  } catch (error) {
    console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

/** Asks the Perpdesk that is running on the data folder where it is. */
async function findDesk(): Promise<URL> {
  const dataDir = readDataDirOf(process.env);
  const address = await callControl(dataDir, 'address');
  if (address === undefined)
    throw new Error(
      `Perpdesk is not running on ${dataDir}. Start it, set DESK_DATA_DIR to its data folder, or give its address ` +
        'with --desk.',
    );
  if (address === '')
    throw new Error('Perpdesk listens on a socket, without DESK_PUBLIC_URL. Give its address with --desk.');
  return new URL(address);
}

function readToken(path: string | null): string | null {
  if (path === null) return null;
  const file = readSecretFile(path);
  if ('problem' in file) throw new Error(`--token-file is "${path}", which ${file.problem}.`);
  return file.text.trim();
}
