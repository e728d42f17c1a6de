import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { VenueFailure } from '../ports.ts';
import { single, type Headers } from './answer-headers.ts';
import { LARGEST_BODY, tooLarge, unreadable } from './broken-answer.ts';

/** Of a refusal: a sentence, or the head of some proxy's page. */
export const LARGEST_REFUSAL = 4_096;

const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate } as const;

/** A body to its end, unpacked, within the limit packed and unpacked: a bomb is dropped where it passes it. */
export async function takeWhole(body: Readable, headers: Headers, limit = LARGEST_BODY): Promise<Buffer> {
  // What is dropped unread says so, to nobody.
  body.on('error', () => undefined);
  try {
    if (Number(single(headers, 'content-length') ?? 0) > limit) throw tooLarge(limit);
    return await collect(unpack(body, headers), limit);
  } catch (error) {
    // The body itself came: what failed is what was made of it.
    if (body.errored === null && !(error instanceof VenueFailure)) throw unreadable('cannot be unpacked', error);
    throw error;
  } finally {
    body.destroy();
  }
}

/** The beginning of a refusal's body. However it ends or breaks off, the status says what it means. */
export async function takeStart(body: Readable, headers: Headers, limit = LARGEST_REFUSAL): Promise<Buffer> {
  body.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of unpack(body, headers) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= limit) break;
    }
  } catch {
    // What came until then is quoted.
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

export function isPacked(headers: Headers): boolean {
  return codingOf(headers) !== 'identity';
}

function codingOf(headers: Headers): string {
  return single(headers, 'content-encoding')?.toLowerCase() ?? 'identity';
}

function unpack(body: Readable, headers: Headers): Readable {
  const coding = codingOf(headers);
  if (coding === 'identity') return body;
  if (!isKnown(coding)) throw unreadable('is packed in a way that was not asked for');
  return pipeline(body, DECODERS[coding](), () => undefined);
}

function isKnown(coding: string): coding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, coding);
}

async function collect(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
