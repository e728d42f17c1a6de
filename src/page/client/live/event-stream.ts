import { createParser } from 'eventsource-parser';

/** How a stream ended: `refused` if it was never one. */
export type StreamEnd = 'ended' | 'broken' | 'refused';

export interface EventStreamParts {
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
export async function readEventStream(
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
