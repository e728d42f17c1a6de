import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORGERY_HEADER, OIDC_PATHS, type DeskAudit, type DeskMe, type DeskPeople } from '#contract/desk/access.ts';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import type { DeskSaved, DeskSharedViews } from '#contract/desk/saved.ts';
import { CLIENT_ID, startScriptedProvider, type ScriptedProvider } from '#testing/oidc/scripted-provider.ts';
import {
  newFolder,
  openProvidedDesk,
  type DeskResponse,
  type ProvidedDesk,
} from '#testing/proxy/open-provided-desk.ts';

let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider();
});

afterAll(() => provider.close());

/** The headers that identify a person: a cookie, or those that the proxy adds. */
type Known = readonly string[];

interface Mode {
  readonly open: (folder?: string) => Promise<ProvidedDesk>;
  readonly signIn: (desk: ProvidedDesk, person: string, group: string) => Promise<Known>;
}

// Providers choose IDs like these.
const [ADMIN, ANN, BEN] = ['bo@desk.example', 'auth0|5f7c ä', 'ben'];

const PROXY: Mode = {
  open: (folder = newFolder()) =>
    openProvidedDesk(
      {
        DESK_ACCESS: 'proxy',
        DESK_SOCKET: join(folder, 'desk.sock'),
        DESK_PROXY_USER_HEADER: 'Remote-User',
        DESK_PROXY_GROUPS_HEADER: 'Remote-Groups',
      },
      folder,
    ),
  signIn: (_, person, group) => Promise.resolve(['remote-user', person.replace('ä', '-'), 'remote-groups', group]),
};

const OIDC: Mode = {
  open: (folder) =>
    openProvidedDesk(
      { DESK_ACCESS: 'oidc', DESK_PORT: '0', DESK_OIDC_ISSUER: provider.issuer, DESK_OIDC_CLIENT_ID: CLIENT_ID },
      folder,
    ),
  signIn: async (desk, person, group) => {
    const begun = await desk.request(OIDC_PATHS.begin);
    const { searchParams } = new URL(begun.headers.location ?? '');
    provider.nonceOf(searchParams.get('nonce') ?? '');
    provider.script = { claims: { sub: person, preferred_username: person, groups: [group] } };
    const query = new URLSearchParams({ code: 'abc', state: searchParams.get('state') ?? '', iss: provider.issuer });
    const finished = await desk.request(`${OIDC_PATHS.callback}?${query.toString()}`, {
      headers: [
        'cookie',
        cookieOf(begun, '__Host-perpdesk-begun-'),
        'sec-fetch-site',
        'cross-site',
        'sec-fetch-mode',
        'navigate',
        'sec-fetch-dest',
        'document',
      ],
    });
    return ['cookie', cookieOf(finished, '__Host-perpdesk=')];
  },
};

function cookieOf({ headers }: DeskResponse, start: string): string {
  return (headers['set-cookie'] ?? []).find((cookie) => cookie.startsWith(start))?.split(';')[0] ?? '';
}

async function read<Body>(desk: ProvidedDesk, known: Known, name: string): Promise<Body> {
  const { status, body } = await desk.request(`/api/desk/${name}`, { headers: known });
  expect([name, status]).toEqual([name, 200]);
  return JSON.parse(body) as Body;
}

