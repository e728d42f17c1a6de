import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Body, createBody } from '#server/core/body.ts';
import { toPrintable } from '#server/core/printable.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns a header that may occur once. Two different values would describe two different responses.
 *
 * @internal Exported for its test.
 */
export function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  if (new Set(value).size > 1) throw unreadable(`has two different ${name} headers`);
  return value[0];
}

/** Returns how long an intermediate cache has held the response; 0 without a valid `Age` (RFC 9111, 5.1). */
export function ageMsOf(headers: Headers): number {
  const age = optional(headers, 'age') ?? '';
  return /^\d{1,9}$/.test(age) ? Number(age) * 1_000 : 0;
}

/** Returns an optional header: two of them count as none. */
export function optional(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a date in HTTP’s format (RFC 9110, 5.6.7) to milliseconds since 1970. `Date.parse` alone accepts too much: a
 * negative number is a year.
 */
export function parseHttpDate(text = ''): number | null {
  if (!IMF_FIXDATE.test(text)) return null;
  const at = Date.parse(text);
  // Rejects a wrong weekday or a 31st of February instead of correcting it.
  return new Date(at).toUTCString() === text ? at : null;
}

/** The exchange failed, as opposed to rejecting the request: a retry may succeed. */
export class TransientFailure extends VenueFailure {}

/** Over three times the largest response of the interface, 10,000 working orders. */
export const MAX_BODY_BYTES = 16 * 1_024 * 1_024;

export function unreadable(detail: string, cause?: unknown): TransientFailure {
  return new TransientFailure({ type: 'venue-answer-unreadable', detail: `The exchange’s response ${detail}.` }, cause);
}

/** Returns a failure that is not transient: a retry would be as large. */
export function tooLarge(limit = MAX_BODY_BYTES): VenueFailure {
  const detail = `The exchange’s response is larger than ${String(Math.floor(limit / 1_048_576))} MB.`;
  return new VenueFailure({ type: 'venue-answer-unreadable', detail });
}

/** Enough for a sentence, or the beginning of a proxy’s error page. */
const MAX_ERROR_BODY_BYTES = 4_096;

const DECODERS = {
  'gzip': createGunzip,
  'x-gzip': createGunzip,
  'br': createBrotliDecompress,
  'deflate': createInflate,
} as const;

/**
 * Called with the bytes held so far. Returns undefined if there is space for them; otherwise a promise that resolves
 * once there is.
 */
export type SpaceFor = (bytes: number) => Promise<void> | undefined;

interface ReadBodyOptions {
  readonly limit?: number;
  readonly spaceFor?: SpaceFor;
}

const unlimited: SpaceFor = () => undefined;

/**
 * Reads and decompresses a body. The limit applies to both forms, so that a decompression bomb is dropped as soon as it
 * exceeds it.
 *
 * @internal Exported for its test.
 */
export async function readBody(
  body: Readable,
  headers: Headers,
  { limit = MAX_BODY_BYTES, spaceFor = unlimited }: ReadBodyOptions = {},
): Promise<Buffer> {
  // Destroying an unread body emits an error.
  body.on('error', () => undefined);
  try {
    if (Number(single(headers, 'content-length') ?? 0) > limit) throw tooLarge(limit);
    const plain = decompress(body, headers);
    return await collect(plain, limit, spaceFor).catch((error: unknown) => {
      // The body itself arrived, so its decompression failed.
      if (body.errored === null && plain.errored === error) throw unreadable('cannot be decompressed', error);
      throw error;
    });
  } finally {
    body.destroy();
  }
}

/**
 * Reads the beginning of an error’s body, however it ends: its status is what counts.
 *
 * @internal Exported for its test.
 */
export async function readBodyStart(body: Readable, headers: Headers, limit = MAX_ERROR_BODY_BYTES): Promise<Buffer> {
  body.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of decompress(body, headers) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= limit) break;
    }
  } catch {
    // The bytes that arrived before are still quoted.
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

function isCompressed(headers: Headers): boolean {
  return codingOf(headers) !== 'identity';
}

function codingOf(headers: Headers): string {
  return single(headers, 'content-encoding')?.toLowerCase() ?? 'identity';
}

function decompress(body: Readable, headers: Headers): Readable {
  const coding = codingOf(headers);
  if (coding === 'identity') return body;
  if (!isKnown(coding)) throw unreadable('has an unsupported content encoding');
  return pipeline(body, DECODERS[coding](), () => undefined);
}

function isKnown(coding: string): coding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, coding);
}

async function collect(stream: Readable, limit: number, spaceFor: SpaceFor): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
    await spaceFor(length);
  }
  return Buffer.concat(chunks, length);
}

/** Collects the pieces of a body as they arrive. */
interface ChunkCollector {
  readonly add: (chunk: Buffer) => void;
  readonly length: () => number;
  readonly finish: () => Body;
}

/**
 * Two consecutive smaller pieces are joined: a body that arrives byte by byte would otherwise take hundreds of times
 * its size.
 */
const SMALL = 4_096;

