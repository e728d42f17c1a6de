import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCESS_ACTIONS, FORGERY_HEADER } from '#contract/desk/access.ts';
import { ACTION_HEADER, type DeskAction } from '#contract/desk/actions.ts';
import { SAVED_ACTIONS, type DeskSharedViews } from '#contract/desk/saved.ts';
import type { HttpPerson } from '#testing/access/http-person.ts';
import { startPeopleDesk, type PeopleDesk } from '#testing/access/people-desk.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { openAccessRegistry } from './access-registry.ts';
import { createPeople } from './people.ts';

let room: PeopleDesk;
let admin: HttpPerson;

beforeAll(async () => {
  room = await startPeopleDesk();
  admin = await room.join('ada', '--role', 'admin', '--role', 'orders', '--all-orders');
}, 120_000);

afterAll(async () => {
  await room.stop();
});

const EVERYTHING = { all: true, accounts: [], firms: [], connections: [] };

/** Sends an action except for its last character; `finish` sends that. */
async function begin(person: HttpPerson, name: string, { path, method }: DeskAction, body: object) {
  const { origin } = new URL(room.desk.address);
  const { forgery_token: token } = await person.me();
  const cookie = [...person.cookies()].map(([key, value]) => `${key}=${value}`).join('; ');
  const text = JSON.stringify(body);
  // The server responds with "continue" once it has accepted the request.
  const request = send(`${origin}${path}`, {
    method,
    headers: {
      origin,
      cookie,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'expect': '100-continue',
      [ACTION_HEADER]: name,
      [FORGERY_HEADER]: token ?? '',
    },
  });
  request.flushHeaders();
  await once(request, 'continue');
  request.write(text.slice(0, -1));
  return async (): Promise<{ readonly status: number; readonly body: unknown }> => {
    request.end(text.slice(-1));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await json(response) };
  };
}

it('an administrator who is demoted while a request is under way does not become one again by it', async () => {
  const bob = await room.join('bob', '--role', 'admin', '--all-orders');
  const { id = '' } = (await bob.me()).me ?? {};
  const person = { id, name: 'bob', roles: ['admin'], scope: EVERYTHING, disabled: false };
  const finish = await begin(bob, 'putPerson', ACCESS_ACTIONS.putPerson, person);
  expect(await admin.act('putPerson', { ...person, roles: ['markets'] })).toMatchObject({ status: 200 });
  expect(await finish()).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('nothing was changed') as string },
  });
  expect((await bob.me()).me?.roles).toEqual(['markets']);
});

it('who is deleted while they share a view leaves nothing', async () => {
  const cyd = await room.join('cyd', '--role', 'orders', '--all-orders');
  const finish = await begin(cyd, 'shareView', SAVED_ACTIONS.shareView, {
    id: '',
    list: 'orders',
    name: 'Left over',
    query: '',
    role: 'orders',
    before: 0,
  });
  expect(await admin.act('deletePerson', null, { id: (await cyd.me()).me?.id ?? '' })).toMatchObject({ status: 200 });
  expect(await finish()).toMatchObject({ status: 403 });
  expect(((await admin.get('/api/desk/shared-views')).body as unknown as DeskSharedViews).views).toEqual([]);
});

it('an administrator whose change waits behind the one that demotes them cannot undo it', async () => {
  const people = createPeople(await openAccessRegistry(await openTestStore()), Date.now);
  const given = { id: '', roles: ['admin'], scope: EVERYTHING, disabled: false };
  const [{ person: eve }, { person: fay }] = [
    await people.put({ ...given, name: 'eve' }),
    await people.put({ ...given, name: 'fay' }),
  ];
  const by = (person: string) => ({ person, check: () => undefined });
  const changes = [
    people.put({ ...eve, roles: ['markets'] }, { by: by(fay.id) }),
    people.put({ ...eve, roles: ['admin'] }, { by: by(eve.id) }),
    people.remove(fay.id, by(eve.id)),
    people.invite(eve.id, 1_000, { by: by(eve.id) }),
  ];
  const results = await Promise.allSettled(changes);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(people.all().map(({ name, roles }) => [name, roles])).toEqual([
    ['eve', ['markets']],
    ['fay', ['admin']],
  ]);
});
