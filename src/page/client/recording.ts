import { REQUEST_ID_HEADER, RESPONDED_AT_HEADER, VENUE_TIME_HEADER } from '#contract/desk/desk.ts';
import type { Answer } from '#model/evidence/evidence.ts';
import { createHttpClient, type HttpClient, type HttpClientDeps } from './http-client.ts';

/** The response headers that the client reads. */
const HEADERS: readonly string[] = [
  'content-type',
  RESPONDED_AT_HEADER,
  VENUE_TIME_HEADER,
  REQUEST_ID_HEADER,
  'age',
  'cache-status',
  'etag',
  'retry-after',
];

interface Recorder {
  readonly http: HttpClient;
  /** The answers, in the order in which they were requested. */
  readonly answers: () => readonly Answer[];
  /** Returns the path and query of the read that failed with this error; null for any other error. */
  readonly targetOf: (error: unknown) => string | null;
}

interface RecorderDeps extends HttpClientDeps {
  /** Aborts all reads. */
  readonly signal: AbortSignal;
}

/**
 * Creates a client that keeps each answer exactly as received, and requests nothing twice. Its reads are interactive,
 * because a person waits for them.
 */
export function createRecorder({ fetch, now, timeout, signal }: RecorderDeps): Recorder {
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
        const fetchOnce: HttpClientDeps['fetch'] = async (_, init) => {
          const reading = received.get(target) ?? read(target, init);
          received.set(target, reading);
          const answer = await reading;
          ({ receivedAt } = answer);
          return toResponse(answer);
        };
        const client = createHttpClient({ fetch: fetchOnce, now: () => receivedAt, timeout });
        try {
          // A response from the browser's own cache would carry an outdated age.
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

async function fetchWhole(fetch: HttpClientDeps['fetch'], target: string, init: RequestInit) {
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

function toResponse({ status, headers, bytes }: Answer): Response {
  return new Response(bytes.slice(), { status, headers });
}

/** Recordings contain only reads, so sending is an error. */
function rejectSending(target: string): Promise<never> {
  return Promise.reject(new Error(`Nothing is sent to ${target} while answers are recorded or replayed.`));
}

interface Replay {
  readonly http: HttpClient;
  /** The answers that were never requested. */
  readonly unused: () => readonly Answer[];
}

/** Creates a client that replays recorded answers, each as of the time it was received. */
export function createReplay(answers: readonly Answer[]): Replay {
  const unused = new Map(answers.map((answer) => [answer.target, answer]));
  const byTarget = new Map(unused);
  return {
    http: {
      get: (target, { isLocal }) => {
        const answer = byTarget.get(target);
        if (answer === undefined) return Promise.reject(new Error(`There is no answer to GET ${target}.`));
        unused.delete(target);
        const client = createHttpClient({
          fetch: () => Promise.resolve(toResponse(answer)),
          now: () => answer.receivedAt,
          timeout: () => new AbortController().signal,
        });
        return client.get(target, { isLocal });
      },
      send: rejectSending,
    },
    unused: () => [...unused.values()],
  };
}
