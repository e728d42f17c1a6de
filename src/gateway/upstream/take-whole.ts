import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { VenueFailure } from '../ports.ts';

/** More than any answer of the interface, and little enough to hold. */
export const LARGEST_BODY = 64 * 1_024 * 1_024;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate } as const;

function unreadable(detail: string, cause?: unknown): VenueFailure {
  return new VenueFailure({ type: 'venue-answer-unreadable', detail: `The venue’s answer ${detail}.` }, cause);
}

/** A body to its end, unpacked, within the limit packed and unpacked: a bomb is dropped where it passes it. */
export async function takeWhole(body: Readable, headers: Headers, limit = LARGEST_BODY): Promise<Buffer> {
  const coding = single(headers, 'content-encoding')?.toLowerCase() ?? 'identity';
  if (coding === 'identity') return collect(body, limit);
  if (!isKnown(coding)) throw unreadable('is packed in a way that was not asked for');
  const unpacked = DECODERS[coding]();
  body.on('error', (error) => unpacked.destroy(error));
  try {
    return await collect(body.pipe(unpacked), limit);
  } finally {
    body.destroy();
  }
}

function isKnown(coding: string): coding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, coding);
}

async function collect(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > limit) throw unreadable(`is larger than ${String(Math.floor(limit / 1_048_576))} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** A header that may be there once: two different ones are two different answers. */
export function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  if (new Set(value).size > 1) throw unreadable(`gives ${name} twice`);
  return value[0];
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** JSON by its type and by its first and last bytes. Its shape is judged where it is shown. */
export function checkJson(body: Buffer, headers: Headers): string {
  const type = single(headers, 'content-type') ?? '';
  if (!JSON_TYPE.test(type)) throw unreadable(`is not JSON but ${type === '' ? 'of no type' : printable(type)}`);
  if (body.byteLength === 0) throw unreadable('is empty');
  const [first, last] = ends(body);
  if (PAIRS[first] !== last) throw unreadable('is cut: its JSON does not end as it began');
  return 'application/json';
}

function ends(body: Buffer): readonly [string, string] {
  const edge = 64;
  const head = body.subarray(0, edge).toString('latin1').trimStart();
  const tail = body.subarray(-edge).toString('latin1').trimEnd();
  return [head.charAt(0), tail.at(-1) ?? ''];
}

const LONGEST_QUOTE = 200;

/** What the venue wrote, short and in plain characters, fit to be shown. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').trim().slice(0, LONGEST_QUOTE);
}