/** @internal Exported for its test. */
export function createChunkCollector(): ChunkCollector {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    add: (chunk) => {
      length += chunk.byteLength;
      const last = pieces.at(-1);
      if (last !== undefined && last.byteLength < SMALL && chunk.byteLength < SMALL)
        pieces[pieces.length - 1] = Buffer.concat([last, chunk]);
      else pieces.push(chunk);
    },
    length: () => length,
    finish: () => createBody(pieces),
  };
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** Checks the content type and the first and last bytes. The schema is checked where the data are shown. */
export function checkJson(body: Body, headers: Headers): string {
  const type = single(headers, 'content-type') ?? '';
  if (!JSON_TYPE.test(type))
    throw unreadable(`is not JSON: its content type is ${type === '' ? 'missing' : toPrintable(type)}`);
  if (body.byteLength === 0) throw unreadable('is empty');
  const [first, last] = ends(body);
  const expected = PAIRS[first];
  if (expected === undefined) throw unreadable('claims to be JSON but is not');
  if (expected !== last || !(hasLength(headers) || isWholeText(body)))
    throw unreadable('is truncated: its JSON is incomplete');
  return 'application/json';
}

/** Whether the length is known. Without it, a response ends with the connection, even if something else closed it. */
function hasLength(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Compares the ends of the text, since a truncated JSON text never parses. */
function isWholeText(body: Body): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

const EDGE = 64;

function ends({ pieces }: Body): readonly [string, string] {
  return [headOf(pieces).trimStart().charAt(0), tailOf(pieces).trimEnd().at(-1) ?? ''];
}

function headOf(pieces: readonly Buffer[]): string {
  let head = '';
  for (const piece of pieces) {
    head += piece.toString('latin1', 0, EDGE);
    if (head.length >= EDGE) break;
  }
  return head;
}

function tailOf(pieces: readonly Buffer[]): string {
  let tail = '';
  for (const piece of pieces.toReversed()) {
    tail = piece.subarray(-EDGE).toString('latin1') + tail;
    if (tail.length >= EDGE) break;
  }
  return tail;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Complete for status 200; otherwise its beginning. */
  readonly body: Body;
}

/** Receives the response of one request. */
interface ResponseReceiver {
  readonly handler: Dispatcher.DispatchHandler;
  /** Rejects with undici’s error, or with the reason given to `drop`. */
  readonly received: Promise<UpstreamResponse>;
  /** Ends the request at once, even while it waits for a connection. */
  readonly drop: (reason: Error) => void;
  /** Whether the response has begun. */
  readonly hasBegun: () => boolean;
}

interface Head {
  readonly status: number;
  readonly headers: Headers;
  readonly collector: ChunkCollector;
  readonly isPacked: boolean;
}

/**
 * Creates a handler for undici’s dispatcher, because its streaming API would double the cost of a read. A response
 * stays unread while there is no space for it. Undici writes the request as soon as `onStart` has returned, and not at
 * all if it throws.
 */
export function createResponseReceiver(spaceFor: SpaceFor, onStart: () => void): ResponseReceiver {
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
  let controller: Dispatcher.DispatchController | null = null;
  let dropped: Error | null = null;
  let head: Head | null = null;

  const finish = (ended: Head): void => {
    resolve(ended.isPacked ? toDecompressed(ended, spaceFor) : toReceived(ended, ended.collector.finish()));
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (dropped === null) onStart();
      else started.abort(dropped);
    },
    onResponseStart: (_, status, headers) => {
      if (status >= FIRST_FINAL) head = begin(status, headers);
    },
    onResponseData: (going, chunk) => {
      if (head === null) return;
      head.collector.add(chunk);
      if (head.status === OK) waitForSpace(going, spaceFor(head.collector.length()));
      if (head.status === OK || head.collector.length() < MAX_ERROR_BODY_BYTES) return;
      finish(head);
      going.abort(new Error('The rest is not needed.'));
    },
    onResponseEnd: () => {
      if (head !== null) finish(head);
    },
    onResponseError: (_, error) => {
      // The status of an error is enough, even if its body breaks off.
      if (head !== null && head.status !== OK) finish(head);
      else reject(error);
    },
  };
  return {
    handler,
    received: promise,
    drop: (reason) => {
      dropped = reason;
      if (controller === null) reject(reason);
      else controller.abort(reason);
    },
    hasBegun: () => head !== null,
  };
}

const OK = 200;
/** Lower statuses are informational. */
const FIRST_FINAL = 200;

/** Checks the headers of a success only: of an error, only the status counts. */
function begin(status: number, headers: Headers): Head {
  if (status === OK && Number(single(headers, 'content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return { status, headers, collector: createChunkCollector(), isPacked: status !== OK || isCompressed(headers) };
}

function waitForSpace(controller: Dispatcher.DispatchController, room: ReturnType<SpaceFor>): void {
  if (room === undefined) return;
  controller.pause();
  room.then(
    () => {
      controller.resume();
    },
    // The wait ends when the response is dropped.
    () => undefined,
  );
}

function toReceived({ status, headers }: Head, body: Body): UpstreamResponse {
  return { status, headers, body };
}

async function toDecompressed({ status, headers, collector }: Head, spaceFor: SpaceFor): Promise<UpstreamResponse> {
  const received = Readable.from(collector.finish().pieces);
  const bytes = await (status === OK ? readBody(received, headers, { spaceFor }) : readBodyStart(received, headers));
  return { status, headers, body: createBody([bytes]) };
}
