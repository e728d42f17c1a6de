import { createApi } from '#api/create-api.ts';
import { createQueries } from '#api/create-queries.ts';
import { createHttpClient } from '#api/http-client.ts';
import type { Door } from '#api/react.tsx';

/** The door to the desk that this page came from, by this browser's clock and network. */
export function openDoor(): Door {
  const now = (): number => Date.now();
  const api = createApi(createHttpClient({ fetch: (target, init) => fetch(target, init), now }));
  return { api, queries: createQueries({ api, now }), now };
}
