import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RULE_ACTIONS, DeskAlerts } from '#contract/desk/alerts.ts';
import type { SAVED_ACTIONS, DeskSharedViews } from '#contract/desk/saved.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import type { StartedProcess } from '../start-process.ts';
import { listQuestions, type NamedOrder } from './all-questions.ts';
import { ask, askStream, type Answer } from './ask.ts';
import { granted, openViewedDesk, type Granted, type ViewedDesk } from './viewed-desk.ts';

const [OWN, SECOND, OTHER] = ['HALC-101', 'HALC-107', 'NORD-105'];
const CONNECTION = 'f6d5355b';
const NOBODY: Granted = { roles: [], codes: {}, by: 'nothing' };
/** A viewer from whom nothing is hidden. */
const ALL = 'all roles and orders';
const VIEWERS: Readonly<Record<string, Granted>> = {
  [ALL]: granted(['operations', 'admin'], 'all'),
  'nobody': NOBODY,
  'without a role': granted([], {}),
  'markets': granted(['markets'], {}),
  'markets with a scope': granted(['markets'], { accounts: [OWN] }),
  'no orders': granted(['orders'], {}),
  'one account': granted(['orders'], { accounts: [OWN] }),
  'two accounts': granted(['orders'], { accounts: [OWN, SECOND] }),
  'a firm': granted(['orders'], { firms: ['HALC'] }),
  'a connection': granted(['orders'], { connections: [CONNECTION] }),
  'an account and a connection': granted(['orders'], { accounts: [OWN], connections: [CONNECTION] }),
  'many accounts': granted(['orders'], {
    accounts: ['01', '02', '03', '04', '06', '07', '08', '09'].map((number) => `NORD-1${number}`),
  }),
  'very many accounts': granted(['orders'], {
    accounts: [OWN, ...Array.from({ length: 30 }, (_, index) => `NORD-${String(101 + index)}`)],
  }),
  'a token of one account': { ...granted(['orders'], { accounts: [OWN] }), by: 'token' },
  'a token of a role that sees no orders': { ...granted(['markets'], 'all'), by: 'token' },
  'operations of one account': granted(['operations'], { accounts: [OWN] }),
  'operations of all': granted(['operations'], 'all'),
  'admin': granted(['admin'], {}),
};

interface OrderRow extends NamedOrder {
  readonly open_ack_id: string;
}

let venue: StartedProcess;
let desk: ViewedDesk;
let orders: readonly OrderRow[];
let questions: ReturnType<typeof listQuestions>;

beforeAll(async () => {
  venue = await startVenue(['--orders', '1500']);
  desk = await openViewedDesk(venue.address, VIEWERS);
  orders = await readAllOrders();
  const rules = [
    { id: 'of-all', filter: {} },
    { id: 'of-own', filter: { account_id: OWN } },
    { id: 'of-other', filter: { account_id: OTHER } },
  ];
  for (const rule of rules) expect(await act(ALL, 'putRule', { rule: toRule(rule) })).toMatchObject({ status: 200 });
  for (const [name, query] of SHARED)
    expect(
      await act(ALL, 'shareView', { id: '', list: 'orders', name, query, role: 'orders', before: 0 }),
    ).toMatchObject({ status: 200 });
  const asked = [OWN, OTHER].flatMap((account) => orders.find((order) => order.account_id === account) ?? []);
  questions = listQuestions(asked, new Date().toISOString());
  await vi.waitUntil(
    async () => {
      const { alerts } = JSON.parse((await ask(desk, ALL, '/api/desk/alerts')).text) as DeskAlerts;
      return rules.every(({ id }) => alerts.some(({ rule_id: rule, state }) => rule === id && state === 'firing'));
    },
    { timeout: 30_000 },
  );
}, 90_000);

afterAll(async () => {
  await desk.close();
  await venue.stop();
});

/** Views that name an owner in a filter, in a search, in part, in their name, and where there is no column. */
const SHARED = [
  ['Of all', ''],
  ['Of own', `f=account%3Ais%3A${OWN}`],
  ['Of another', `f=account%3Ais%3A${OTHER}`],
  ['Of both', `f=account%3Ais%3A${OWN}%7E${OTHER}`],
  ['Searched', `q=${OTHER.toLowerCase()}`],
  ['In a column', `sort=${OTHER}`],
  [`${OTHER} today`, ''],
] as const;

