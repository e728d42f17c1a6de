import { randomBytes } from 'node:crypto';
import { constants, deflateRaw, deflateRawSync } from 'node:zlib';
import { promisify } from 'node:util';
import type { LiveEventName } from '#contract/desk/live.ts';
import { setBounded } from '#server/core/maps.ts';

/** A message of a stream in both forms, plain and compressed: made once, and written to every stream. */
export interface Message {
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** The head of a gzip stream (RFC 1952) without name or time. Any number of messages follows it. */
export const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Returns the empty last block and the trailer, by which a client verifies the length and the CRC-32. */
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
 * Compresses each message by itself, up to a byte boundary and without references to earlier ones, so that a stream can
 * begin with any of them. One compressor per stream would cost its time and memory for every client.
 */
export async function toMessage(text: string): Promise<Message> {
  if (text.length < SHORT) return toSmallMessage(text);
  const plain = Buffer.from(text);
  return { plain: alone(plain), packed: alone(await deflate(plain, END_AT_BYTE)) };
}

/**
 * A shorter text is compressed sooner than another thread would begin, and a compressor that waits for a thread takes
 * 270 kB.
 */
const SHORT = 4_096;

export function toSmallMessage(text: string): Message {
  const plain = Buffer.from(text);
  return { plain: alone(plain), packed: alone(deflateRawSync(plain, END_AT_BYTE)) };
}

/**
 * Copies a buffer that is a slice of a larger one, as Node’s small and compressed buffers are: a message in a log would
 * keep all of it in memory.
 */
function alone(bytes: Buffer): Buffer {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(copy);
  return copy;
}

export function joinMessages(messages: readonly Message[]): Message {
  const [first, ...others] = messages;
  if (first !== undefined && others.length === 0) return first;
  return {
    plain: Buffer.concat(messages.map(({ plain }) => plain)),
    packed: Buffer.concat(messages.map(({ packed }) => packed)),
  };
}

/**
 * Replaces line breaks with spaces, which mean the same in JSON. Most responses have none, and these searches are many
 * times as fast as a pattern.
 */
export function toLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}

/** Formats an event as the HTML standard requires. `data` is JSON, in which a line break means the same as a space. */
export function toEvent(name: LiveEventName, data: string): string {
  return `event: ${name}\ndata: ${toLine(data)}\n\n`;
}

/** Formats a cursor, after which a stream that breaks off can be resumed. */
function toCursor(id: string): string {
  return `id: ${id}\n\n`;
}

/** Keeps proxies and the client from closing an idle stream. */
export const HEARTBEAT = ':\n\n';

/** A number that grows with each change to what is sent. */
export type Tick = number;

export interface Cursor {
  readonly tick: Tick;
  /** A stream that breaks off can be resumed after it. */
  readonly frame: Message;
}

/** Opaque names for ticks: they reveal neither how many there were, nor which of two is later. */
export interface Cursors {
  readonly next: () => Cursor;
  readonly current: () => Cursor;
  /** Null for a name of another process, or one from too long ago. */
  readonly toTick: (id: string) => Tick | null;
}

const ID_BYTES = 12;
const MAX_CURSORS = 4_096;

export function createCursors(): Cursors {
  const ticks = new Map<string, Tick>();
  const create = (tick: Tick): Cursor => {
    const id = randomBytes(ID_BYTES).toString('base64url');
    setBounded(ticks, id, tick, MAX_CURSORS);
    return { tick, frame: toSmallMessage(toCursor(id)) };
  };
  let current = create(0);
  return {
    next: () => (current = create(current.tick + 1)),
    current: () => current,
    toTick: (id) => ticks.get(id) ?? null,
  };
}
