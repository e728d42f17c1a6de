import { createApi } from '#api/create-api.ts';
import { createQueries } from '#api/create-queries.ts';
import { createHttpClient } from '#api/http-client.ts';
import type { Door } from '#api/react.tsx';
import { nextTask } from '#ui/next-task.ts';

/** The door to the desk that this page came from, by this browser's clock and network. */
export function openDoor(): Door {
  const now = (): number => Date.now();
  const api = createApi(createHttpClient({ fetch: fetchInTurn, now, limit: (ms) => AbortSignal.timeout(ms) }));
  return { api, queries: createQueries({ api, now }), now };
}

/** Each in a task of its own: all that a screen asks for when it opens would else be asked for in one long task. */
async function fetchInTurn(target: string, init: RequestInit): Promise<Response> {
  await nextTask();
  return fetch(target, init);
}
