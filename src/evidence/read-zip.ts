import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import type { EvidenceFile } from '#model/evidence/evidence-files.ts';

/** These limits are far more than evidence needs, and small enough to read safely. */
export const LIMITS = { zipBytes: 128 * 2 ** 20, entries: 4_000, bytes: 256 * 2 ** 20 } as const;

const NAME = /^(?:answers\/)?[\w-]+(?:\.[\w-]+)+$/;

/**
 * Reads the files of a zip that may be hostile. Nothing is written to disk, and nothing is unpacked before all names
 * and sizes have passed their checks. Throws a sentence that says why the zip was not read.
 */
export async function readZip(zip: Uint8Array): Promise<readonly EvidenceFile[]> {
  if (zip.length > LIMITS.zipBytes) throw new Error(`The file is larger than ${toMegabytes(LIMITS.zipBytes)}.`);
  const archive = await fromBufferPromise(Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength), {
    lazyEntries: true,
    strictFileNames: true,
    validateEntrySizes: true,
  });
  if (archive.entryCount > LIMITS.entries) throw new Error(`It has more than ${String(LIMITS.entries)} files.`);
  const entries = await listEntries(archive);
  const files: EvidenceFile[] = [];
  for (const entry of entries) files.push({ name: entry.fileName, bytes: await unpack(archive, entry) });
  return files;
}

async function listEntries(archive: ZipFile): Promise<readonly Entry[]> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of archive.eachEntry()) {
    const { fileName: name, uncompressedSize } = entry;
    if (!NAME.test(name))
      throw new Error(`It has a file with the name ${JSON.stringify(name)}, which evidence never has.`);
    if (entries.has(name)) throw new Error(`It has two files with the name ${name}.`);
    if (entry.isEncrypted()) throw new Error(`${name} is encrypted.`);
    bytes += uncompressedSize;
    if (bytes > LIMITS.bytes) throw new Error(`Unpacked, it is larger than ${toMegabytes(LIMITS.bytes)}.`);
    entries.set(name, entry);
  }
  return [...entries.values()];
}

/** Throws if the content is longer or shorter than its entry says. */
async function unpack(archive: ZipFile, entry: Entry): Promise<Uint8Array> {
  const local = await archive.readLocalFileHeaderPromise(entry);
  // Other programs use the name in front of the content instead of the one in the directory.
  if (local.fileName.toString('latin1') !== entry.fileName)
    throw new Error(`${entry.fileName} has another name before its content than in the list of files.`);
  const pieces: Buffer[] = [];
  for await (const piece of await archive.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function toMegabytes(bytes: number): string {
  return `${String(bytes / 2 ** 20)} MB`;
}
