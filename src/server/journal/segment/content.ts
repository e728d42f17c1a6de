import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The bytes are damaged, or not in a format that this version reads. The message is a sentence. */
export class UnreadableBlock extends Error {
  override readonly name = 'UnreadableBlock';
}

/** Offsets of the version, the content length, and a checksum of both and the compressed content. */
const HEADER = { version: 0, length: 1, checksum: 5, end: 9 };

/** Compresses a block so that any changed or missing byte is noticed. `version` is that of the content’s format. */
export function sealEnvelope(content: Uint8Array, version: number, level: number): Uint8Array {
  const compressed = zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  const frame = Buffer.alloc(HEADER.end + compressed.length);
  frame.writeUInt8(version, HEADER.version);
  frame.writeUInt32LE(content.length, HEADER.length);
  frame.set(compressed, HEADER.end);
  frame.writeUInt32LE(checksumOf(frame), HEADER.checksum);
  return frame;
}

export function openEnvelope(
  bytes: Uint8Array,
  newest: number,
): { readonly version: number; readonly content: Buffer } {
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
  // One chunk of the known size: otherwise zlib joins many small ones.
  const content = zstdDecompressSync(frame.subarray(HEADER.end), {
    chunkSize: Math.max(length, constants.Z_MIN_CHUNK),
    maxOutputLength: Math.max(length, 1),
  });
  return { version, content };
}

function checksumOf(frame: Buffer): number {
  return crc32(frame.subarray(HEADER.end), crc32(frame.subarray(0, HEADER.checksum)));
}

type Numbers = readonly number[] | Float64Array;

/**
 * The content of a block: lists of numbers and texts, read in the order in which they were written. Numbers are
 * integers from 0 to 2^53 - 1. Their lowest bytes are stored first, then the next ones, up to the highest byte that any
 * number uses: each of these planes compresses by its own statistics, and an empty plane costs nothing.
 */
export interface ContentWriter {
  readonly numbers: (list: Numbers) => void;
  readonly texts: (list: readonly string[]) => void;
  readonly toBytes: () => Uint8Array;
}

export interface ContentReader {
  readonly numbers: () => Float64Array;
  readonly texts: () => readonly string[];
  /** Throws if anything is left. */
  readonly end: () => void;
}

const LIST_HEADER_BYTES = 5;
const BYTE = 256;
const BYTE_BITS = 8;
const PLANES_OF_SHIFTS = 4;

export function createContentWriter(): ContentWriter {
  const parts: Uint8Array[] = [];
  const numbers = (list: Numbers): void => void parts.push(toPlanes(list));
  return {
    numbers,
    texts: (list) => {
      const joined = list.join('');
      // One byte per character if that is enough, otherwise two: unlike UTF-8, both can hold any string.
      const encoding = /^[\0-\u00ff]*$/.test(joined) ? 'latin1' : 'utf16le';
      const bytes = Buffer.from(joined, encoding);
      numbers(list.map((text) => text.length));
      numbers([encoding === 'latin1' ? 1 : 2, bytes.length]);
      parts.push(bytes);
    },
    toBytes: () => Buffer.concat(parts),
  };
}

function toPlanes(list: Numbers): Uint8Array {
  const planes = countPlanes(list);
  const bytes = Buffer.alloc(LIST_HEADER_BYTES + planes * list.length);
  bytes.writeUInt32LE(list.length);
  bytes.writeUInt8(planes, 4);
  let at = LIST_HEADER_BYTES;
  for (let plane = 0; plane < planes; plane++) {
    // Shifts work on 32-bit integers, so higher bytes are divided down first.
    const [unit, shift] =
      plane < PLANES_OF_SHIFTS ? [1, plane * BYTE_BITS] : [2 ** 32, (plane - PLANES_OF_SHIFTS) * BYTE_BITS];
    for (const number of list) bytes[at++] = (number / unit) >>> shift;
  }
  return bytes;
}

function countPlanes(list: Numbers): number {
  let highest = 0;
  for (const number of list) if (number > highest) highest = number;
  let planes = 0;
  for (; highest >= 1; highest /= BYTE) planes++;
  return planes;
}

export function createContentReader(bytes: Buffer): ContentReader {
  let at = 0;
  const take = (count: number): Buffer => {
    at += count;
    if (at > bytes.length) throw new UnreadableBlock('The block is damaged: a list goes on beyond its end.');
    return bytes.subarray(at - count, at);
  };
  const numbers = (): Float64Array => {
    const header = take(LIST_HEADER_BYTES);
    const [length, planes] = [header.readUInt32LE(), header.readUInt8(4)];
    return fromPlanes(take(length * planes), new Float64Array(length), planes);
  };
  return {
    numbers,
    texts: () => {
      const lengths = numbers();
      const [width, count = 0] = numbers();
      const bytesOfTexts = take(count);
      return cutTexts(bytesOfTexts.toString(width === 1 ? 'latin1' : 'utf16le'), lengths);
    },
    end: () => {
      if (at !== bytes.length) throw new UnreadableBlock('The block is damaged: it goes on beyond its last list.');
    },
  };
}

function fromPlanes(bytes: Buffer, list: Float64Array, planes: number): Float64Array {
  for (let unit = 1, plane = 0; plane < planes; plane++, unit *= BYTE) {
    const start = plane * list.length;
    for (let index = 0; index < list.length; index++)
      list[index] = (list[index] ?? 0) + unit * (bytes[start + index] ?? 0);
  }
  return list;
}

function cutTexts(joined: string, lengths: Float64Array): readonly string[] {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return joined.slice(at - length, at);
  });
}

/** Estimates the compressed size from the byte frequencies in each plane. */
export function estimateBytes(list: Numbers): number {
  const bytes = toPlanes(list);
  let bits = 0;
  for (let at = LIST_HEADER_BYTES; at < bytes.length; at += list.length)
    bits += bitsOf(bytes.subarray(at, at + list.length));
  return bits / 8;
}

function bitsOf(bytes: Uint8Array): number {
  const counts = new Uint32Array(BYTE);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= count * Math.log2(count / bytes.length);
  return bits;
}

/** Throws if the list is too short: that is damage, not a row with fewer values. */
export function itemAt<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throwTooShort();
  return item;
}

export function numberAt(list: Float64Array, index: number): number {
  return list[index] ?? throwTooShort();
}

function throwTooShort(): never {
  throw new UnreadableBlock('The block is damaged: one of its lists is too short.');
}
