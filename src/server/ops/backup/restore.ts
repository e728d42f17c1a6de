import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type BackupFile, type BackupManifest, MANIFEST_NAME, parseManifest } from './manifest.ts';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { messageOf } from '#sql/store-failure.ts';
import { isRunning } from '../call-control.ts';
import { isInUse, listDataFiles, REPLACED_PREFIX, UNPACKED_PREFIX } from './data-files.ts';

const MAX_MANIFEST_BYTES = 1_000_000;
const OWNER_ONLY = 0o600;

interface Archive {
  readonly manifest: BackupManifest;
  /** Writes all files into a folder. Throws a sentence if one differs from the manifest. */
  readonly unpack: (folder: string) => Promise<void>;
  readonly close: () => void;
}

/** Throws a sentence if the file is not a backup or this version cannot restore it. */
async function openArchive(path: string, ownVersion: string): Promise<Archive> {
  const zip = await openPromise(path, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: true,
    validateEntrySizes: true,
  });
  try {
    const entries = await listEntries(zip);
    const entry = entries.get(MANIFEST_NAME);
    if (entry === undefined || entry.uncompressedSize > MAX_MANIFEST_BYTES)
      throw new Error(`It has no ${MANIFEST_NAME}.`);
    const manifest = parseManifest(await text(await zip.openReadStreamPromise(entry)), ownVersion);
    const unpacked = manifest.files.map((file) => ({ file, entry: requireEntry(entries, file) }));
    const [surplus] = [...entries.keys()].filter(
      (name) => name !== MANIFEST_NAME && !unpacked.some(({ file }) => file.name === name),
    );
    if (surplus !== undefined)
      throw new Error(`It contains ${JSON.stringify(surplus)}, which its ${MANIFEST_NAME} does not list.`);
    return {
      manifest,
      unpack: async (folder) => {
        for (const each of unpacked) await unpack(zip, each, join(folder, each.file.name));
      },
      close: () => {
        zip.close();
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw new Error(`It contains ${entry.fileName} twice.`);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

function requireEntry(entries: ReadonlyMap<string, Entry>, { name, bytes }: BackupFile): Entry {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`It lacks ${name}, which its ${MANIFEST_NAME} lists.`);
  if (entry.uncompressedSize !== bytes)
    throw new Error(`Its ${name} does not have the size that its ${MANIFEST_NAME} lists.`);
  return entry;
}

interface Unpacked {
  readonly file: BackupFile;
  readonly entry: Entry;
}

async function unpack(zip: ZipFile, { file, entry }: Unpacked, target: string): Promise<void> {
  const hash = createHash('sha256');
  const count = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(
    await zip.openReadStreamPromise(entry),
    count,
    createWriteStream(target, { flags: 'wx', mode: OWNER_ONLY, flush: true }),
  );
  if (hash.digest('hex') !== file.sha256)
    throw new Error(`Its ${file.name} is damaged: the SHA-256 differs from the one in its ${MANIFEST_NAME}.`);
}

export interface RestoreRequest {
  readonly file: string;
  /** An existing folder. */
  readonly dataDir: string;
  /** Whether the contents of the data folder may be moved aside. */
  readonly replaces: boolean;
  /** The version of this program. */
  readonly version: string;
  readonly now: number;
}

/** Ignores what the root of a file system may contain, and what earlier restores left behind. */
function isInTheWay(name: string): boolean {
  return name !== 'lost+found' && ![REPLACED_PREFIX, UNPACKED_PREFIX].some((prefix) => name.startsWith(prefix));
}

/**
 * Restores a backup into a data folder that no Perpdesk uses. Changes nothing unless every file is exactly as it was
 * backed up.
 */
export async function restore({ file, dataDir, replaces, version, now }: RestoreRequest): Promise<readonly string[]> {
  const archive = await openArchive(file, version).catch((error: unknown) => {
    throw new Error(`${file} cannot be restored. ${toSentence(error)}`, { cause: error });
  });
  try {
    await requireUnused(dataDir);
    const inTheWay = readdirSync(dataDir).filter(isInTheWay);
    if (inTheWay.length > 0 && !replaces)
      throw new Error(
        `${dataDir} is not empty. Set DESK_DATA_DIR to an empty folder, or add --replace to move its ` +
          'contents to a folder in it.',
      );
    const replaced = inTheWay.length === 0 ? null : `${REPLACED_PREFIX}${toFileName(now)}`;
    await exchange(archive, dataDir, { inTheWay, replaced }).catch((error: unknown) => {
      throw new Error(`${file} was not restored. ${toSentence(error)}`, { cause: error });
    });
    return describe(archive, dataDir, replaced);
  } finally {
    archive.close();
  }
}

interface Replacement {
  readonly inTheWay: readonly string[];
  readonly replaced: string | null;
}

async function exchange(
  { manifest, unpack }: Archive,
  dataDir: string,
  { inTheWay, replaced }: Replacement,
): Promise<void> {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(UNPACKED_PREFIX)) rmSync(join(dataDir, name), { recursive: true });
  const unpacked = mkdtempSync(join(dataDir, UNPACKED_PREFIX));
  try {
    await unpack(unpacked);
    if (replaced !== null) moveAll(inTheWay, dataDir, join(dataDir, replaced));
    moveAll(
      manifest.files.map(({ name }) => name),
      unpacked,
      dataDir,
    );
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function moveAll(names: readonly string[], from: string, to: string): void {
  if (!existsSync(to)) mkdirSync(to, { mode: 0o700 });
  for (const name of names) renameSync(join(from, name), join(to, name));
}

async function requireUnused(dataDir: string): Promise<void> {
  const inUse = `Perpdesk is running on ${dataDir}. Stop it first, or set DESK_DATA_DIR to another folder.`;
  if (await isRunning(dataDir)) throw new Error(inUse);
  for (const name of listDataFiles(dataDir).databases) if (await isInUse(join(dataDir, name))) throw new Error(inUse);
}

function describe(
  { manifest: { files, made_at: madeAt, version } }: Archive,
  dataDir: string,
  replaced: string | null,
): readonly string[] {
  const restored =
    `Restored ${files.map(({ name }) => name).join(', ')} to ${dataDir}, as they were at ` +
    `${madeAt} in Perpdesk ${version}.`;
  return replaced === null
    ? [restored]
    : [
        restored,
        `The previous contents are in ${join(dataDir, replaced)}. Delete that folder when you no longer need it.`,
      ];
}

/** Windows allows no colons in file names. */
function toFileName(now: number): string {
  return formatInstant(toEpochNanos(now), 0).replaceAll(':', '-');
}

/** The zip library's messages are not sentences. */
function toSentence(error: unknown): string {
  const message = messageOf(error);
  return /[.]$/.test(message) ? message : `${message}.`;
}
