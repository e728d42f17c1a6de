import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  SAVED_LIMITS,
  SHARED_LIMITS,
  type DeskSaved,
  type DeskSharedViews,
  type SharedView,
} from '#contract/desk/saved.ts';
import { createHttpPerson, PASSWORD, type HttpPerson } from '#testing/access/http-person.ts';
import { startPeopleDesk, type PeopleDesk } from '#testing/access/people-desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

let room: PeopleDesk;
let admin: HttpPerson;

beforeAll(async () => {
  room = await startPeopleDesk();
  admin = await room.join('ada', '--role', 'admin', '--role', 'operations', '--all-orders');
}, 120_000);

afterAll(async () => {
  await room.stop();
});

const savedOf = async (person: HttpPerson): Promise<DeskSaved> =>
  (await person.get('/api/desk/saved')).body as unknown as DeskSaved;
const sharedFor = async (person: HttpPerson): Promise<readonly SharedView[]> =>
  ((await person.get('/api/desk/shared-views')).body as unknown as DeskSharedViews).views;
const namesFor = async (person: HttpPerson): Promise<readonly string[]> =>
  (await sharedFor(person)).map(({ name }) => name);
const idOf = async (person: HttpPerson): Promise<string> => (await person.me()).me?.id ?? '';

async function save(person: HttpPerson, fields: Readonly<Record<string, unknown>>) {
  return person.act('putSaved', { person: await idOf(person), name: 'orders.views', text: '{}', before: 0, ...fields });
}

const share = (person: HttpPerson, fields: Readonly<Record<string, unknown>>) =>
  person.act('shareView', { id: '', list: 'orders', name: 'All', query: '', role: 'orders', before: 0, ...fields });

