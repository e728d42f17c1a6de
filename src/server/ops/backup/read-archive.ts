import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { MANIFEST_NAME, parseManifest, type BackupFile, type BackupManifest } from './manifest.ts';

const MAX_MANIFEST_BYTES = 1_000_000;
const OWNER_ONLY = 0o600;

export interface Archive {
  readonly manifest: BackupManifest;
  /** Writes all files into a folder. Throws a sentence if one is not what the manifest says. */
  readonly unpack: (folder: string) => Promise<void>;
  readonly close: () => void;
}

/** Throws a sentence if the file is no backup, or one that this version cannot restore. */
export async function openArchive(path: string, ownVersion: string): Promise<Archive> {
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
