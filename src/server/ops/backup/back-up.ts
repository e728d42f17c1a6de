import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { BACKUP_FORMAT, type BackupFile, type BackupManifest, MANIFEST_NAME } from './manifest.ts';
import { join } from 'node:path';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { callControl, type DatabaseCopies } from '../call-control.ts';
import { copyDatabases, listDataFiles, openDatabaseFile, removeCopies } from './data-files.ts';
import { recallStore, STORE_FILE } from '../process/data-folder.ts';

export interface BackupRequest {
  readonly file: string;
  readonly dataDir: string;
  /** The version of this program. */
  readonly version: string;
  readonly now: number;
  /** Whether a backup without the store is meant. */
  readonly withoutStore?: boolean;
}

/**
 * Writes everything that Perpdesk needs to one file, whether it is running or not. Returns sentences about what it did.
 */
export async function backUp({
  file,
  dataDir,
  version,
  now,
  withoutStore = false,
}: BackupRequest): Promise<readonly string[]> {
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  if (!existsSync(dataDir))
    throw new Error(`The data folder ${dataDir} does not exist. Set DESK_DATA_DIR to the folder to back up.`);
  const running = await callControl(dataDir, 'copy-databases');
  const copies = running ?? (await copyClosed(dataDir, version));
  const folder = join(dataDir, copies.folder);
  const part = `${file}.${randomUUID()}.part`;
  try {
    const rest = await copyRest(dataDir, folder, copies.names);
    const files = await describeFiles(dataDir, folder, [...copies.names, ...rest]);
    if (files.length === 0)
      throw new Error(`${dataDir} contains nothing to back up. Set DESK_DATA_DIR to the data folder of Perpdesk.`);
    const address = recallStore(dataDir);
    const hasStore = address === null && (running?.names ?? files.map(({ name }) => name)).includes(STORE_FILE);
    if (!hasStore && !withoutStore) throw new Error(describeMissing(dataDir, address));
    await writeArchive(
      part,
      { format: BACKUP_FORMAT, version: copies.version, made_at: formatInstant(toEpochNanos(now), 3) },
      files,
    );
    putInPlace(part, file);
    return [
      `${files.map(({ name }) => name).join(', ')} in ${file}, ${statSync(file).size.toLocaleString('en')} bytes.`,
      ...(hasStore ? [] : [WITHOUT_STORE]),
    ];
  } finally {
    rmSync(part, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes the name before it moves the file, because moving overwrites. Some disks, such as FAT, have no hard links. */
function putInPlace(part: string, file: string): void {
  closeSync(openSync(file, 'wx', OWNER_ONLY));
  try {
    renameSync(part, file);
  } catch (error) {
    rmSync(file);
    throw error;
  }
}

const WITHOUT_STORE = 'The store is not in this backup. Keep it together with the pg_dump of the same time.';

function describeMissing(dataDir: string, address: string | null): string {
  const [place, reason] =
    address === null
      ? ['so the backup would lack it', 'If it is in PostgreSQL, back that database up']
      : [`but at ${address}, so the backup would lack it`, 'Back that database up'];
  return (
    `The store is not in ${dataDir}, ${place}. ${reason} with pg_dump, and add --without-store to back up the ` +
    'rest.'
  );
}

/** Perpdesk is not running, so this opens each database itself, which also proves that no other program has it open. */
async function copyClosed(dataDir: string, version: string): Promise<DatabaseCopies> {
  removeCopies(dataDir);
  return { version, ...(await copyDatabases(dataDir, [])) };
}

/** Copies the databases in the folder that a running Perpdesk does not have open. */
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

/** Otherwise the damage would only be discovered when the backup is needed. */
async function checkCopy(path: string, name: string): Promise<void> {
  const copy = openDatabaseFile(path, name);
  try {
    const [first] = await copy.read({ name: 'quick check', sql: 'PRAGMA quick_check(1)', values: [] });
    if (first?.[0] !== 'ok') throw new Error(`${name} is damaged, so nothing was backed up: ${String(first?.[0])}.`);
  } finally {
    await copy.close();
  }
}

const OWNER_ONLY = 0o600;

/**
 * A file of the backup and the path of its content.
 *
 * @internal Exported for its test.
 */
export interface PackedFile extends BackupFile {
  readonly path: string;
}

async function describeFile(name: string, path: string): Promise<PackedFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { name, path, bytes: statSync(path).size, sha256: hash.digest('hex') };
}

/**
 * Writes a zip that only its owner may read. It is on disk when this resolves.
 *
 * @internal Exported for its test.
 */
export async function writeArchive(
  target: string,
  manifest: Omit<BackupManifest, 'files'>,
  files: readonly PackedFile[],
): Promise<void> {
  const archive = new ZipFile();
  const options = { mtime: new Date(manifest.made_at), mode: OWNER_ONLY };
  const listed = files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  archive.addBuffer(
    Buffer.from(`${JSON.stringify({ ...manifest, files: listed }, null, 2)}\n`),
    MANIFEST_NAME,
    options,
  );
  for (const { name, path } of files) archive.addFile(path, name, options);
  const written = pipeline(
    archive.outputStream,
    createWriteStream(target, { flags: 'wx', mode: OWNER_ONLY, flush: true }),
  );
  archive.end();
  // Otherwise a file that cannot be read would leave the output waiting forever.
  await Promise.race([written, failureOf(archive)]);
}

function failureOf(archive: ZipFile): Promise<never> {
  return new Promise((_, reject) => {
    archive.once('error', reject);
  });
}
