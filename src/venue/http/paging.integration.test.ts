import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CursorSettings } from './paging.ts';
import { openVenueApi, seesAll, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { howMany } from '#testing/how-many.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import { makeFunding, makeOrder, perpetual, shiba, START } from '#testing/http/small-universe.ts';
import type { Order } from '../core/model.ts';

interface Page {
  readonly data: readonly { readonly id?: string; readonly product_id: number; readonly interval_end: string }[];
  readonly pagination: { readonly cursor?: string | null };
}

const ORDERS = '/v1/prod/orders';

async function read(api: OpenVenueApi, target: string, cursor?: string | null): Promise<Page> {
  const mark = target.includes('?') ? '&' : '?';
  const reply = await api.getSigned(typeof cursor !== 'string' ? target : `${target}${mark}cursor=${cursor}`);
  expect([reply.status, reply.text.slice(0, 8)]).toEqual([200, '{"data":']);
  return JSON.parse(reply.text) as Page;
}

const idsOf = (page: Page) => page.data.map(({ id }) => id);

let small: SmallExchange;
let api: OpenVenueApi;

beforeEach(async () => {
  small = await createSmallExchange(START);
  api = await openVenueApi(small.exchange);
});

afterEach(async () => {
  await api.close();
  await small.close();
});

describe('a cursor', () => {
  let cursor: string;

  beforeEach(async () => {
    await small.accept([1, 2, 3, 4, 5].map((n) => makeOrder(n)));
    cursor = (await read(api, `${ORDERS}?limit=2`)).pagination.cursor ?? '';
  });

  const statusOf = async (text: string) => (await api.getSigned(`${ORDERS}?limit=2&cursor=${text}`)).status;

  test('is percent-encoded and is passed back as received', async () => {
    expect(cursor).toMatch(/^[A-Za-z0-9%]+%3D$/);
    const after = await read(api, `${ORDERS}?limit=2`, cursor);
    expect(idsOf(after)).toEqual([3, 4].map((n) => String(makeOrder(n).id)));
  });

  test('is refused when it was encoded again', async () => {
    expect([await statusOf(cursor), await statusOf(encodeURIComponent(cursor))]).toEqual([200, 400]);
  });

  test('is refused with any bit of any character flipped', async () => {
    const text = decodeURIComponent(cursor);
    const turned = Array.from(text).flatMap((character, at) =>
      [1, 2, 4, 8, 16, 32, 64].map((bit) => {
        const other = String.fromCharCode(character.charCodeAt(0) ^ bit);
        return encodeURIComponent(text.slice(0, at) + other + text.slice(at + 1));
      }),
    );
    const statuses = new Set(await Promise.all(turned.map(statusOf)));
    expect([turned.length, [...statuses]]).toEqual([44 * 7, [400]]);
  });

  test.each(['', 'A', 'AAAA', 'A'.repeat(43) + '%3D', 'null', 'undefined', '%00', 'A'.repeat(3_000)])(
    'is refused if it is "%s"',
    async (text) => {
      expect(await statusOf(text)).toBe(400);
    },
  );

  test('is refused truncated or extended', async () => {
    const text = decodeURIComponent(cursor);
    for (const other of [text.slice(0, -1), text.slice(4), `${text}=`, `${text}AAAA`, ` ${text}`]) {
      expect(await statusOf(encodeURIComponent(other))).toBe(400);
    }
  });

  test('belongs to its filters, direction, credential and key', async () => {
    const refused = [
      await api.getSigned(`${ORDERS}?limit=2&order=asc&cursor=${cursor}`),
      await api.getSigned(`${ORDERS}?limit=2&symbol=PBTCUCZ50&cursor=${cursor}`),
      await api.getSigned(`${ORDERS}?limit=2&end_time=now&cursor=${cursor}`),
      await api.getSigned(`${ORDERS}?limit=2&cursor=${cursor}`, seesAll),
      await api.get(`/v1/funding-rates/?cursor=${cursor}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(refused[0]?.text).toContain('cursor must be');
  });

  test('stays valid with another page size, with the default direction given explicitly, and with filters in another order', async () => {
    expect(idsOf(await read(api, `${ORDERS}?limit=1&order=desc`, cursor))).toHaveLength(1);
    const filtered = await read(api, `${ORDERS}?limit=2&symbol=PBTCUCZ50&account_id=HALC-101`);
    const target = `${ORDERS}?limit=2&account_id=HALC-101&symbol=PBTCUCZ50`;
    expect(idsOf(await read(api, target, filtered.pagination.cursor))).toHaveLength(2);
  });
});

test('a plain cursor is encoded by the client', async () => {
  await small.accept([1, 2, 3].map((n) => makeOrder(n)));
  const plain = await openVenueApi(small.exchange, { cursors: { encoding: 'plain', end: 'same' } });
  const { pagination } = await read(plain, `${ORDERS}?limit=2`);
  expect(pagination.cursor).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  const rest = await read(plain, `${ORDERS}?limit=2`, encodeURIComponent(pagination.cursor ?? ''));
  expect(idsOf(rest)).toEqual([String(makeOrder(3).id)]);
  await plain.close();
});

describe.each<[CursorSettings['end'], unknown]>([
  ['empty', { cursor: '' }],
  ['null', { cursor: null }],
  ['absent', {}],
])('where the end is marked by "%s"', (end, pagination) => {
  test.each([5, 6])('a page that is not full of %s ends the data', async (limit) => {
    await small.accept([1, 2, 3, 4].map((n) => makeOrder(n)));
    const other = await openVenueApi(small.exchange, { cursors: { encoding: 'percent', end } });
    expect((await read(other, `${ORDERS}?limit=${String(limit)}`)).pagination).toEqual(pagination);
    const full = await read(other, `${ORDERS}?limit=4`);
    const after = await read(other, `${ORDERS}?limit=4`, full.pagination.cursor);
    expect([after.data, after.pagination]).toEqual([[], pagination]);
    await other.close();
  });
});

describe('where the end is marked by the same cursor', () => {
  test('an empty page repeats the cursor that was sent', async () => {
    await small.accept([1, 2, 3].map((n) => makeOrder(n)));
    const all = await read(api, ORDERS);
    const after = await read(api, ORDERS, all.pagination.cursor);
    expect([all.data.length, after.data.length, after.pagination]).toEqual([3, 0, all.pagination]);
  });

  test('a query without matches repeats its cursor until there is a match', async () => {
    const nothing = await read(api, `${ORDERS}?order=asc`);
    expect(await read(api, `${ORDERS}?order=asc`, nothing.pagination.cursor)).toEqual(nothing);
    await small.accept([makeOrder(1)]);
    expect(idsOf(await read(api, `${ORDERS}?order=asc`, nothing.pagination.cursor))).toHaveLength(1);
  });
});

describe('a range of orders', () => {
  const idsIn = async (query: string) => idsOf(await read(api, `${ORDERS}?${query}`));
  const ids = (...ns: readonly number[]) => ns.map((n) => String(makeOrder(n).id));
  /** The first order of a trading day, to the nanosecond, and the last one of the day before. */
  const first = { timeNs: BigInt(Date.parse('2026-08-16T21:00:00Z')) * 1_000_000n };
  const before = { timeNs: first.timeNs - 1n };

  beforeEach(async () => {
    await small.accept([makeOrder(1), makeOrder(2, first), makeOrder(3, before)]);
  });

  test('includes its start and excludes its end, to the nanosecond', async () => {
    expect(await idsIn('begin_time=2026-08-16T21:00:00Z')).toEqual(ids(1, 2));
    expect(await idsIn('begin_time=2026-08-16T21:00:00.000000001Z')).toEqual(ids(1));
    expect(await idsIn('end_time=2026-08-16T21:00:00Z')).toEqual(ids(3));
    expect(await idsIn('end_time=2026-08-16T21:00:00.000000001Z')).toEqual(ids(2, 3));
    expect(await idsIn('begin_time=2026-08-16T20:59:59.999999999Z&end_time=2026-08-16T21:00:00Z')).toEqual(ids(3));
  });

  test('may be unlimited, empty or reversed', async () => {
    const [ever, never] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z'];
    expect(await idsIn(`begin_time=${ever}&end_time=${never}`)).toEqual(ids(1, 2, 3));
    for (const query of [
      `begin_time=${never}`,
      `end_time=${ever}`,
      `begin_time=${never}&end_time=${ever}`,
      `day=0001-01-01`,
      `day=9999-12-31`,
    ]) {
      expect(await idsIn(query)).toEqual([]);
    }
    expect(await idsIn('begin_time=2026-08-16T21:00:00Z&end_time=2026-08-16T21:00:00Z')).toEqual([]);
  });

  test('is the trading day, from settlement to settlement in Chicago, where a day is given, despite other bounds', async () => {
    expect(await idsIn('day=2026-08-16')).toEqual(ids(3));
    expect(await idsIn('day=2026-08-17&begin_time=2020-01-01T00:00:00Z&end_time=2020-01-02T00:00:00Z')).toEqual(
      ids(1, 2),
    );
    expect(await idsIn('day=2026-08-18')).toEqual([]);
  });

  test('of a day lasts 23 or 25 hours where daylight saving changes', async () => {
    const at = (text: string) => ({ timeNs: BigInt(Date.parse(text)) * 1_000_000n });
    await small.accept([
      makeOrder(4, at('2026-03-07T22:00:00Z')),
      makeOrder(5, at('2026-03-08T20:59:59Z')),
      makeOrder(6, at('2026-03-08T21:00:00Z')),
    ]);
    await small.accept([
      makeOrder(7, at('2026-10-31T21:00:00Z')),
      makeOrder(8, at('2026-11-01T21:59:59Z')),
      makeOrder(9, at('2026-11-01T22:00:00Z')),
    ]);
    expect(await idsIn('day=2026-03-08&order=asc')).toEqual(ids(4, 5));
    expect(await idsIn('day=2026-11-01&order=asc')).toEqual(ids(7, 8));
  });
});

describe('pages while orders arrive', () => {
  /** Makes orders of which several share an instant, so that pages end within a tie. */
  const tied = (n: number, change: Partial<Order> = {}) =>
    makeOrder(n, { timeNs: BigInt(START) * 1_000n + BigInt(Math.floor(n / 5)), ...change });

  test.each(['asc', 'desc'] as const)('%s: every order is returned once', async (direction) => {
    let next = 0;
    const arrive = async (count: number) => {
      const orders = Array.from({ length: count }, () => tied(next++));
      await small.accept(orders);
      return orders.map(({ id }) => String(id));
    };
    const scenario = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      async (arrivals, limit) => {
        // Each run has its own instant, so that runs do not share orders.
        next = (Math.floor(next / 5) + 1) * 5;
        const begin = new Date(START / 1_000)
          .toISOString()
          .replace('.000Z', `.${String(Math.floor(next / 5)).padStart(9, '0')}Z`);
        const target = `${ORDERS}?order=${direction}&limit=${String(limit)}&begin_time=${begin}`;
        const before = await arrive(20);
        const later: string[] = [];
        const seen: (string | undefined)[] = [];
        let page = await read(api, target);
        for (let turn = 0; page.data.length > 0; turn++) {
          seen.push(...idsOf(page));
          later.push(...(await arrive(arrivals[turn] ?? 0)));
          page = await read(api, target, page.pagination.cursor);
        }
        expect(seen).toEqual(direction === 'asc' ? [...before, ...later] : before.toReversed());
      },
    );
    await fc.assert(scenario, { numRuns: howMany(8, 25) });
  });
});

describe('funding pages', () => {
  const end = (row: Page['data'][number]) => `${row.interval_end} ${String(row.product_id)}`;

  test.each(['asc', 'desc'] as const)('%s: each interval of each product once, ties included', async (direction) => {
    const agos = Array.from({ length: 12 }, (_, i) => i);
    await small.store.commit({
      funding: agos.flatMap((ago) => [makeFunding(perpetual, ago), makeFunding(shiba, ago)]),
    });
    const target = `/v1/funding-rates/?begin_time=2026-08-01T00:00:00Z&order=${direction}&limit=5`;
    const rows: string[] = [];
    let page = await read(api, target);
    for (; page.data.length > 0; page = await read(api, target, page.pagination.cursor))
      rows.push(...page.data.map(end));
    const sorted = [...new Set(rows)].sort();
    expect(rows).toEqual(direction === 'asc' ? sorted : sorted.toReversed());
    expect(rows).toHaveLength(24);
  });

  test('the latest rates: each once, too', async () => {
    await small.store.commit({ funding: [makeFunding(perpetual, 0), makeFunding(shiba, 0), makeFunding(shiba, 1)] });
    const first = await read(api, '/v1/funding-rates/?limit=1');
    const second = await read(api, '/v1/funding-rates/?limit=1', first.pagination.cursor);
    const third = await read(api, '/v1/funding-rates/?limit=1', second.pagination.cursor);
    expect([first, second, third].map((page) => page.data.map(({ product_id }) => product_id))).toEqual([
      [perpetual.id],
      [shiba.id],
      [],
    ]);
    expect(third.pagination).toEqual(second.pagination);
  });
});
