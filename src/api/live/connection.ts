import { readEventStream, type EventStreamParts, type StreamEnd } from './event-stream.ts';
import type { StreamState } from './protocol.ts';

export interface ConnectionParts extends Pick<EventStreamParts, 'fetch' | 'onEvent'> {
  /** The address to open next; null: there is nothing to follow. */
  readonly toTarget: () => string | null;
  readonly onState: (state: StreamState) => void;
  readonly random: () => number;
  /** Calls back after so many milliseconds; returns a function that cancels it. */
  readonly schedule: (ms: number, call: () => void) => () => void;
}

/** A stream that is opened again whenever it ends, where it left off. */
export interface Connection {
  /** Opens another stream in place of the present one, in so many milliseconds. */
  readonly renewIn: (ms: number) => void;
  readonly state: () => StreamState;
}

const RETRY_MS = { least: 1_000, most: 30_000 };
/** Heartbeats arrive every 10 seconds. */
const SILENCE_MS = 25_000;

export function createConnection(parts: ConnectionParts): Connection {
  let state: StreamState = 'closed';
  let current: AbortController | null = null;
  let lastId: string | null = null;
  let failures = 0;
  let cancelNext = (): void => undefined;
  let cancelSilence = (): void => undefined;

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
    cancelSilence();
    const target = parts.toTarget();
    const own = (current = target === null ? null : new AbortController());
    if (target === null || own === null) {
      setState('closed');
      return;
    }
    if (state !== 'open') setState('connecting');
    const end = await readEventStream(target, lastId, own.signal, listen(own));
    if (own === current) afterEnd(end);
  };

  const listen = (own: AbortController): EventStreamParts => {
    const onBytes = (): void => {
      cancelSilence();
      cancelSilence = parts.schedule(SILENCE_MS, () => { own.abort(); });
    };
    const onOpen = (): void => {
      failures = 0;
      onBytes();
      setState('open');
    };
    const onEvent = (name: string, data: string): void => {
      if (own === current) parts.onEvent(name, data);
    };
    return { fetch: parts.fetch, onBytes, onOpen, onEvent, onCursor: (id) => void (lastId = id) };
  };

  const afterEnd = (end: StreamEnd): void => {
    cancelSilence();
    current = null;
    setState(end === 'refused' ? 'refused' : 'connecting');
    if (end === 'refused') return;
    renewIn(retryDelay(failures, parts.random()));
    failures += 1;
  };

  return { renewIn, state: () => state };
}

/** Doubled with each failure, and never the same for all browsers that lost their stream together. */
function retryDelay(failures: number, random: number): number {
  return Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures) * (0.5 + random / 2);
}
