// Writes the journal of a running Perpdesk to a Parquet file.
import '#files/owner-only.ts';
import { exportChanges, readOptions, USAGE } from '#server/journal/export-changes.ts';
import { readSecretFile } from '#server/ops/process/source.ts';

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  try {
    for (const sentence of await exportChanges(options, readToken(options.tokenFile), console.error))
      console.log(sentence);
  } catch (error) {
    console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

function readToken(path: string | null): string | null {
  if (path === null) return null;
  const file = readSecretFile(path);
  if ('problem' in file) throw new Error(`--token-file is "${path}", which ${file.problem}.`);
  return file.text.trim();
}
