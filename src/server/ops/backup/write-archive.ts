import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { MANIFEST_NAME, type BackupFile, type BackupManifest } from './manifest.ts';

const OWNER_ONLY = 0o600;

/** A file that is in the backup, and where its content is. */
export interface PackedFile extends BackupFile {
  readonly path: string;
}

export async function describeFile(name: string, path: string): Promise<PackedFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { name, path, bytes: statSync(path).size, sha256: hash.digest('hex') };
}

/** Writes a zip that its owner alone may read; it is on the disk when this returns. */
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
  // A file that cannot be read would otherwise leave the output waiting for ever.
  await Promise.race([written, failureOf(archive)]);
}

function failureOf(archive: ZipFile): Promise<never> {
  return new Promise((_, reject) => {
    archive.once('error', reject);
  });
}
