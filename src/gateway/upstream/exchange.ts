import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createBody, type Body } from '../body.ts';
import { single, type Headers } from './answer-headers.ts';
import { LARGEST_BODY, tooLarge } from './broken-answer.ts';
import { createCollector, type Collector } from './collector.ts';
import { isPacked, LARGEST_REFUSAL, takeStart, takeWhole } from './take-whole.ts';

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Whole where the status is 200; else its beginning. */
  readonly body: Body;
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
  readonly isPacked: boolean;
}

/** Takes an answer from undici's dispatcher as it comes: streams and signals in between would cost as much as all the rest. */
export function createExchange(): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  let controller: Dispatcher.DispatchController | null = null;
  let dropped: Error | null = null;
  let head: Head | null = null;

  const finish = (ended: Head): void => {
    resolve(ended.isPacked ? unpack(ended) : toReceived(ended, ended.collector.finish()));
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (dropped !== null) started.abort(dropped);
    },
    onResponseStart: (_, status, headers) => {
      if (status >= FIRST_FINAL) head = begin(status, headers);
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
/** Before it, the venue only says that it goes on. */
const FIRST_FINAL = 200;

/** Of what is refused the status counts: nothing in its headers is held against it. */
function begin(status: number, headers: Headers): Head {
  if (status === OK && Number(single(headers, 'content-length') ?? 0) > LARGEST_BODY) throw tooLarge();
  return { status, headers, collector: createCollector(), isPacked: status !== OK || isPacked(headers) };
}

function toReceived({ status, headers }: Head, body: Body): Received {
  return { status, headers, body };
}

async function unpack(head: Head): Promise<Received> {
  const taking = head.status === OK ? takeWhole : takeStart;
  const unpacked = await taking(Readable.from(head.collector.finish().pieces), head.headers);
  return toReceived(head, createBody([unpacked]));
}
