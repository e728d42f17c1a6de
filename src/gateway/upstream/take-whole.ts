import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { VenueFailure } from '../ports.ts';
import { PassingFailure } from './passing-failure.ts';

/** More than any answer of the interface, and little enough to hold. */
export const LARGEST_BODY = 64 * 1_024 * 1_024;
/** Of a refusal: a sentence, or the head of some proxy's page. */
export const LARGEST_REFUSAL = 4_096;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate } as const;

/** Another try may bring it whole. */
export function unreadable(detail: string, cause?: unknown): PassingFailure {
  return new PassingFailure({ type: 'venue-answer-unreadable', detail: `The venue’s answer ${detail}.` }, cause);
}

/** Another try would bring as much again. */
export function tooLarge(limit = LARGEST_BODY): VenueFailure {
  const detail = `The venue’s answer is larger than ${String(Math.floor(limit / 1_048_576))} MB.`;
  return new VenueFailure({ type: 'venue-answer-unreadable', detail });
}

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

/** A header that may be there once: two different ones are two different answers. */
export function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  if (new Set(value).size > 1) throw unreadable(`gives ${name} twice`);
  return value[0];
}

/** A header that can be done without: two of them say no more than none. */
export function hint(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** JSON by its type and by its first and last bytes. Its shape is judged where it is shown. */
export function checkJson(body: Buffer, headers: Headers): string {
  const type = single(headers, 'content-type') ?? '';
  if (!JSON_TYPE.test(type)) throw unreadable(`is not JSON but ${type === '' ? 'of no type' : printable(type)}`);
  if (body.byteLength === 0) throw unreadable('is empty');
  const [first, last] = ends(body);
  const expected = PAIRS[first];
  if (expected === undefined) throw unreadable('is not JSON, though it says so');
  if (expected !== last || !(hasLength(headers) || isWholeText(body))) throw unreadable('is cut: its JSON does not end as it began');
  return 'application/json';
}

/** Without a length, an answer ends where the connection does, whoever ended it. */
function hasLength(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** The beginning of a JSON text is none: one that can be read to its end was not cut. */
function isWholeText(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
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
  return text.replace(/[^\x21-\x7e]+/g, ' ').trim().slice(0, LONGEST_QUOTE);
}
