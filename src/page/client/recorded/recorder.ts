import { ANSWERED_AT_HEADER, REQUEST_ID_HEADER, VENUE_TIME_HEADER } from '#contract/desk/desk.ts';
import type { Answer } from '#model/evidence/evidence.ts';
import { createHttpClient, type HttpClient, type HttpClientParts } from '../http-client.ts';

/** Those that the client reads. */
const HEADERS: readonly string[] = [
  'content-type',
  ANSWERED_AT_HEADER,
  VENUE_TIME_HEADER,
  REQUEST_ID_HEADER,
  'age',
  'cache-status',
  'etag',
  'retry-after',
];

interface Recorder {
  readonly http: HttpClient;
  /** In the order in which they were requested. */
  readonly answers: () => readonly Answer[];
  /** The path and query of the read that failed with an error; null for any other error. */
  readonly targetOf: (error: unknown) => string | null;
}

interface RecorderParts extends HttpClientParts {
  /** Ends all reads. */
  readonly signal: AbortSignal;
}

/** A client for a person who waits. It keeps each answer as it was received; what was requested before is not requested again. */
export function createRecorder({ fetch, now, timeout, signal }: RecorderParts): Recorder {
  const received = new Map<string, Promise<Answer>>();
  const kept = new Map<string, Answer | null>();
  const failed = new Map<unknown, string>();
  const read = async (target: string, init: RequestInit): Promise<Answer> => {
    kept.set(target, null);
    const { status, headers, ...response } = await fetchWhole(fetch, target, init);
    const answer: Answer = { target, status, receivedAt: now(), headers: pick(headers), ...response };
    kept.set(target, answer);
    return answer;
  };
  return {
    http: {
      get: async (target, { isLocal }) => {
        let receivedAt = 0;
        const fetchOnce: HttpClientParts['fetch'] = async (_, init) => {
          const reading = received.get(target) ?? read(target, init);
          received.set(target, reading);
          const answer = await reading;
          ({ receivedAt } = answer);
          return toResponse(answer);
        };
        const client = createHttpClient({ fetch: fetchOnce, now: () => receivedAt, timeout });
        try {
          // A copy that the browser stored would have an age of an earlier time.
          return await client.get(target, { signal, purpose: 'interactive', isLocal, isPrivate: true });
        } catch (error) {
          failed.set(error, target);
          throw error;
        }
      },
      send: rejectSending,
    },
    answers: () => [...kept.values()].filter((answer) => answer !== null),
    targetOf: (error) => failed.get(error) ?? null,
  };
}

async function fetchWhole(fetch: HttpClientParts['fetch'], target: string, init: RequestInit) {
  const response = await fetch(target, init);
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

function pick(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

export function toResponse({ status, headers, bytes }: Answer): Response {
  return new Response(bytes.slice(), { status, headers });
}

/** What is recorded is only read. */
export function rejectSending(target: string): Promise<never> {
  return Promise.reject(new Error(`Nothing is sent to ${target} while answers are recorded or replayed.`));
}
