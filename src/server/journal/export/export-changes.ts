import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { CHANGE_SCHEMA, toColumns, type ChangeTexts } from './change-columns.ts';
import type { ExportOptions } from './options.ts';
import { readChanges, readJournal } from './read-changes.ts';

/** Large ones compress best; all of it is in memory. */
const ROW_GROUP = 100_000;

/** Writes the changes of the journal to a Parquet file. Returns what it did, in sentences. */
export async function exportChanges(
  { file, desk: address, begin, end }: Omit<ExportOptions, 'tokenFile'>,
  token: string | null,
  report: (sentence: string) => void,
): Promise<readonly string[]> {
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  const desk = { address, token };
  const { kept_from: from, read_to: to } = await readJournal(desk, {});
  if (from === null || to === null) throw new Error('The journal is empty.');
  // What is read meanwhile is left out, so that the file covers one time.
  const last = Date.parse(to) + 1;
  const range = {
    begin_time: begin ?? from,
    end_time: new Date(Math.min(last, end === null ? last : Date.parse(end))).toISOString(),
  };
  const { gaps } = await readJournal(desk, range);
  const part = `${file}.part`;
  try {
    const count = await writeFile(
      part,
      readChanges(desk, range),
      { ...range, kept_from: from, read_to: to, gaps: JSON.stringify(gaps) },
      report,
    );
    const { kept_from: keptNow } = await readJournal(desk, {});
    if (keptNow !== from && Date.parse(keptNow ?? to) > Date.parse(range.begin_time))
      throw new Error(
        'The journal dropped its oldest changes meanwhile, so that the file would lack some: choose a later --begin.',
      );
    renameSync(part, file);
    const missing =
      gaps.length === 0
        ? []
        : [
            `Not read for ${gaps.length === 1 ? 'one gap' : `${String(gaps.length)} gaps`} in this time, in which changes may have gone unseen: see the file’s metadata.`,
          ];
    return [
      `${count.toLocaleString('en')} changes from ${range.begin_time} to ${range.end_time} in ${file}, ${statSync(file).size.toLocaleString('en')} bytes.`,
      ...missing,
    ];
  } finally {
    rmSync(part, { force: true });
  }
}

async function writeFile(
  path: string,
  pages: AsyncIterable<readonly ChangeTexts[]>,
  metadata: Readonly<Record<string, string>>,
  report: (sentence: string) => void,
): Promise<number> {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [...CHANGE_SCHEMA],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: 'perpdesk',
  });
  let count = 0;
  let waiting: ChangeTexts[] = [];
  const write = async (): Promise<void> => {
    if (waiting.length > 0) await writer.write({ columnData: toColumns(waiting), rowGroupSize: ROW_GROUP });
    count += waiting.length;
    waiting = [];
  };
  for await (const page of pages) {
    for (const change of page) waiting.push(change);
    if (waiting.length < ROW_GROUP) continue;
    await write();
    report(`${count.toLocaleString('en')} changes …`);
  }
  await write();
  await writer.finish();
  return count;
}
