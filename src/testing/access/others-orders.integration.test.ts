import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { DeskJournal } from '#contract/desk/journal.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import type { StartedProcess } from '../start-process.ts';
import { listQuestions, type NamedOrder } from './all-questions.ts';
import { ask, askStream, type Answer } from './ask.ts';
import { openHidingExchange } from './hiding-exchange.ts';
import { granted, openViewedDesk, type Granted, type ViewedDesk } from './viewed-desk.ts';

/** A firm of which some viewers see no orders at all. */
const HIDDEN_FIRM = 'NORD';
const OWN = 'HALC-101';
const ALL = 'all roles and orders';
/** Returns accounts of the firms that are not hidden. */
const toAccounts = (count: number): readonly string[] =>
  ['HALC', 'MERI'].flatMap((firm) => Array.from({ length: count / 2 }, (_, index) => `${firm}-${String(101 + index)}`));
/** A viewer of more accounts than are read one by one: their orders are selected from those of all accounts. */
const VERY_MANY = 'very many accounts';
const LIMITED: Readonly<Record<string, Granted>> = {
  'markets': granted(['markets'], {}),
  'one account': granted(['orders'], { accounts: [OWN] }),
  'two accounts': granted(['orders'], { accounts: [OWN, 'MERI-104'] }),
  'many accounts': granted(['orders'], { accounts: toAccounts(8) }),
  'a firm': granted(['orders'], { firms: ['HALC'] }),
  'an account and a connection': granted(['operations'], { accounts: [OWN], connections: ['f6d5355b'] }),
};
/** Both servers have the same time, so that what they say about times can be compared. */
const NOW = Date.now();

let venue: StartedProcess;
const closings: (() => Promise<void>)[] = [];
let desks: readonly ViewedDesk[];
let questions: ReturnType<typeof listQuestions>;

beforeAll(async () => {
  venue = await startVenue(['--orders', '1500']);
  const exchanges = await Promise.all([null, HIDDEN_FIRM].map((firm) => openHidingExchange(venue.address, firm)));
  desks = await Promise.all(
    exchanges.map(({ address }) =>
      openViewedDesk(
        address,
        {
          [ALL]: granted(['operations', 'admin'], 'all'),
          ...LIMITED,
          [VERY_MANY]: granted(['orders'], { accounts: toAccounts(40) }),
        },
        { now: () => NOW },
      ),
    ),
  );
  closings.push(...desks.map(({ close }) => close), ...exchanges.map(({ close }) => close));
  const found = await Promise.all(desks.map(prepare));
  const own = found[0]?.filter(({ account_id: account }) => account === OWN).slice(0, 1) ?? [];
  const other = found[0]?.find(({ clearing_firm_code: firm }) => firm === HIDDEN_FIRM);
  expect(found[1]?.some(({ clearing_firm_code: firm }) => firm === HIDDEN_FIRM)).toBe(false);
  questions = listQuestions([...own, ...(other === undefined ? [] : [other])], new Date(NOW).toISOString());
}, 90_000);

afterAll(async () => {
  for (const close of closings) await close();
  await venue.stop();
});

/** Makes the server read and record orders and evaluate rules about them. */
async function prepare(desk: ViewedDesk): Promise<readonly NamedOrder[]> {
  for (const [id, filter] of Object.entries({ 'of-all': {}, 'of-own': { account_id: OWN } })) {
    const rule = {
      id,
      filter,
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
    };
    expect(await desk.personOf(ALL).act('putRule', { rule })).toMatchObject({ status: 200 });
  }
  const read = async <Value>(from: string): Promise<Value> => JSON.parse((await ask(desk, ALL, from)).text) as Value;
  const working = await read<{ readonly orders: readonly NamedOrder[] }>('/api/desk/working');
  await vi.waitUntil(async () => (await read<DeskJournal>('/api/desk/journal')).read_to !== null, { timeout: 20_000 });
  await vi.waitUntil(
    async () => new Set((await read<DeskAlerts>('/api/desk/alerts')).alerts.map(({ rule_id: id }) => id)).size === 2,
    { timeout: 30_000 },
  );
  return working.orders;
}

