// Writes the journal of a Perpdesk that is running to a Parquet file.
import { exportChanges } from './journal-export/export-changes.ts';
import { readOptions, USAGE } from './journal-export/options.ts';

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  try {
    for (const sentence of await exportChanges(options, console.error)) console.log(sentence);
  } catch (error) {
    console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
