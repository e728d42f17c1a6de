import type { OpaqueNumber } from '#contract/exchange/brand.ts';
import { type EpochNanos, formatInstant } from '#contract/exchange/instant.ts';
import type { Micros } from '../core/model.ts';
import type { ServerResponse } from 'node:http';

/** A request that is rejected. The sentence is the response body, as plain text. */
export class Rejection extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, sentence = '', headers: Readonly<Record<string, string>> = {}) {
    super(sentence);
    this.status = status;
    this.headers = headers;
  }
}

const LONGEST_QUOTE = 60;

/** Quotes text that a client sent, escaped and shortened for a response. */
export function toQuotedText(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}

const ROWS_PER_CHUNK = 250;
const [OPEN_BRACKET, CLOSE_BRACKET] = [Buffer.from('['), Buffer.from(']')];

type Batches<Batch> = Iterable<Batch> | AsyncIterable<Batch>;

/** Writes a list as JSON, in chunks, so that a long list does not block other requests. */
export function toJsonList<Row>(rows: readonly Row[], toText: (row: Row) => string): JsonBody {
  return toJsonListOfBatches([rows], toText);
}

/** Like `toJsonList`, for rows that are read in batches, one of which is in memory at a time. */
export function toJsonListOfBatches<Row>(batches: Batches<readonly Row[]>, toText: (row: Row) => string): JsonBody {
  return toJsonListOfChunks(write(batches, toText));
}

/** Encloses written chunks as a list. Each row in a chunk is preceded by a comma. */
function toJsonListOfChunks(chunks: Batches<Uint8Array>): JsonBody {
  return { chunks: enclose(chunks) };
}

function toChunk(texts: readonly string[]): Uint8Array {
  return Buffer.from(['', ...texts].join(','));
}

async function* write<Row>(batches: Batches<readonly Row[]>, toText: (row: Row) => string) {
  for await (const rows of batches) {
    for (let start = 0; start < rows.length; start += ROWS_PER_CHUNK) {
      yield toChunk(rows.slice(start, start + ROWS_PER_CHUNK).map(toText));
    }
  }
}

async function* enclose(chunks: Batches<Uint8Array>): AsyncIterable<Uint8Array> {
  let last: Uint8Array | null = null;
  for await (const chunk of chunks) {
    if (last !== null) yield last;
    last = last === null ? Buffer.concat([OPEN_BRACKET, chunk.subarray(1)]) : chunk;
  }
  yield Buffer.concat([last ?? OPEN_BRACKET, CLOSE_BRACKET]);
}

/** The number of chunks in the cache: about ten megabytes of orders. */
const LARGEST_CACHE = 80;

interface Chunk {
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
}

/** Creates a writer of JSON lists of texts that rarely change: it does not write an unchanged chunk again. */
export function createCachedListWriter(): (texts: readonly string[]) => JsonBody {
  const cache = new Map<string, Chunk>();

  const write = (texts: readonly string[]): Uint8Array => {
    const key = texts.at(-1) ?? '';
    const known = cache.get(key);
    const chunk = known && isSame(known.texts, texts) ? known : { texts, bytes: toChunk(texts) };
    cache.delete(key);
    cache.set(key, chunk);
    const [leastRecentlyUsed = ''] = cache.keys();
    if (cache.size > LARGEST_CACHE) cache.delete(leastRecentlyUsed);
    return chunk.bytes;
  };

  // Chunks are counted from the end, so that a text added in front changes only the first chunk.
  function* chunksOf(texts: readonly string[]): Iterable<Uint8Array> {
    let end = texts.length % ROWS_PER_CHUNK || ROWS_PER_CHUNK;
    for (let start = 0; start < texts.length; start = end, end += ROWS_PER_CHUNK) yield write(texts.slice(start, end));
  }

  return (texts) => toJsonListOfChunks(chunksOf(texts));
}

/** Whether the texts are the same objects, as unchanged texts are. This makes comparing them fast. */
function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, i) => text === others[i]);
}

/** A row of the contract as plain JSON values, with the same fields but without brands. */
export type Plain<T> = T extends string
  ? string
  : T extends OpaqueNumber<string>
    ? number
    : T extends readonly (infer Item)[]
      ? readonly Plain<Item>[]
      : T extends object
        ? { readonly [Field in keyof T]: Plain<T[Field]> }
        : T;

/** Formats an instant with microseconds, the resolution of the exchange's clock. */
export function toInstantText(micros: Micros): string {
  return formatInstant((BigInt(micros) * 1_000n) as EpochNanos, 6);
}

/** Truncates to whole dollars. */
export function toWholeUsd(cents: number): number {
  return (cents - (cents % 100)) / 100;
}

/** Adds up the known values. Null only if every value is null: one unknown value must not hide the others. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
}

/** A JSON body, either whole or in chunks that are produced while they are sent. */
export type JsonBody =
  | { readonly text: string; readonly isAscii?: true }
  | { readonly chunks: AsyncIterable<Uint8Array> };

export function toJsonBody(row: object): JsonBody {
  return { text: JSON.stringify(row) };
}

export interface SendOptions {
  readonly now: Micros;
  /** Private responses must not be cached. */
  readonly isPrivate: boolean;
  readonly pause: () => Promise<void>;
}

export async function sendJson(
  response: ServerResponse,
  body: JsonBody,
  { now, isPrivate, pause }: SendOptions,
): Promise<void> {
  const headers = {
    ...JSON_HEADERS,
    date: formatDate(now),
    ...(isPrivate && { 'cache-control': 'private, no-store' }),
  };
  if ('text' in body) sendWhole(response, 200, headers, Buffer.from(body.text, body.isAscii ? 'latin1' : 'utf8'));
  else await sendChunks(response, headers, body.chunks[Symbol.asyncIterator](), pause);
}

export function sendRejection(response: ServerResponse, { status, message, headers }: Rejection, now: Micros): void {
  const date = formatDate(now);
  sendWhole(response, status, { date, ...headers, ...(message !== '' && TEXT_HEADERS) }, Buffer.from(message));
}

type Headers = Readonly<Record<string, string>>;

const JSON_HEADERS: Headers = { 'content-type': 'application/json' };
const TEXT_HEADERS: Headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

function sendWhole(response: ServerResponse, status: number, headers: Headers, body: Uint8Array): void {
  sendHead(response, status, { ...headers, 'content-length': String(body.length) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends chunks. It waits for a slow client instead of buffering, and yields to other requests between chunks. */
async function sendChunks(
  response: ServerResponse,
  headers: Headers,
  chunks: AsyncIterator<Uint8Array>,
  pause: () => Promise<void>,
): Promise<void> {
  let [chunk, following] = [await chunks.next(), await chunks.next()];
  if (chunk.done !== true && following.done === true) {
    sendWhole(response, 200, headers, chunk.value);
    return;
  }
  sendHead(response, 200, headers);
  while (chunk.done !== true && response.req.method !== 'HEAD' && !response.destroyed) {
    if (!response.write(chunk.value)) await untilDrained(response);
    await pause();
    [chunk, following] = [following, await chunks.next()];
  }
  response.end();
}

/**
 * Sends status and headers. The date is the exchange's rather than Node's, because signatures are checked by the
 * exchange's clock.
 */
function sendHead(response: ServerResponse, status: number, headers: Headers): void {
  response.sendDate = false;
  response.writeHead(status, headers);
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

export function formatDate(now: Micros): string {
  return new Date(now / 1_000).toUTCString();
}
