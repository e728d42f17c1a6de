import { randomBytes, randomUUID } from 'node:crypto';
import { constants, deflateRaw, deflateRawSync } from 'node:zlib';
import { promisify } from 'node:util';
import type { LiveEventName } from '#contract/desk/live.ts';
import { setBounded } from '#server/core/maps.ts';
import { createSealedTexts, type SealedTexts } from '#server/core/sealed-texts.ts';

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
  /** Opaque: it reveals neither how many there were, nor which of two is later. */
  readonly id: string;
  /** Names the tick to viewers with this entitlement. A stream that breaks off can be resumed after it. */
  readonly frameFor: (entitlement: string) => Message;
}

/** The ticks of this desk, and the names by which clients know them. */
export interface Cursors {
  /** Whether other desks have the same ones. */
  readonly isShared: boolean;
  /** Returns a cursor after all others, which counts from when it is committed. */
  readonly draw: () => Cursor;
  /** Makes a cursor known, and the current one unless that is later. */
  readonly commit: (cursor: Cursor) => Cursor;
  /** Draws a cursor and commits it. */
  readonly next: () => Cursor;
  readonly current: () => Cursor;
  /**
   * Returns what a client has that was sent this name. Null for one from another time or set of desks, and one that was
   * sent to viewers with another entitlement: what they were sent must not count.
   */
  readonly find: (name: string, entitlement: string) => Held | null;
}

/** What a client has that comes back. */
interface Held {
  readonly tick: Tick;
  /** Whether this desk has had all readings until then; otherwise another desk may have sent some that it never passed on. */
  readonly isKnown: boolean;
}

/** What several desks have in common, so that each understands the cursors of the others. */
export interface SharedCursors {
  readonly epoch: () => number;
  readonly names: SealedTexts;
}

const ID_BYTES = 12;
const MAX_CURSORS = 4_096;
/** More than one desk reads while it is the leader. */
const TICKS_PER_EPOCH = 2 ** 32;

/** Creates them for one desk, or for one of several: later epochs have larger ticks, so that no two desks draw the same. */
export function createCursors(shared: SharedCursors | null = null): Cursors {
  const names = shared?.names ?? createSealedTexts(randomUUID(), 'live');
  const ticks = new Map<string, Tick>();
  const name = (tick: Tick): Cursor => toNamedCursor(tick, randomBytes(ID_BYTES).toString('base64url'), names);
  const draw = (): Cursor => name(Math.max(current.tick, (shared?.epoch() ?? 0) * TICKS_PER_EPOCH) + 1);
  const commit = (cursor: Cursor): Cursor => {
    setBounded(ticks, cursor.id, cursor.tick, MAX_CURSORS);
    if (cursor.tick > current.tick) current = cursor;
    return cursor;
  };
  let current = name(0);
  commit(current);
  return {
    isShared: shared !== null,
    draw,
    commit,
    next: () => commit(draw()),
    current: () => current,
    find: (text, entitlement) => {
      const [id = '', sealed = ''] = text.split(SEPARATOR);
      const tick = names.open(sealed, entitlement);
      return tick === null ? null : { tick: Number(tick), isKnown: ticks.has(id) };
    },
  };
}

/** Returns the cursor of a tick that has an ID already. */
export function toNamedCursor(tick: Tick, id: string, names: Pick<SealedTexts, 'seal'>): Cursor {
  const frames = new Map<string, Message>();
  return {
    tick,
    id,
    frameFor: (entitlement) => {
      const frame =
        frames.get(entitlement) ??
        toSmallMessage(toCursor(id + SEPARATOR + names.seal(String(tick).padStart(TICK_DIGITS, '0'), entitlement)));
      frames.set(entitlement, frame);
      return frame;
    },
  };
}

/** Creates cursors for topics of which each desk has its own: streams are not resumed after them. */
export function createNamelessCursors(): Pick<Cursors, 'next'> {
  const nothing = joinMessages([]);
  let tick = 0;
  return { next: () => ({ tick: ++tick, id: '', frameFor: () => nothing }) };
}

const SEPARATOR = '.';
/** As many as any tick has, so that the length of a name says nothing. */
const TICK_DIGITS = 16;