const toRule = (fields: object) => ({
  name: 'Many orders',
  enabled: true,
  severity: 'warning',
  channels: [],
  for_seconds: 0,
  about: 'orders',
  measure: 'count',
  each: 'account',
  comparison: 'over',
  value: 0,
  unit: 'orders',
  ...fields,
});

async function act(
  viewer: string,
  ...action: [
    name: keyof (typeof RULE_ACTIONS & typeof SAVED_ACTIONS),
    body: object | null,
    query?: Readonly<Record<string, string>>,
  ]
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, body } = await desk.personOf(viewer).act(...action);
  return { status, text: JSON.stringify(body) };
}

interface Page {
  readonly data: readonly OrderRow[];
  readonly pagination: { readonly cursor?: string | null };
}

async function readHistory(viewer: string, query: string): Promise<readonly OrderRow[]> {
  const found: OrderRow[] = [];
  for (let cursor: string | null = null; ;) {
    const answer = await ask(
      desk,
      viewer,
      `/api/orders?${query}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(answer.status, answer.text).toBe(200);
    const { data, pagination } = JSON.parse(answer.text) as Page;
    found.push(...data);
    if (data.length === 0 || typeof pagination.cursor !== 'string' || pagination.cursor === '') return found;
    cursor = decodeURIComponent(pagination.cursor);
  }
}

async function readAllOrders(): Promise<readonly OrderRow[]> {
  const working = JSON.parse((await ask(desk, ALL, '/api/desk/working')).text) as DeskWorking;
  return [...(working.orders as unknown as readonly OrderRow[]), ...(await readHistory(ALL, 'limit=1000'))];
}

const namesOf = (order: OrderRow) => [
  order.account_id,
  order.clearing_firm_code,
  order.connection_id,
  order.id,
  order.open_ack_id,
];

const hasOrders = ({ roles }: Granted): boolean => roles.includes('orders') || roles.includes('operations');

function mayRead(viewer: Granted, order: OrderRow): boolean {
  const { codes } = viewer;
  if (!hasOrders(viewer)) return false;
  return (
    codes === 'all' ||
    [
      codes.accounts?.includes(order.account_id),
      codes.firms?.includes(order.clearing_firm_code),
      codes.connections?.includes(order.connection_id),
    ].includes(true)
  );
}

/** Returns the words of a text that name other people's orders, however they are written. */
function findForeign(text: string, foreign: ReadonlySet<string>): readonly string[] {
  const opaque = (text.match(/[\w+/=%-]{12,}/g) ?? []).map((word) =>
    Buffer.from(decode(word), 'base64').toString('latin1'),
  );
  const words = [text, decode(text), ...opaque].flatMap((one) => one.match(/[\w-]+/g) ?? []);
  return [...new Set(words.filter((word) => foreign.has(word)))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A rejection may repeat what the request itself named. */
function search(
  { path, headers, text }: Answer,
  foreign: ReadonlySet<string>,
  named: readonly string[] = [],
): readonly string[] {
  const asked = new Set([...named, ...(decode(decode(path)).match(/[\w-]+/g) ?? [])]);
  const found = findForeign(`${text}\n${JSON.stringify(headers)}`, foreign).filter(
    (word) => !asked.has(word) && !asked.has(word.toUpperCase()),
  );
  return found.length === 0 ? [] : [`${path}: ${found.slice(0, 5).join(', ')}`];
}

/**
 * Returns what a response may name. The scope of a person is not an order: people know their own, and administrators
 * know everyone's. The audit log has the filters that everyone used.
 */
function namedIn({ path }: Answer, { roles, codes }: Granted): readonly string[] {
  if (path === '/api/desk/me' && codes !== 'all')
    return [codes.accounts, codes.firms, codes.connections].flatMap((list) => list ?? []);
  if (roles.includes('admin') && path === '/api/desk/people')
    return orders.flatMap((order) => [order.account_id, order.clearing_firm_code, order.connection_id]);
  return roles.includes('admin') && path === '/api/desk/audit' ? orders.flatMap(namesOf) : [];
}

function foreignTo(viewer: Granted): ReadonlySet<string> {
  const own = new Set(orders.filter((order) => mayRead(viewer, order)).flatMap(namesOf));
  return new Set(orders.flatMap(namesOf).filter((name) => !own.has(name)));
}

const LIMITED = Object.entries(VIEWERS).filter(([, viewer]) => viewer.codes !== 'all' || !hasOrders(viewer));

describe.each(LIMITED)('%s', (name, viewer) => {
  test('finds no order of others in any answer or stream', { timeout: 120_000 }, async () => {
    const foreign = foreignTo(viewer);
    expect(foreign.size).toBeGreaterThan(100);
    const answers: Answer[] = [];
    for (const path of questions.reads) answers.push(await ask(desk, name, path));
    answers.push(...(await Promise.all(questions.streams.map((path) => askStream(desk, name, path)))));
    expect(answers.flatMap((answer) => search(answer, foreign, namedIn(answer, viewer)))).toEqual([]);
    expect(
      answers
        .filter(({ status }) => status >= 500)
        .map(({ path, text }) => `${path} ${text}`)
        .filter((text) => !text.includes('venue-')),
    ).toEqual([]);
  });
});

test('the search finds the orders that those who may see all are sent', async () => {
  const foreign = foreignTo(NOBODY);
  const working = await ask(desk, ALL, '/api/desk/working');
  expect(search(working, foreign)).toHaveLength(1);
  expect(search(await askStream(desk, ALL, '/api/desk/live?topic=alerts'), foreign)).toHaveLength(1);
  expect(
    findForeign(`{"cursor":"${Buffer.from(`7 seen ${String(orders[0]?.id)}`).toString('base64url')}"}`, foreign),
  ).toEqual([orders[0]?.id]);
});

test.each(LIMITED.filter(([, viewer]) => hasOrders(viewer)))(
  '%s sees each order of the scope once, with its history',
  { timeout: 60_000 },
  async (name, viewer) => {
    const ids = (rows: readonly OrderRow[]) => rows.map(({ id }) => id);
    const working = JSON.parse((await ask(desk, ALL, '/api/desk/working')).text) as {
      readonly orders: readonly OrderRow[];
    };
    const own = JSON.parse((await ask(desk, name, '/api/desk/working')).text) as DeskWorking;
    expect(ids(own.orders as unknown as readonly OrderRow[])).toEqual(
      ids(working.orders.filter((order) => mayRead(viewer, order))),
    );
    expect(own).toMatchObject({
      complete: true,
      unproven: [],
      parts: [{ filter: {}, count: own.orders.length }],
      round_seconds: null,
    });
    expect(JSON.parse((await ask(desk, name, '/api/orders/working')).text)).toEqual(own.orders);
    const history = (await readHistory(ALL, 'limit=1000')).filter((order) => mayRead(viewer, order));
    for (const query of ['limit=1000', 'limit=17']) {
      const found = await readHistory(name, query);
      expect(new Set(ids(found)).size).toBe(found.length);
      expect(ids(found).toSorted()).toEqual(ids(history).toSorted());
    }
    const oldestFirst = await readHistory(name, 'limit=100&order=asc');
    expect(ids(oldestFirst).toReversed().toSorted()).toEqual(ids(history).toSorted());
  },
);

test('a filter by an account of others is answered as one by an account that does not exist', async () => {
  const mask = (text: string) =>
    text.replaceAll(/NORD-105|NORD-999/g, 'ACCOUNT').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  for (const path of [
    '/api/desk/working',
    '/api/orders',
    '/api/orders/working',
    '/api/desk/journal/changes',
    '/api/desk/journal/activity',
  ]) {
    const [known, unknown] = [
      await ask(desk, 'one account', `${path}?account_id=NORD-105`),
      await ask(desk, 'one account', `${path}?account_id=NORD-999`),
    ];
    expect([path, known.status, mask(known.text)]).toEqual([path, unknown.status, mask(unknown.text)]);
  }
});

test('a cursor is of use to no other viewer', async () => {
  const { pagination } = JSON.parse((await ask(desk, 'two accounts', '/api/orders?limit=3')).text) as Page;
  const cursor = encodeURIComponent(String(pagination.cursor));
  expect((await ask(desk, 'two accounts', `/api/orders?limit=3&cursor=${cursor}`)).status).toBe(200);
  expect((await ask(desk, 'one account', `/api/orders?limit=3&cursor=${cursor}`)).status).toBe(400);
  expect((await ask(desk, 'two accounts', `/api/orders?limit=3&symbol=X&cursor=${cursor}`)).status).toBe(400);
});

test('rules are seen and changed by those who may see the orders that they are about, in their name', async () => {
  const viewer = 'operations of one account';
  const idsOf = async () =>
    (
      JSON.parse((await ask(desk, viewer, '/api/desk/rules')).text) as {
        readonly rules: readonly { readonly id: string }[];
      }
    ).rules.map(({ id }) => id);
  expect(await idsOf()).toEqual(['of-own']);
  for (const filter of [{}, { account_id: OTHER }, { symbol: 'X' }]) {
    expect(await act(viewer, 'putRule', { rule: toRule({ id: 'mine', filter }) })).toMatchObject({
      status: 400,
      text: expect.stringContaining('$.rule.filter') as string,
    });
    expect((await act(viewer, 'tryRule', { rule: toRule({ id: 'mine', filter }) })).status).toBe(400);
  }
  const taken = await act(viewer, 'putRule', { rule: toRule({ id: 'of-other', filter: { account_id: OWN } }) });
  const { ids } = JSON.parse(taken.text) as { readonly ids: readonly string[] };
  expect(ids).toEqual([expect.stringMatching(/^of-other-[0-9a-f]{8}$/)]);
  expect(await idsOf()).toEqual(['of-own', ...ids]);
  expect((await act(viewer, 'deleteRule', null, { id: String(ids[0]) })).status).toBe(200);
  expect((await act(viewer, 'deleteRule', null, { id: 'of-other' })).text).toContain('There is no rule \\"of-other\\"');
  expect(
    (await act(viewer, 'acknowledgeAlerts', { alerts: [{ rule_id: 'of-other', group: OTHER }], note: '' })).status,
  ).toBe(400);
  expect(
    (
      await act(viewer, 'silenceAlerts', {
        matches: [{ severity: 'warning' }],
        until: '2100-01-01T00:00:00Z',
        note: '',
      })
    ).status,
  ).toBe(400);
  const both = ['of-own', 'of-other'].map((rule) => ({ rule_id: rule, group: rule === 'of-own' ? OWN : OTHER }));
  // Of the alerts named, only those that the viewer may see are changed, and counted.
  expect((await act(viewer, 'acknowledgeAlerts', { alerts: both, note: 'known' })).text).toBe('{"count":1}');
  expect((await act(viewer, 'noteAlerts', { alerts: both.slice(1), note: 'seen' })).status).toBe(400);
  expect((await act(viewer, 'putShiftNote', { text: `About ${OTHER}`, before: 0 })).status).toBe(403);
  const { alerts } = JSON.parse((await ask(desk, viewer, '/api/desk/alerts')).text) as DeskAlerts;
  expect(alerts.filter(({ rule_id: rule }) => rule !== 'of-own')).toEqual([]);
  // On a slow machine, a "no data" alert may be beside it.
  expect(alerts.filter(({ state }) => state === 'firing')).toMatchObject([
    { group: OWN, acknowledged: { by: viewer } },
  ]);
  expect((await ask(desk, viewer, '/api/desk/calls')).status).toBe(403);
});

test('shared views that name owners are listed to those who may see these', async () => {
  const namesFor = async (viewer: string) =>
    (JSON.parse((await ask(desk, viewer, '/api/desk/shared-views')).text) as DeskSharedViews).views.map(
      ({ name }) => name,
    );
  const all = SHARED.map(([name]) => name).toSorted();
  expect((await namesFor('operations of all')).toSorted()).toEqual(all);
  expect(await namesFor('one account')).toEqual(['Of all', 'Of own']);
  expect(await namesFor('a firm')).toEqual(['Of all', 'Of own']);
  expect(await namesFor('no orders')).toEqual(['Of all']);
  expect(await namesFor('two accounts')).toEqual(['Of all', 'Of own']);
});

test('a stream ends once its viewer may no longer see what it follows, and is then refused', async () => {
  const viewer = 'markets with a scope';
  const response = await fetch(`${desk.url}/api/desk/live?topic=volume`, { headers: desk.headersOf(viewer) });
  expect(response.status).toBe(200);
  const ended = response.text();
  await desk.user('end-sessions', viewer);
  await ended;
  expect((await ask(desk, viewer, '/api/desk/live?topic=volume')).status).toBe(401);
  expect((await ask(desk, 'markets', '/api/desk/live?topic=working-orders')).status).toBe(403);
});
