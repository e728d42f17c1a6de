import type { StreamState } from './protocol.ts';
import { createParser } from 'eventsource-parser';

export interface ConnectionParts extends Pick<EventStreamParts, 'fetch' | 'onEvent'> {
  /** The address to open next; null: there is nothing to follow. */
  readonly toTarget: () => string | null;
  readonly onState: (state: StreamState) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  /** Calls back after so many milliseconds; returns a function that cancels it. */
  readonly schedule: (ms: number, call: () => void) => () => void;
}

/** A stream that is opened again whenever it ends, where it left off. */
export interface Connection {
  /** Opens another stream in place of the present one, of which nothing is heard any more. */
  readonly renew: () => void;
  /** The same in so many milliseconds. */
  readonly renewIn: (ms: number) => void;
  readonly state: () => StreamState;
}

const RETRY_MS = { least: 1_000, most: 30_000 };
/** Heartbeats arrive every 10 seconds. */
const SILENCE_MS = 25_000;
/** A stream that lasts no longer than this was broken by whatever broke the one before. */
const STEADY_MS = 60_000;

export function createConnection(parts: ConnectionParts): Connection {
  let state: StreamState = 'closed';
  let current: AbortController | null = null;
  let lastId: string | null = null;
  let failures = 0;
  let cancelNext = (): void => undefined;

  const setState = (next: StreamState): void => {
    if (next === state) return;
    state = next;
    parts.onState(state);
  };

  const renewIn = (ms: number): void => {
    cancelNext();
    cancelNext = parts.schedule(ms, () => void open());
  };

  const open = async (): Promise<void> => {
    current?.abort();
    const target = parts.toTarget();
    const own = (current = target === null ? null : new AbortController());
    if (target === null || own === null) {
      setState('closed');
      return;
    }
    if (state !== 'open') setState('connecting');
    const startedAt = parts.now();
    const end = await readEventStream(target, lastId, own.signal, listen(own));
    // A response that was refused may go on.
    own.abort();
    if (own !== current) return;
    if (parts.now() - startedAt > STEADY_MS) failures = 0;
    afterEnd(end);
  };

  /** What is aborted is heard no more, even if it had arrived. */
  const listen = (own: AbortController): EventStreamParts => {
    const unlessAborted = (call: () => void): void => {
      if (!own.signal.aborted) call();
    };
    return {
      fetch: parts.fetch,
      onBytes: abortInSilence(own, parts),
      onOpen: () => {
        unlessAborted(() => {
          setState('open');
        });
      },
      onEvent: (name, data) => {
        unlessAborted(() => {
          parts.onEvent(name, data);
        });
      },
      onCursor: (id) => {
        unlessAborted(() => {
          lastId = id;
        });
      },
    };
  };

  const afterEnd = (end: StreamEnd): void => {
    current = null;
    setState(end === 'refused' ? 'refused' : 'connecting');
    if (end === 'refused') return;
    renewIn(retryDelay(failures, parts.random()));
    failures += 1;
  };

  return {
    renew: () => {
      cancelNext();
      void open();
    },
    renewIn,
    state: () => state,
  };
}

/** Returns what to call with all that arrives. */
function abortInSilence(
  stream: AbortController,
  { now, schedule }: Pick<ConnectionParts, 'now' | 'schedule'>,
): () => void {
  const abort = (): void => {
    stream.abort();
  };
  let heardAt = now();
  let cancel = schedule(SILENCE_MS, abort);
  stream.signal.addEventListener('abort', () => {
    cancel();
  });
  return () => {
    // After the machine slept, what had arrived before is as old as the sleep was long, which none of it says.
    if (now() - heardAt > SILENCE_MS) abort();
    if (stream.signal.aborted) return;
    cancel();
    cancel = schedule(SILENCE_MS, abort);
    heardAt = now();
  };
}

/** Doubled with each failure, and never the same for all browsers that lost their stream together. */
function retryDelay(failures: number, random: number): number {
  return Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures) * (0.5 + random / 2);
}

/** How a stream ended: `refused` if it was never one. */
type StreamEnd = 'ended' | 'broken' | 'refused';

interface EventStreamParts {
  readonly fetch: (target: string, init: RequestInit) => Promise<Response>;
  readonly onOpen: () => void;
  readonly onEvent: (name: string, data: string) => void;
  /** From here on, the stream can be resumed with this id. */
  readonly onCursor: (id: string) => void;
  /** Anything that arrived, heartbeats included. It may abort the stream. */
  readonly onBytes: () => void;
}

/**
 * Reads one stream to its end. `EventSource` would do the same, but tells nobody why a stream was refused, follows a
 * redirect to a sign-in page for ever, and cannot be given the id to resume with.
 */
async function readEventStream(
  target: string,
  lastId: string | null,
  signal: AbortSignal,
  parts: EventStreamParts,
): Promise<StreamEnd> {
  const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) };
  try {
    const response = await parts.fetch(target, { headers, signal, redirect: 'manual', cache: 'no-store' });
    const type = response.headers.get('content-type') ?? '';
    if (response.status >= LEAST_PASSING || response.status === TOO_SOON) return 'broken';
    if (!response.ok || response.body === null || !type.startsWith('text/event-stream')) return 'refused';
    parts.onOpen();
    await readAll(response.body, signal, parts);
    return 'ended';
  } catch {
    return 'broken';
  }
}

/** The desk has too many streams, or a proxy has no desk at the moment. */
const LEAST_PASSING = 500;
/** This person, or this network, has sent too many requests at once. */
const TOO_SOON = 429;

async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
  { onEvent, onCursor, onBytes }: EventStreamParts,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ event = '', data }) => {
      onEvent(event, data);
    },
    onId: onCursor,
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    onBytes();
    signal.throwIfAborted();
    parser.feed(chunk.value);
  }
}
