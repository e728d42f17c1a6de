import type { ServerResponse } from 'node:http';
import type { Micros } from '../model.ts';
import type { Refusal } from './refusal.ts';

/** JSON, in one piece or in slices that are made as they are sent. */
export type JsonBody =
  | { readonly text: string; readonly isAscii?: true }
  | { readonly slices: AsyncIterable<Uint8Array> };

export function toJsonBody(row: object): JsonBody {
  return { text: JSON.stringify(row) };
}

export interface SendOptions {
  readonly now: Micros;
  /** Private: never kept by anything on the way. */
  readonly isPrivate: boolean;
  readonly pause: () => Promise<void>;
}

export async function sendJson(
  response: ServerResponse,
  answer: JsonBody,
  { now, isPrivate, pause }: SendOptions,
): Promise<void> {
  const headers = {
    ...JSON_HEADERS,
    date: formatDate(now),
    ...(isPrivate && { 'cache-control': 'private, no-store' }),
  };
  if ('text' in answer) sendWhole(response, 200, headers, Buffer.from(answer.text, answer.isAscii ? 'latin1' : 'utf8'));
  else await sendSlices(response, headers, answer.slices[Symbol.asyncIterator](), pause);
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

/** Waits for a slow reader instead of piling up what it has not read, and lets others have their turn. */
async function sendSlices(
  response: ServerResponse,
  headers: Headers,
  slices: AsyncIterator<Uint8Array>,
  pause: () => Promise<void>,
): Promise<void> {
  let [slice, following] = [await slices.next(), await slices.next()];
  if (slice.done !== true && following.done === true) {
    sendWhole(response, 200, headers, slice.value);
    return;
  }
  sendHead(response, 200, headers);
  while (slice.done !== true && response.req.method !== 'HEAD' && !response.destroyed) {
    if (!response.write(slice.value)) await untilDrained(response);
    await pause();
    [slice, following] = [following, await slices.next()];
  }
  response.end();
}

/** With a date of the exchange's clock, which signatures are judged by; Node would tell its own. */
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
