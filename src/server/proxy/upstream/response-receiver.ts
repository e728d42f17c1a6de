import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createBody, type Body } from '#server/core/body.ts';
import {
  single,
  type Headers,
  MAX_BODY_BYTES,
  tooLarge,
  isCompressed,
  MAX_ERROR_BODY_BYTES,
  readBodyStart,
  readBody,
  type RoomFor,
  createChunkCollector,
  type ChunkCollector,
} from './response.ts';

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Complete for status 200; otherwise its beginning. */
  readonly body: Body;
}

/** Receives the response of one request. */
export interface ResponseReceiver {
  readonly handler: Dispatcher.DispatchHandler;
  /** Rejects with undici's error, or with the reason given to `drop`. */
  readonly received: Promise<UpstreamResponse>;
  /** Ends the request at once, even while it waits for a connection. */
  readonly drop: (reason: Error) => void;
  /** Whether the response has begun. */
  readonly hasBegun: () => boolean;
}

interface Head {
  readonly status: number;
  readonly headers: Headers;
  readonly collector: ChunkCollector;
  readonly isPacked: boolean;
}

/** A handler for undici's dispatcher: its streaming API would cost as much again as the whole read. A response waits, unread, while there is no room for it. */
export function createResponseReceiver(roomFor: RoomFor): ResponseReceiver {
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
  let controller: Dispatcher.DispatchController | null = null;
  let dropped: Error | null = null;
  let head: Head | null = null;

  const finish = (ended: Head): void => {
    resolve(ended.isPacked ? decompress(ended, roomFor) : toReceived(ended, ended.collector.finish()));
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
      if (head.status === OK) waitForRoom(going, roomFor(head.collector.length()));
      if (head.status === OK || head.collector.length() < MAX_ERROR_BODY_BYTES) return;
      finish(head);
      going.abort(new Error('The rest is not needed.'));
    },
    onResponseEnd: () => {
      if (head !== null) finish(head);
    },
    onResponseError: (_, error) => {
      // The status of an error is enough, even if its body breaks off.
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
/** Lower statuses are informational. */
const FIRST_FINAL = 200;

/** For an error only the status counts: its headers are not checked. */
function begin(status: number, headers: Headers): Head {
  if (status === OK && Number(single(headers, 'content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return { status, headers, collector: createChunkCollector(), isPacked: status !== OK || isCompressed(headers) };
}

function waitForRoom(controller: Dispatcher.DispatchController, room: ReturnType<RoomFor>): void {
  if (room === undefined) return;
  controller.pause();
  room.then(
    () => {
      controller.resume();
    },
    // Nobody waits for it any more: whoever ended the wait drops the response.
    () => undefined,
  );
}

function toReceived({ status, headers }: Head, body: Body): UpstreamResponse {
  return { status, headers, body };
}

async function decompress({ status, headers, collector }: Head, roomFor: RoomFor): Promise<UpstreamResponse> {
  const received = Readable.from(collector.finish().pieces);
  const bytes = await (status === OK ? readBody(received, headers, { roomFor }) : readBodyStart(received, headers));
  return { status, headers, body: createBody([bytes]) };
}
