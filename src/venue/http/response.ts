import type { ServerResponse } from 'node:http';
import type { Micros } from '../core/model.ts';
import type { Refusal } from './refusal.ts';

/** JSON, whole or in chunks that are made while they are sent. */
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

export function sendRefusal(response: ServerResponse, { status, message, headers }: Refusal, now: Micros): void {
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

/** Waits for a slow reader instead of buffering, and yields to other requests between chunks. */
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

/** The date is the exchange's, whose clock signatures are checked by, not Node's. */
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
