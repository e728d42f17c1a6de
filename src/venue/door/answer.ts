import type { ServerResponse } from 'node:http';
import type { Micros } from '../model.ts';
import type { Refusal } from './refusal.ts';

/** JSON, in one piece or in slices that are made as they are sent. */
export type Answer = { readonly text: string } | { readonly slices: AsyncIterable<string> };

const ROWS_PER_SLICE = 250;

/** A list as JSON, in slices, so that writing a long one never holds up other requests. */
export function toList<Row>(rows: readonly Row[], toText: (row: Row) => string): Answer {
  return toListOfPortions([rows], toText);
}

/** The same of rows that are read in portions, of which only one is in memory at a time. */
export function toListOfPortions<Row>(portions: Portions<Row>, toText: (row: Row) => string): Answer {
  return { slices: slice(portions, toText) };
}

type Portions<Row> = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;

async function* slice<Row>(portions: Portions<Row>, toText: (row: Row) => string): AsyncIterable<string> {
  let last: string | null = null;
  for await (const rows of portions) {
    for (let start = 0; start < rows.length; start += ROWS_PER_SLICE) {
      if (last !== null) yield last;
      const [first = '', ...others] = rows.slice(start, start + ROWS_PER_SLICE).map(toText);
      // Put before the one text, not before all: that would be a tree of pieces, which is copied once more to be sent.
      last = [(last === null ? '[' : ',') + first, ...others].join(',');
    }
  }
  yield last === null ? '[]' : `${last}]`;
}

export function toObject(row: object): Answer {
  return { text: JSON.stringify(row) };
}

export interface Sending {
  readonly now: Micros;
  /** Private: never kept by anything on the way. */
  readonly isPrivate: boolean;
  readonly pause: () => Promise<void>;
}

export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  { now, isPrivate, pause }: Sending,
): Promise<void> {
  setDate(response, now);
  response.setHeader('content-type', 'application/json');
  if (isPrivate) response.setHeader('cache-control', 'private, no-store');
  if ('text' in answer) sendText(response, 200, answer.text);
  else await sendSlices(response, answer.slices[Symbol.asyncIterator](), pause);
}

export function sendRefusal(response: ServerResponse, { status, message, headers }: Refusal, now: Micros): void {
  setDate(response, now);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (message !== '') {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.setHeader('x-content-type-options', 'nosniff');
  }
  sendText(response, status, message);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(text) });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

/** Waits for a slow reader instead of piling up what it has not read, and lets others have their turn. */
async function sendSlices(
  response: ServerResponse,
  slices: AsyncIterator<string>,
  pause: () => Promise<void>,
): Promise<void> {
  let slice = await slices.next();
  let following = await slices.next();
  if (following.done === true) sendText(response, 200, String(slice.value));
  else if (response.req.method === 'HEAD') response.writeHead(200).end();
  else {
    while (slice.done !== true && !response.destroyed) {
      if (!response.write(slice.value, encodingOf(slice.value))) await untilDrained(response);
      await pause();
      slice = following;
      following = await slices.next();
    }
    response.end();
  }
}

/** Nearly always there is nothing to encode, and what is taken as Latin-1 goes out as it lies in memory. */
function encodingOf(text: string): 'latin1' | 'utf8' {
  return Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8';
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

/** The exchange's clock, which signatures are judged by; Node would tell its own. */
function setDate(response: ServerResponse, now: Micros): void {
  response.sendDate = false;
  response.setHeader('date', formatDate(now));
}

export function formatDate(now: Micros): string {
  return new Date(now / 1_000).toUTCString();
}
