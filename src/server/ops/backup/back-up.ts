import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { callControl } from '../control/call-control.ts';
import type { DatabaseCopies } from '../control/control-commands.ts';
import { copyDatabases, removeCopies } from './copy-databases.ts';
import { listDataFiles, STORE_FILE } from './data-files.ts';
import { openDatabaseFile } from './database-file.ts';
import { BACKUP_FORMAT } from './manifest.ts';
import { describeFile, writeArchive, type PackedFile } from './write-archive.ts';

export interface BackupRequest {
  readonly file: string;
  readonly dataDir: string;
  /** Of this program. */
  readonly version: string;
  readonly now: number;
}

/** Writes all that a Perpdesk needs to one file, while it runs or not. Returns what it did, in sentences. */
export async function backUp({ file, dataDir, version, now }: BackupRequest): Promise<readonly string[]> {
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  if (!existsSync(dataDir))
    throw new Error(`The data folder ${dataDir} does not exist. Set DESK_DATA_DIR to the folder to back up.`);
  const running = await callControl(dataDir, 'copy-databases');
  const copies = running ?? (await copyClosed(dataDir, version));
  const folder = join(dataDir, copies.folder);
  const part = `${file}.part`;
  try {
    const rest = await copyRest(dataDir, folder, copies.names);
    const files = await describeFiles(dataDir, folder, [...copies.names, ...rest]);
    if (files.length === 0)
      throw new Error(`${dataDir} contains nothing to back up. Set DESK_DATA_DIR to the data folder of Perpdesk.`);
    rmSync(part, { force: true });
    await writeArchive(
      part,
      { format: BACKUP_FORMAT, version: copies.version, made_at: formatInstant(toEpochNanos(now), 3) },
      files,
    );
    renameSync(part, file);
    return describeBackup(file, files, running?.names.includes(STORE_FILE) === false);
  } finally {
    rmSync(part, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

const WITHOUT_STORE =
  'The backup does not contain the store. If the store is in PostgreSQL, back up that database with pg_dump.';
const WITH_UNUSED_STORE = `The backup does not contain the store: the running Perpdesk does not use ${STORE_FILE}. Its store is in PostgreSQL; back up that database with pg_dump.`;

function describeBackup(file: string, files: readonly PackedFile[], isStoreElsewhere: boolean): readonly string[] {
  const names = files.map(({ name }) => name);
  const missing = !names.includes(STORE_FILE) ? [WITHOUT_STORE] : isStoreElsewhere ? [WITH_UNUSED_STORE] : [];
  return [`${names.join(', ')} in ${file}, ${statSync(file).size.toLocaleString('en')} bytes.`, ...missing];
}

/** No Perpdesk runs: each database is opened here, which also proves that nothing else has it open. */
async function copyClosed(dataDir: string, version: string): Promise<DatabaseCopies> {
  removeCopies(dataDir);
  return { version, ...(await copyDatabases(dataDir, [])) };
}

/** The databases of the folder that a running Perpdesk does not have open. */
async function copyRest(dataDir: string, folder: string, copied: readonly string[]): Promise<readonly string[]> {
  const rest = listDataFiles(dataDir).databases.filter((name) => !copied.includes(name));
  for (const name of rest) {
    const database = openDatabaseFile(join(dataDir, name), join(dataDir, name));
    try {
      await database.copyTo(join(folder, name));
    } finally {
      await database.close();
    }
  }
  return rest;
}

async function describeFiles(
  dataDir: string,
  folder: string,
  databases: readonly string[],
): Promise<readonly PackedFile[]> {
  for (const name of databases) await checkCopy(join(folder, name), name);
  const { others } = listDataFiles(dataDir);
  return Promise.all([
    ...databases.map((name) => describeFile(name, join(folder, name))),
    ...others.map((name) => describeFile(name, join(dataDir, name))),
  ]);
}

/** A backup of a damaged database would be found out when it is too late. */
async function checkCopy(path: string, name: string): Promise<void> {
  const copy = openDatabaseFile(path, name);
  try {
    const [first] = await copy.read({ name: 'quick check', sql: 'PRAGMA quick_check(1)', values: [] });
    if (first?.[0] !== 'ok') throw new Error(`${name} is damaged, so nothing was backed up: ${String(first?.[0])}.`);
  } finally {
    await copy.close();
  }
}