describe('what a person saves', () => {
  it('is there in each browser of that person, and for nobody else', async () => {
    const ann = await room.join('ann', '--role', 'markets');
    expect(await savedOf(ann)).toEqual({ person: await idOf(ann), items: [] });
    expect(await save(ann, { name: 'watchlists', text: '{"version":1,"lists":[]}' })).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
    const elsewhere = createHttpPerson(room.desk.address);
    await elsewhere.act('signIn', { name: 'ann', password: PASSWORD });
    expect((await savedOf(elsewhere)).items).toMatchObject([
      { name: 'watchlists', text: '{"version":1,"lists":[]}', version: 1 },
    ]);
    expect((await savedOf(admin)).items).toEqual([]);
    expect((await createHttpPerson(room.desk.address).get('/api/desk/saved')).status).toBe(401);
  });

  it('replaces only the version that it was made from', async () => {
    const bob = await room.join('bob', '--role', 'markets');
    expect((await save(bob, { text: '{"a":1}' })).status).toBe(200);
    expect(await save(bob, { text: '{"a":2}' })).toMatchObject({
      status: 409,
      body: { type: expect.stringContaining('changed-meanwhile') as string },
    });
    const answers = await Promise.all([1, 2, 3, 4].map((b) => save(bob, { text: `{"b":${String(b)}}`, before: 1 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const [item] = (await savedOf(bob)).items;
    expect(item).toMatchObject({ version: 2, text: answers.find(({ status }) => status === 200)?.body['text'] });
    expect((await save(bob, { text: '', before: 2 })).body).toMatchObject({ version: 3, text: '' });
  });

  it('is limited in names, form and size, with a sentence for each', async () => {
    const cyd = await room.join('cyd', '--role', 'markets');
    const refused = async (fields: Readonly<Record<string, unknown>>) =>
      (await save(cyd, fields)).body['errors'] as readonly { readonly path: string; readonly detail: string }[];
    expect(await refused({ name: 'person' })).toMatchObject([{ path: '$.name' }]);
    for (const text of ['x', '[]', '"{}"', 'null'])
      expect(await refused({ text })).toMatchObject([{ path: '$.text', detail: 'must be a JSON object, or empty' }]);
    const filled = (length: number): string =>
      JSON.stringify({ filler: 'x'.repeat(length - JSON.stringify({ filler: '' }).length) });
    expect(await refused({ text: filled(SAVED_LIMITS.text + 1) })).toMatchObject([
      { path: '$.text', detail: 'must have at most 65,536 characters' },
    ]);
    for (let index = 0; index < SAVED_LIMITS.total / SAVED_LIMITS.text; index += 1)
      expect((await save(cyd, { name: `grid-${String(index)}.layout`, text: filled(SAVED_LIMITS.text) })).status).toBe(
        200,
      );
    expect(await refused({ name: 'one-more.layout', text: '{"a":1}' })).toMatchObject([
      { path: '$.text', detail: expect.stringContaining('524,288') as string },
    ]);
    expect((await save(cyd, { name: 'grid-0.layout', text: '', before: 1 })).status).toBe(200);
    expect((await save(cyd, { name: '5614.drawings', text: '{"version":1,"drawings":[]}' })).status).toBe(200);
    expect((await save(cyd, { name: 'one-more.layout', text: '{"a":1}' })).status).toBe(200);
  });

  it('is not saved for whoever has signed in meanwhile, and no token reads it', async () => {
    const dan = await room.join('dan', '--role', 'markets');
    expect(await save(dan, { person: await idOf(admin) })).toMatchObject({
      status: 403,
      body: {
        detail: 'Another person has signed in since this page was loaded, so nothing was saved. Reload the page.',
      },
    });
    const { body } = await dan.act('createToken', {
      name: 'a program',
      roles: ['markets'],
      scope: { all: false, accounts: [], firms: [], connections: [] },
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const response = await fetch(new URL('/api/desk/saved', room.desk.address), {
      headers: { authorization: `Bearer ${String(body['token'])}` },
    });
    expect(response.status).toBe(403);
  });
});

describe('a shared view', () => {
  it('is seen by those who have its role and may see the owners that it names', async () => {
    const sharer = await room.join('eve', '--role', 'operations', '--all-orders');
    const { orders } = (await sharer.get('/api/desk/working')).body as unknown as {
      readonly orders: readonly { readonly account_id: string; readonly clearing_firm_code: string }[];
    };
    const { account_id: own = '', clearing_firm_code: firm = '' } = orders[0] ?? {};
    const other = orders.find((order) => order.clearing_firm_code !== firm)?.account_id ?? '';
    const trader = await room.join('fay', '--role', 'orders', '--account', own);
    const market = await room.join('gil', '--role', 'markets');
    expect(await share(sharer, { name: `Of ${firm}`, query: `f=account%3Ais%3A${own}` })).toMatchObject({
      status: 200,
      body: { by: 'eve', is_own: true, may_change: true, version: 1 },
    });
    await share(sharer, { name: 'Of both', query: `f=account%3Ais%3A${own}%7E${other}` });
    await share(sharer, { name: 'Of the other', query: `f=account%3Ahas%3A${other.toLowerCase()}` });
    await share(sharer, { name: `${other} today` });
    await share(sharer, { name: 'Searched', query: `q=${other.toLowerCase()}` });
    await share(sharer, { name: 'Of one order', query: 'q=98765432109876' });
    await share(sharer, { name: 'For operations', role: 'operations' });
    await share(sharer, { name: 'For all who trade', query: 'f=status%3Ais%3AWorking&sort=-time' });
    expect(await namesFor(sharer)).toHaveLength(8);
    expect(await namesFor(trader)).toEqual(['For all who trade', `Of ${firm}`]);
    expect(await sharedFor(trader)).toMatchObject([
      { by: 'eve', is_own: false, may_change: false },
      { query: `f=account%3Ais%3A${own}` },
    ]);
    expect((await market.get('/api/desk/shared-views')).status).toBe(403);
    expect(await share(trader, { name: 'Mine', query: `f=account%3Ais%3A${other}` })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '$.query' }] },
    });
    for (const { id } of await sharedFor(sharer))
      expect((await sharer.act('unshareView', null, { id })).status).toBe(200);
  });

  it('of a sharer who does not see all owners does not show by its absence which others there are', async () => {
    const sees = await room.join('max', '--role', 'operations', '--all-orders');
    const accounts = (
      (await sees.get('/api/desk/working')).body as unknown as {
        readonly orders: readonly { readonly account_id: string }[];
      }
    ).orders.map(({ account_id: account }) => account);
    const [own = ''] = accounts;
    const other = accounts.find((account) => account !== own) ?? '';
    const [one, two] = [
      await room.join('ned', '--role', 'orders', '--account', own),
      await room.join('ola', '--role', 'orders', '--account', own),
    ];
    const names = [`Is ${other} here`, `Is ${other}nobody here`, 'Is nobody-at-all here', `Of ${own}`];
    for (const name of names)
      expect((await share(one, { name, query: `q=${name.replaceAll(' ', '+')}` })).status).toBe(200);
    expect((await namesFor(two)).toSorted()).toEqual(names.toSorted());
    // A person who sees all owners names them knowingly, even when changing the view of another.
    const { id } = (await sharedFor(sees)).find(({ name }) => name === names[0]) ?? { id: '' };
    expect((await share(admin, { id, name: names[0], before: 1 })).status).toBe(200);
    expect((await namesFor(two)).toSorted()).toEqual(names.slice(1).toSorted());
    for (const person of [one, two]) await admin.act('deletePerson', null, { id: await idOf(person) });
  });

  it('is changed and removed by who shares it and by administrators, as the version that they have seen, and each change is in the audit', async () => {
    const [ida, jon] = [
      await room.join('ida', '--role', 'orders', '--all-orders'),
      await room.join('jon', '--role', 'orders', '--all-orders'),
    ];
    const { id } = (await share(ida, { name: 'Late' })).body as unknown as SharedView;
    expect(await share(jon, { id, name: 'Mine now', before: 1 })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('Only ida, who shares this view') as string },
    });
    expect((await jon.act('unshareView', null, { id })).status).toBe(403);
    expect((await jon.act('unshareView', null, { id: 'none' })).status).toBe(400);
    expect((await share(ida, { name: 'Late' })).body['errors']).toMatchObject([{ path: '$.name' }]);
    expect((await share(ida, { id, name: 'Later', before: 1 })).body).toMatchObject({
      id,
      name: 'Later',
      by: 'ida',
      version: 2,
    });
    expect((await share(ida, { id, name: 'Latest', before: 1 })).status).toBe(409);
    expect((await share(admin, { id, name: 'Latest', role: 'operations', before: 2 })).body).toMatchObject({
      by: 'ida',
      version: 3,
      is_own: false,
      may_change: true,
    });
    expect(await namesFor(jon)).toEqual([]);
    expect((await admin.act('unshareView', null, { id })).status).toBe(200);
    const entries = (await admin.get('/api/desk/audit?limit=1000')).body['entries'] as readonly {
      readonly kind: string;
      readonly name: string;
      readonly detail: string;
    }[];
    expect(
      entries
        .filter(({ kind, detail }) => kind === 'view shared' && detail.includes(' of ida '))
        .map(({ name, detail }) => `${name}: ${detail}`),
    ).toEqual([
      `ada: Stopped sharing the view ${id} (orders) of ida with the role operations.`,
      `ada: Shared the view ${id} (orders) of ida with the role operations.`,
      `ida: Shared the view ${id} (orders) of ida with the role orders.`,
      `ida: Shared the view ${id} (orders) of ida with the role orders.`,
    ]);
  });

  it('is limited in its texts and in number', async () => {
    const kim = await room.join('kim', '--role', 'orders', '--all-orders');
    const refused = async (fields: Readonly<Record<string, unknown>>) => (await share(kim, fields)).body['errors'];
    expect(await refused({ name: ' ' })).toMatchObject([{ path: '$.name', detail: 'must have 1 to 100 characters' }]);
    expect(await refused({ query: 'q='.padEnd(SHARED_LIMITS.query + 1, 'x') })).toMatchObject([{ path: '$.query' }]);
    expect(await refused({ query: 'q='.padEnd(SHARED_LIMITS.texts + 10, 'x') })).toMatchObject([
      { path: '$.query', detail: expect.stringContaining('2,000 characters') as string },
    ]);
    expect(await refused({ role: 'markets' })).toMatchObject([{ path: '$.role' }]);
    for (let index = 0; index < SHARED_LIMITS.own; index += 1)
      expect((await share(kim, { name: `View ${String(index)}` })).status).toBe(200);
    expect(await refused({ name: 'One more' })).toMatchObject([
      { path: '$', detail: expect.stringContaining('100 views') as string },
    ]);
    await admin.act('deletePerson', null, { id: await idOf(kim) });
    expect(await namesFor(admin)).toEqual([]);
  });
});

