import { constants, deflateRaw, deflateRawSync } from 'node:zlib';
import { promisify } from 'node:util';
import type { LiveEventName } from '#contract/desk/live.ts';

/** A part of a stream, in the two forms in which streams are sent: made once, written to each of them. */
export interface Frame {
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** The head of a gzip stream (RFC 1952) without a name or a time. Frames follow it in any number. */
export const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** The last block, empty, and the trailer by which a client finds that it has all of so many bytes with this CRC-32. */
export function gzipEnd(crc: number, bytes: number): Buffer {
  const end = Buffer.alloc(10);
  end.writeUInt16LE(LAST_BLOCK, 0);
  end.writeUInt32LE(crc, 2);
  end.writeUInt32LE(bytes % 2 ** 32, 6);
  return end;
}

const LAST_BLOCK = 0x0003;

const deflate = promisify(deflateRaw);
const END_AT_BYTE = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * Each frame is compressed by itself and ends at a byte: it refers to none before it, so that a stream can begin with any
 * of them. Compressors of one stream each would cost their time and memory for every reader.
 */
export async function toFrame(text: string): Promise<Frame> {
  if (text.length < SHORT) return toSmallFrame(text);
  const plain = Buffer.from(text);
  return { plain: alone(plain), packed: alone(await deflate(plain, END_AT_BYTE)) };
}

/** Compressed faster than another thread would begin; a compressor that waits for its turn there takes 270 kB. */
const SHORT = 4_096;

export function toSmallFrame(text: string): Frame {
  const plain = Buffer.from(text);
  return { plain: alone(plain), packed: alone(deflateRawSync(plain, END_AT_BYTE)) };
}

/** Node makes small buffers, and those it compresses into, as slices of larger ones, which a frame in a log would keep in memory. */
function alone(bytes: Buffer): Buffer {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(copy);
  return copy;
}

export function joinFrames(frames: readonly Frame[]): Frame {
  const [first, ...others] = frames;
  if (first !== undefined && others.length === 0) return first;
  return {
    plain: Buffer.concat(frames.map(({ plain }) => plain)),
    packed: Buffer.concat(frames.map(({ packed }) => packed)),
  };
}

/** A line break in JSON is a space. Most responses have none, which these searches find many times as fast as a pattern would. */
export function toLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}

/** An event as the HTML standard writes it; `data` is JSON, in which a line break is a space. */
export function toEvent(name: LiveEventName, data: string): string {
  return `event: ${name}\ndata: ${toLine(data)}\n\n`;
}

/** From here on, a stream that breaks off can be resumed. */
export function toCursor(id: string): string {
  return `id: ${id}\n\n`;
}

/** Keeps proxies and the reader from taking an idle stream for a dead one. */
export const HEARTBEAT = ':\n\n';
