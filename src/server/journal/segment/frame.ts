import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { UnreadableBlock } from './unreadable-block.ts';

/** The version, the length of the content, and a checksum of both and of the compressed content. */
const HEADER = { version: 0, length: 1, checksum: 5, end: 9 };

/** Compresses what a block has, so that every changed or missing byte is noticed. `version`: of the format of its content. */
export function sealFrame(content: Uint8Array, version: number, level: number): Uint8Array {
  const compressed = zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  const frame = Buffer.alloc(HEADER.end + compressed.length);
  frame.writeUInt8(version, HEADER.version);
  frame.writeUInt32LE(content.length, HEADER.length);
  frame.set(compressed, HEADER.end);
  frame.writeUInt32LE(checksumOf(frame), HEADER.checksum);
  return frame;
}

export function openFrame(bytes: Uint8Array, newest: number): { readonly version: number; readonly content: Buffer } {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (frame.length <= HEADER.end) throw new UnreadableBlock('The block is cut short: its header is missing.');
  const version = frame.readUInt8(HEADER.version);
  if (version > newest)
    throw new UnreadableBlock(
      `The block has format ${version}; this version of Perpdesk reads formats up to ${newest}.`,
    );
  if (frame.readUInt32LE(HEADER.checksum) !== checksumOf(frame))
    throw new UnreadableBlock('The block is damaged or cut short: its checksum is wrong.');
  const length = frame.readUInt32LE(HEADER.length);
  // In one piece: without a size, the result would be put together from many small ones.
  const content = zstdDecompressSync(frame.subarray(HEADER.end), {
    chunkSize: Math.max(length, constants.Z_MIN_CHUNK),
    maxOutputLength: Math.max(length, 1),
  });
  return { version, content };
}

function checksumOf(frame: Buffer): number {
  return crc32(frame.subarray(HEADER.end), crc32(frame.subarray(0, HEADER.checksum)));
}
