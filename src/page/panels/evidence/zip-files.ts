import { Zip, ZipDeflate } from 'fflate';
import type { EvidenceFile } from '#model/evidence/evidence-files.ts';
import type { Pause } from './evidence-rows.ts';

/** The beginning of time for zip files. The same files then make the same zip, whenever and wherever it is made. */
const NO_TIME = new Date(1980, 0, 1);
const BYTES_PER_PIECE = 1 << 18;

/** One zip, compressed piece by piece, so that the page stays responsive. */
export async function zipFiles(files: readonly EvidenceFile[], pause: Pause): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  for (const { name, bytes } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = NO_TIME;
    zip.add(entry);
    let at = 0;
    for (; at + BYTES_PER_PIECE < bytes.length; at += BYTES_PER_PIECE) {
      entry.push(bytes.subarray(at, at + BYTES_PER_PIECE));
      await pause();
    }
    entry.push(bytes.subarray(at), true);
  }
  zip.end();
  return join(pieces);
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