/** Matches what differs with each request, or is measured. */
const TICKING: readonly RegExp[] = [
  /"(?:venue_ms|clock_offset_ms|next_back_at|all_back_at|venue_time|age_seconds|read_at|last_answer_at|now|started_at|base_url|share)":(?:"[^"]*"|[^,}]*)/g,
  // The counts of requests so far and of streams that have not ended yet.
  /"(?:hit|coalesced|miss|used|waiting|streams|followers|shared_by|every_seconds|requests)":[\d.]+/g,
  // Whether the event has arrived together with what precedes it: nothing is read after the event below.
  /^id: .*\n+/gm,
  // Whether the reading is in the snapshot or in the event after it.
  /^event: read\ndata: .*\n\n/gm,
  /"instance":"[^"]*"/g,
  /\{"subject":"clock"[^}]*\}/g,
];
/** Matches ids of people and sign-in sessions, which differ between servers. */
const SECRETS = /"(?:id|person|forgery_token)":"[^"]*"/g;
const ABOUT_ONESELF = ['/api/desk/me', '/api/desk/sessions', '/api/desk/saved'];
const TICKING_HEADERS = ['date', 'server-timing', 'desk-request-id', 'desk-venue-time', 'etag', 'content-length'];

function mask({ path, status, headers, text }: Answer): object {
  const fixed = Object.fromEntries(Object.entries(headers).filter(([name]) => !TICKING_HEADERS.includes(name)));
  const patterns = ABOUT_ONESELF.includes(path) ? [...TICKING, SECRETS] : TICKING;
  return {
    path,
    status,
    headers: fixed,
    text: patterns.reduce((masked, ticking) => masked.replaceAll(ticking, ''), text),
  };
}

test.each(Object.keys(LIMITED))(
  'whether others have orders shows in nothing that %s is answered or sent',
  { timeout: 90_000 },
  async (viewer) => {
    for (const [kind, send] of [
      ['reads', ask],
      ['streams', askStream],
    ] as const) {
      for (const path of questions[kind]) {
        const [withOthers, without] = await Promise.all(desks.map((desk) => send(desk, viewer, path)));
        if (withOthers === undefined || without === undefined) throw new Error('there are two desks');
        expect(mask(withOthers)).toEqual(mask(without));
      }
    }
  },
);

interface Page {
  readonly data: readonly NamedOrder[];
  readonly pagination: { readonly cursor: string | null };
}

async function readPages(desk: ViewedDesk, viewer: string): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, text } = await ask(
      desk,
      viewer,
      `/api/orders?limit=9${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(status, text).toBe(200);
    const { data, pagination } = JSON.parse(text) as Page;
    pages.push(data.map(({ id }) => id));
    cursor = pagination.cursor === null ? null : decodeURIComponent(pagination.cursor);
  }
  return pages;
}

test.each([...Object.keys(LIMITED).filter((name) => name !== 'markets'), VERY_MANY])(
  'each page of the history of %s is full, and the same with and without orders of others',
  { timeout: 90_000 },
  async (viewer) => {
    const [withOthers = [], without] = await Promise.all(desks.map((desk) => readPages(desk, viewer)));
    expect(withOthers).toEqual(without);
    expect(withOthers.length).toBeGreaterThan(2);
    expect(new Set(withOthers.slice(0, -1).map(({ length }) => length))).toEqual(new Set([9]));
  },
);

test('in what those who may see all orders are answered, it shows', async () => {
  const [withOthers, without] = await Promise.all(desks.map((desk) => ask(desk, ALL, '/api/desk/working')));
  expect(withOthers?.text.length).toBeGreaterThan(without?.text.length ?? NaN);
});
