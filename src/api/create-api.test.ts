import { expect, it } from 'vitest';
import { DESK_ANSWERS } from '#contract/desk.ts';
import { createApi, type DeskAnswerName } from './create-api.ts';
import type { HttpClient } from './http-client.ts';

type Request = Parameters<HttpClient['get']>[1];

/** How the desk is asked for one of its own answers. */
async function askingFor(name: DeskAnswerName): Promise<Request> {
  const seen: Request[] = [];
  const api = createApi({
    get: (_, request) => {
      seen.push(request);
      return Promise.reject(new Error('nothing is answered here'));
    },
  });
  await expect(api.desk[name]({})).rejects.toThrow('nothing is answered');
  return seen[0] ?? {};
}

const names = Object.keys(DESK_ANSWERS) as DeskAnswerName[];

it('gives up soon on what the desk answers without the venue, and on nothing else', async () => {
  const soon = await Promise.all(names.map(async (name) => ((await askingFor(name)).isOwn === true ? [name] : [])));
  expect(soon.flat()).toEqual(['estimates', 'status', 'policy']);
});

it('keeps orders, and nothing else, out of the browser’s cache', async () => {
  const kept = await Promise.all(names.map(async (name) => ((await askingFor(name)).isPrivate === true ? [name] : [])));
  expect(kept.flat()).toEqual(['working']);
});
