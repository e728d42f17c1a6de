import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { single, type Headers } from './answer-headers.ts';
import { LARGEST_BODY, tooLarge } from './broken-answer.ts';
import { createCollector, type Collector } from './collector.ts';
import { isPacked, LARGEST_REFUSAL, takeStart, takeWhole } from './take-whole.ts';

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Whole where the status is 200; else its beginning. */
  readonly body: Buffer;
}

/** One request and its answer. */
export interface Exchange {
  readonly handler: Dispatcher.DispatchHandler;
  /** Rejects with what undici says, or with the reason for which it was dropped. */
  readonly received: Promise<Received>;
  /** Ends it at once, even while it waits for a connection. */
  readonly drop: (reason: Error) => void;
  /** Whether the venue has begun to answer. */
  readonly hasBegun: () => boolean;
}

interface Head {
  readonly status: number;
  readonly headers: Headers;
  readonly collector: Collector;
}

/** Takes an answer from undici's dispatcher as it comes: streams and signals in between would cost as much as all the rest. */
export function createExchange(): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  let controller: Dispatcher.DispatchController | null = null;
  let dropped: Error | null = null;
  let head: Head | null = null;

  const finish = ({ status, headers, collector }: Head): void => {
    resolve({ status, headers, body: collector.finish() });
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (dropped !== null) started.abort(dropped);
    },
    onResponseStart: (_, status, headers) => {
      if (status >= FIRST_FINAL) head = { status, headers, collector: createCollector(status === OK ? lengthOf(headers) : null) };
    },
    onResponseData: (going, chunk) => {
      if (head === null) return;
      head.collector.add(chunk);
      if (head.status === OK || head.collector.length() < LARGEST_REFUSAL) return;
      finish(head);
      going.abort(new Error('The rest is of no use.'));
    },
    onResponseEnd: () => {
      if (head !== null) finish(head);
    },
    onResponseError: (_, error) => {
      // However a refusal breaks off, its status says what it means.
      if (head !== null && head.status !== OK) finish(head);
      else reject(error);
    },
  };
  return {
    handler,
    received: promise.then(unpack),
    drop: (reason) => {
      dropped = reason;
      if (controller === null) reject(reason);
      else controller.abort(reason);
    },
    hasBegun: () => head !== null,
  };
}

const OK = 200;
/** Before it, the venue only says that it goes on. */
const FIRST_FINAL = 200;

function lengthOf(headers: Headers): number | null {
  const length = single(headers, 'content-length');
  if (Number(length ?? 0) > LARGEST_BODY) throw tooLarge();
  return length === undefined ? null : Number(length);
}

function unpack(received: Received): Received | Promise<Received> {
  const { status, headers, body } = received;
  if (status === OK && !isPacked(headers)) return received;
  const taking = (status === OK ? takeWhole : takeStart)(Readable.from([body]), headers);
  return taking.then((unpacked) => ({ status, headers, body: unpacked }));
}
