import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { single, type Headers } from './response-headers.ts';
import { MAX_BODY_BYTES, tooLarge, unreadable } from './response-failures.ts';

/** Enough for a sentence, or the head of a proxy's error page. */
export const MAX_ERROR_BODY_BYTES = 4_096;

const DECODERS = {
  'gzip': createGunzip,
  'x-gzip': createGunzip,
  'br': createBrotliDecompress,
  'deflate': createInflate,
} as const;

/** Called with the bytes held so far. Undefined: there is room for them; otherwise resolves once there is. */
export type RoomFor = (bytes: number) => Promise<void> | undefined;

interface ReadBodyOptions {
  readonly limit?: number;
  readonly roomFor?: RoomFor;
}

const unlimited: RoomFor = () => undefined;

/** Reads and decompresses a body. The limit applies to both forms, so that a decompression bomb is dropped as soon as it exceeds it. */
export async function readBody(
  body: Readable,
  headers: Headers,
  { limit = MAX_BODY_BYTES, roomFor = unlimited }: ReadBodyOptions = {},
): Promise<Buffer> {
  // Destroying an unread body emits an error.
  body.on('error', () => undefined);
  try {
    if (Number(single(headers, 'content-length') ?? 0) > limit) throw tooLarge(limit);
    const plain = decompress(body, headers);
    return await collect(plain, limit, roomFor).catch((error: unknown) => {
      // The body itself arrived, so its decompression failed.
      if (body.errored === null && plain.errored === error) throw unreadable('cannot be decompressed', error);
      throw error;
    });
  } finally {
    body.destroy();
  }
}

/** Reads the beginning of an error's body, however it ends: its status is what counts. */
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
    // What arrived until then is quoted.
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

export function isCompressed(headers: Headers): boolean {
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

async function collect(stream: Readable, limit: number, roomFor: RoomFor): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
    await roomFor(length);
  }
  return Buffer.concat(chunks, length);
}
