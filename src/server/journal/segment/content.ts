import { UnreadableBlock } from './unreadable-block.ts';

type Numbers = readonly number[] | Float64Array;

/**
 * The content of a block: lists of numbers and lists of texts, read in the order in which they were written. Numbers are
 * whole, from 0 to 2^53 - 1. Their lowest bytes come first, then the next ones, up to the highest that any of them has:
 * each of these planes compresses by its own statistics, and an empty plane costs nothing.
 */
export interface ContentWriter {
  readonly numbers: (list: Numbers) => void;
  readonly texts: (list: readonly string[]) => void;
  readonly toBytes: () => Uint8Array;
}

export interface ContentReader {
  readonly numbers: () => Float64Array;
  readonly texts: () => readonly string[];
  /** Throws where something is left. */
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
      // One byte a character where that is enough, else two: unlike UTF-8, these hold whatever a text may hold.
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
    // Shifts are of whole numbers of 32 bits: what is above them is divided off first.
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

/** By how often each byte is in each plane: about what the list takes once it is compressed. */
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

/** A list that is too short is damage, not a row with less in it. */
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