it('a person who is deleted leaves nothing that they saved or shared', async () => {
  const lea = await room.join('lea', '--role', 'orders', '--all-orders');
  await save(lea, {});
  await share(lea, { name: 'Of Lea' });
  expect(await namesFor(admin)).toEqual(['Of Lea']);
  expect((await admin.act('deletePerson', null, { id: await idOf(lea) })).status).toBe(200);
  expect(await namesFor(admin)).toEqual([]);
  expect((await lea.get('/api/desk/saved')).status).toBe(401);
});

describe('at two desks on one database', () => {
  let venue: StartedProcess;
  beforeAll(async () => {
    venue = await startVenue(['--live', 'off', '--orders', '50', '--working', '10']);
  });
  afterAll(() => venue.stop());

  it(
    'what is saved at one is read at the other, and the later of two changes of one version is refused',
    { timeout: 240_000 },
    async () => {
      const databaseUrl = await createDatabase();
      const open = async () => {
        const folder = mkdtempSync(join(tmpdir(), 'perpdesk-saved-'));
        const desk = await startServer(venue.address, folder, { DESK_DATABASE_URL: databaseUrl });
        onTestFinished(async () => {
          await desk.stop();
          rmSync(folder, { recursive: true, force: true });
        });
        return createHttpPerson(desk.address);
      };
      const one = await open();
      const put = (desk: HttpPerson, text: string, before: number) =>
        desk.act('putSaved', { person: '', name: 'orders.views', text, before });
      expect((await put(one, '{"a":1}', 0)).status).toBe(200);
      const two = await open();
      expect(await put(two, '{"a":2}', 1)).toMatchObject({ status: 200, body: { version: 2 } });
      expect(await savedOf(one)).toMatchObject({ person: '', items: [{ text: '{"a":2}', version: 2 }] });
      expect((await put(one, '{"a":3}', 1)).status).toBe(409);
      const results = await Promise.all([put(one, '{"a":3}', 2), put(two, '{"a":4}', 2)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect((await share(two, { name: 'Shared' })).status).toBe(200);
      expect(await namesFor(one)).toEqual(['Shared']);
      expect((await share(one, { name: 'Shared' })).body['errors']).toMatchObject([{ path: '$.name' }]);
    },
  );
});