async function act(
  desk: ProvidedDesk,
  known: Known,
  action: string,
  path: string,
  method: string,
  body?: object,
): Promise<DeskResponse> {
  const { forgery_token: token } = await read<DeskMe>(desk, known, 'me');
  const headers = [
    ...known,
    'sec-fetch-site',
    'same-origin',
    ACTION_HEADER,
    action,
    FORGERY_HEADER,
    token ?? '',
    ...(body === undefined ? [] : ['content-type', 'application/json']),
  ];
  return desk.request(`/api/desk/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function save(desk: ProvidedDesk, known: Known): Promise<void> {
  const { me } = await read<DeskMe>(desk, known, 'me');
  const saved = await act(desk, known, 'putSaved', 'saved', 'PUT', {
    person: me?.id,
    name: 'preferences',
    text: '{"zone":"utc"}',
    before: 0,
  });
  const shared = await act(desk, known, 'shareView', 'shared-views', 'PUT', {
    id: '',
    list: 'orders',
    name: 'Large',
    query: 'sort=price',
    role: 'orders',
    before: 0,
  });
  expect([saved.status, shared.status]).toEqual([200, 200]);
}

const remove = (desk: ProvidedDesk, known: Known, person: string): Promise<DeskResponse> =>
  act(desk, known, 'deletePerson', `people?id=${encodeURIComponent(person)}`, 'DELETE');
const namesOf = async (desk: ProvidedDesk, known: Known): Promise<readonly string[]> =>
  (await read<DeskSharedViews>(desk, known, 'shared-views')).views.map(({ by }) => by);

it.each([
  ['an OpenID provider', OIDC],
  ['a proxy', PROXY],
] as const)(
  'a person of %s is listed, is deleted with what they saved, and starts anew when they come back',
  async (_, { open, signIn }) => {
    const desk = await open();
    const [bo, ann, ben] = [
      await signIn(desk, ADMIN, 'desk'),
      await signIn(desk, ANN, 'traders'),
      await signIn(desk, BEN, 'traders'),
    ];
    await save(desk, ann);
    await save(desk, ben);
    const id = (await read<DeskMe>(desk, ann, 'me')).me?.id ?? '';
    const find = async () => (await read<DeskPeople>(desk, bo, 'people')).people.find((person) => person.id === id);
    await expect.poll(find).toMatchObject({ roles: ['orders'], scope: { accounts: ['NORD-105'] } });
    expect((await remove(desk, ben, id)).status).toBe(403);
    const before = await find();

    expect(await remove(desk, bo, id)).toMatchObject({ status: 200, body: '{"count":1}' });
    const again = await remove(desk, bo, id);
    // A person of a proxy may have come back in the meantime; this one has not.
    expect([again.status, again.body]).toEqual([400, expect.stringContaining('This person does not exist.')]);
    expect(await find()).toBeUndefined();
    expect(await namesOf(desk, bo)).toEqual([BEN]);
    const { entries } = await read<DeskAudit>(desk, bo, 'audit?kind=person+changed');
    expect(entries.map(({ who, detail }) => [who, detail])).toEqual([
      [
        ADMIN,
        `Deleted "${before?.name ?? ''}", with all sessions, saved views and preferences. They can come back while the provider or proxy vouches for them.`,
      ],
    ]);
    if (ann[0] === 'cookie') expect((await read<DeskMe>(desk, ann, 'me')).me).toBeNull();

    const back = await signIn(desk, ANN, 'traders');
    expect((await read<DeskSaved>(desk, back, 'saved')).items).toEqual([]);
    expect((await read<DeskSaved>(desk, ben, 'saved')).items).toHaveLength(1);
    await expect.poll(async () => (await find())?.created_at ?? '').not.toBe('');
    expect(Date.parse((await find())?.created_at ?? '')).toBeGreaterThan(Date.parse(before?.created_at ?? ''));
  },
);

it(
  'a person who has left, and whose sessions are over, is still listed and can be deleted',
  { timeout: 120_000 },
  async () => {
    const folder = newFolder();
    const desk = await PROXY.open(folder);
    await save(desk, await PROXY.signIn(desk, BEN, 'traders'));
    desk.signal('SIGTERM');
    await desk.ended;
    rmSync(desk.socket, { force: true });
    const store = new DatabaseSync(join(folder, 'data', 'gateway.sqlite'));
    const idOf = () => store.prepare('SELECT id FROM access_provided').all();
    expect(idOf()).toEqual([{ id: 'proxy ben' }]);
    // Restores the state of a version that kept no record of such people.
    store.exec('DELETE FROM access_provided');
    store.close();

    const later = await PROXY.open(folder);
    const bo = await PROXY.signIn(later, ADMIN, 'desk');
    const listed = async () =>
      (await read<DeskPeople>(later, bo, 'people')).people.map(({ id, roles }) => [id, roles.length]);
    await expect.poll(listed).toEqual([
      [BEN, 0],
      [ADMIN, 2],
    ]);
    expect((await remove(later, bo, BEN)).status).toBe(200);
    expect(await listed()).toEqual([[ADMIN, 2]]);
    expect(await namesOf(later, bo)).toEqual([]);
  },
);

it('a person of a proxy whose groups change is listed with their new roles', async () => {
  const desk = await PROXY.open();
  const bo = await PROXY.signIn(desk, ADMIN, 'desk');
  const rolesOf = async () => (await read<DeskPeople>(desk, bo, 'people')).people.find(({ id }) => id === BEN)?.roles;
  await read(desk, await PROXY.signIn(desk, BEN, 'traders'), 'me');
  await expect.poll(rolesOf).toEqual(['orders']);
  await read(desk, await PROXY.signIn(desk, BEN, 'desk'), 'me');
  await expect.poll(rolesOf).toEqual(['operations', 'admin']);
});
