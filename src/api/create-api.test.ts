import { expect, it } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk.ts';
import { createApi, type DeskEndpointName } from './create-api.ts';
import type { HttpClient } from './http-client.ts';

type Request = Parameters<HttpClient['get']>[1];

/** The HTTP request for one of the desk's own endpoints. */
async function requestFor(name: DeskEndpointName): Promise<Request> {
  const seen: Request[] = [];
  const api = createApi({
    get: (_, request) => {
      seen.push(request);
      return Promise.reject(new Error('no response here'));
    },
  });
  await expect(api.desk[name]({})).rejects.toThrow('no response here');
  return seen[0] ?? {};
}

const names = Object.keys(DESK_ENDPOINTS) as DeskEndpointName[];

it('has a short deadline only for endpoints that do not wait for the venue', async () => {
  const local = await Promise.all(names.map(async (name) => ((await requestFor(name)).isLocal === true ? [name] : [])));
  expect(local.flat()).toEqual(['estimates', 'status', 'policy']);
});

it('keeps only orders out of the browser’s cache', async () => {
  const uncached = await Promise.all(names.map(async (name) => ((await requestFor(name)).isPrivate === true ? [name] : [])));
  expect(uncached.flat()).toEqual(['working']);
});
