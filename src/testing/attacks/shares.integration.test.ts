import { expect, it, onTestFinished } from 'vitest';
import { startPeopleDesk, type PeopleDesk } from '../access/people-desk.ts';
import type { HttpPerson } from '../access/http-person.ts';

/**
 * One person does everything they can. For a person who arrives only then, reads, live topics and the journal must
 * still work. Each server has its own budget.
 */
const BUDGET = '200/300';

async function open(): Promise<PeopleDesk> {
  const people = await startPeopleDesk({ DESK_BUDGET: BUDGET, DESK_JOURNAL_SECONDS: '10' });
  onTestFinished(people.stop);
  return people;
}

interface Journal {
  readonly read_to: string | null;
}

/** The limit covers a server, an exchange, passwords and a few readings of the journal on a slow machine. */
const LONG_MS = 300_000;

/** Follows topics until the stream has a reading, or a failure, of each. */
async function followOnce(desk: PeopleDesk, person: HttpPerson, topics: readonly string[]): Promise<readonly string[]> {
  const leaving = new AbortController();
  const cookie = [...person.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const query = topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&');
  const response = await fetch(`${desk.desk.address}api/desk/live?${query}`, {
    headers: { cookie, 'accept-encoding': 'identity' },
    signal: leaving.signal,
  });
  const seen = new Map<string, string>();
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()) {
    text += decoder.decode(chunk, { stream: true });
    for (const [, event = '', topic = ''] of text.matchAll(/^event: (read|failed)\ndata: \{"topic":"([^"]*)"/gm))
      if (!seen.has(topic)) seen.set(topic, event);
    if (seen.size >= topics.length) break;
  }
  leaving.abort();
  return topics.map((topic) => seen.get(topic) ?? 'nothing');
}

/** Opens a stream and keeps it open until the test ends. */
async function keepFollowing(desk: PeopleDesk, person: HttpPerson, topics: readonly string[]): Promise<number> {
  const leaving = new AbortController();
  onTestFinished(() => {
    leaving.abort();
  });
  const cookie = [...person.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(
    `${desk.desk.address}api/desk/live?${topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&')}`,
    { headers: { cookie }, signal: leaving.signal },
  );
  response.body?.pipeTo(new WritableStream(), { signal: leaving.signal }).catch(() => undefined);
  return response.status;
}

async function usedOf(person: HttpPerson): Promise<number> {
  return ((await person.get('/api/desk/status')).body['budget'] as { readonly used: number }).used;
}

async function expectOthersToBeServed(desk: PeopleDesk, guest: HttpPerson): Promise<void> {
  const floodedAt = Date.now();
  expect(await usedOf(guest)).toBeLessThan(200);
  expect((await guest.get('/api/web/charts/voi')).status).toBe(200);
  expect((await guest.get('/api/orders?limit=3', { headers: { 'desk-purpose': 'interactive' } })).status).toBe(200);
  expect(await followOnce(desk, guest, ['trailing-stats', 'product-data', 'working-orders', 'products'])).toEqual([
    'read',
    'read',
    'read',
    'read',
  ]);
  const lastReading = async (): Promise<number> =>
    Date.parse(((await guest.get('/api/desk/journal')).body as unknown as Journal).read_to ?? '');
  await expect.poll(lastReading, { timeout: 120_000 }).toBeGreaterThan(floodedAt);
}

it(
  'a person of the weakest role who follows all the topics they can leaves enough for whoever comes',
  async () => {
    const desk = await open();
    const hostile = await desk.join('hostile', '--role', 'markets');
    const guest = await desk.join('guest', '--role', 'operations', '--role', 'admin', '--all-orders');
    const streams = Array.from({ length: 7 }, (_, stream) =>
      Array.from(
        { length: 64 },
        (_each, index) => `volume?product_id=${String(stream * 64 + index + 1)}&begin_time=2026-01-01T00:00:00Z`,
      ),
    );
    const statuses: number[] = [];
    for (const topics of streams) statuses.push(await keepFollowing(desk, hostile, topics));
    // This person may follow only one of them. Rejected requests leave others their places.
    expect(statuses).toEqual([200, 503, 503, 503, 503, 503, 503]);
    const refused = await hostile.get(`/api/desk/live?topic=${encodeURIComponent('volume?product_id=9999')}`);
    expect(refused.body).toMatchObject({
      type: 'urn:perpdesk:problem:too-many-streams',
      detail:
        'Your streams together follow at most 64 topics with parameters, such as single products or filtered orders: close tabs or programs that follow others, or poll.',
    });
    await expect.poll(() => usedOf(guest), { timeout: 60_000 }).toBeGreaterThan(60);
    await expectOthersToBeServed(desk, guest);
  },
  LONG_MS,
);

it.each([['interactive'], [undefined]])(
  'nor does a person who asks for working orders by hundreds of filters spend what others need, with the purpose %s',
  async (purpose) => {
    const desk = await open();
    const hostile = await desk.join('hostile', '--role', 'orders', '--all-orders');
    const guest = await desk.join('guest', '--role', 'operations', '--role', 'admin', '--all-orders');
    const headers = purpose === undefined ? {} : { 'desk-purpose': purpose };
    const statuses: number[] = [];
    const ask = async (index: number) =>
      statuses.push(
        (await hostile.get(`/api/desk/working?connection_id=${(index + 1).toString(16)}`, { headers })).status,
      );
    for (let from = 0; from < 260; from += 52)
      await Promise.all(Array.from({ length: 52 }, (_, index) => ask(from + index)));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(135);
    expect(statuses).toContain(429);
    await expectOthersToBeServed(desk, guest);
  },
  LONG_MS,
);

it(
  'nor does a person who makes and tries hundreds of rules about perpetuals that do not exist, none of which is kept',
  async () => {
    const desk = await open();
    const hostile = await desk.join('hostile', '--role', 'operations', '--account', 'NORD-105');
    const guest = await desk.join('guest', '--role', 'operations', '--role', 'admin', '--all-orders');
    const rule = (id: string, base: string) => ({
      id,
      name: id,
      enabled: true,
      severity: 'warning',
      channels: [],
      for_seconds: 0,
      about: 'funding',
      measure: 'predicted_rate',
      base_symbol: base,
      comparison: 'over',
      value: 1,
      unit: 'percent',
    });
    const many = Array.from({ length: 200 }, (_, index) => rule(`r-${String(index)}`, `NONE${String(index)}`));
    const imported = await hostile.act('importRules', { rules: many });
    expect(imported).toMatchObject({
      status: 400,
      body: {
        errors: expect.arrayContaining([
          { path: '$.rules[0].base_symbol', detail: 'must be the base symbol of a perpetual that the exchange lists' },
        ]) as unknown,
      },
    });
    for (const each of many) expect((await hostile.act('tryRule', { rule: each })).status).toBe(400);
    expect(await usedOf(guest)).toBeLessThan(60);
    const { products } = (await guest.get('/api/desk/products')).body as {
      readonly products: readonly { readonly type: string; readonly base_symbol: string }[];
    };
    const listed = products.find(({ type }) => type === 'perpetual')?.base_symbol ?? '';
    const own = (count: number) => Array.from({ length: count }, (_, index) => rule(`own-${String(index)}`, listed));
    expect((await hostile.act('importRules', { rules: own(101) })).body).toMatchObject({
      errors: [
        { path: '$', detail: 'must not make more than 100 rules that you saved last: delete some of them first' },
      ],
    });
    expect((await hostile.act('importRules', { rules: own(100) })).status).toBe(200);
    expect((await guest.act('putRule', { rule: rule('of-the-guest', listed) })).status).toBe(200);
    const calling = await hostile.act('putRule', { rule: { ...rule('own-1', listed), channels: ['night'] } });
    expect(calling).toMatchObject({ status: 403, body: { type: 'urn:perpdesk:problem:not-allowed' } });
    await expectOthersToBeServed(desk, guest);
  },
  LONG_MS,
);
