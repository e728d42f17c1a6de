import type { Answer } from '#model/evidence/evidence.ts';
import { createHttpClient, type HttpClient } from '../http-client.ts';
import { rejectSending, toResponse } from './recorder.ts';

interface Replay {
  readonly http: HttpClient;
  /** Those that nobody requested. */
  readonly unused: () => readonly Answer[];
}

/** A client that gives recorded answers, each as at the time when it was received. */
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
