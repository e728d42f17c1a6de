import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderId } from '#contract/exchange/ids.ts';
import { formatInstant, type EpochNanos } from '#contract/exchange/instant.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { createPageWindow, type PageWindow } from './page-window.ts';
import { compareKeys, type Direction, type RowKey } from './page-list.ts';
import type { PageResponse } from './window-state.ts';

interface ListSettings {
  readonly direction: Direction;
  readonly limit: number;
  readonly end: 'same' | 'absent' | 'empty';
  /** Returns whether a row fails validation. */
  readonly isBad?: (key: RowKey) => boolean;
}

const NOON = 1_787_000_000_000_000_000n;

/** There are few different times, a nanosecond apart, so that many rows share one. */
function row(nanos: number, id: number): RowKey {
  return {
    time: formatInstant((NOON + BigInt(nanos)) as EpochNanos),
    id: String(7_674_028_327_896_836_521n + BigInt(id)) as OrderId,
  };
}

/** A list that grows while it is read. */
function createList(rows: readonly RowKey[], { direction, limit, end, isBad = () => false }: ListSettings) {
  const all = new Map(rows.map((key) => [key.id, key]));
  const state = { requested: [] as (string | null)[], failing: null as Error | null };
  const sorted = (): readonly RowKey[] => [...all.values()].sort((a, b) => compareKeys(a, b, direction));
  const fetchPage = (cursor: Cursor | null): Promise<PageResponse<RowKey>> => {
    state.requested.push(cursor);
    if (state.failing !== null) return Promise.reject(state.failing);
    const [time = '', id = ''] = cursor?.split('|') ?? [];
    const after = { time, id } as RowKey;
    const page = sorted()
      .filter((key) => cursor === null || compareKeys(key, after, direction) > 0)
      .slice(0, limit);
    const last = page.at(-1);
    const data = page.filter((key) => !isBad(key));
    const setAside = [...page.entries()].flatMap(([index, key]) =>
      isBad(key) ? [{ index, row: { id: key.id, time: null }, deviations: [FAULT] }] : [],
    );
    const next =
      page.length < limit && end !== 'same'
        ? END[end]
        : { cursor: (last ? `${last.time}|${last.id}` : cursor) as Cursor | null };
    return Promise.resolve({
      ...PROOF,
      setAside,
      deviations: setAside.flatMap(() => ({ ...FAULT, place: '$.data[].time', count: 1 })),
      value: { data, pagination: next },
    });
  };
  return { fetchPage, state, sorted, add: (key: RowKey) => all.set(key.id, key) };
}

const FAULT = { kind: 'wrong type', path: '$.data[0].time', expected: 'string', found: 'null' } as const;
const END = { absent: {}, empty: { cursor: '' as Cursor } } as const;
const PROOF: Omit<PageResponse<RowKey>, 'value'> = {
  ...{
    endpoint: 'orders',
    target: '/api/orders',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 0,
    cache: 'miss',
    requestId: null,
  },
  ...{ setAside: [], deviations: [], freshSeconds: null, staleBecause: null, tag: null },
};

function open(
  list: ReturnType<typeof createList>,
  direction: Direction,
  maxPages = 3,
  prefetchRows = 2,
): PageWindow<RowKey> {
  return createPageWindow({
    fetchPage: (cursor) => list.fetchPage(cursor),
    direction,
    maxPages,
    prefetchRows,
    now: () => 5,
  });
}

async function settle(window: PageWindow<RowKey>): Promise<void> {
  while (window.read().reading !== null) await Promise.resolve();
}

async function scrollTo(window: PageWindow<RowKey>, from: number, to = from + 1): Promise<void> {
  window.setViewport({ from, to, loadsMore: true, reloads: true });
  await settle(window);
  const { spans, inMemory } = window.read().list;
  expect(inMemory).toEqual([...spans.keys()].filter((at) => spans[at]?.loaded !== null));
}

/** Returns the ids row by row from the top, or backwards from the end. */
async function walk(window: PageWindow<RowKey>, back = false): Promise<readonly (OrderId | undefined)[]> {
  const ids: (OrderId | undefined)[] = [];
  await scrollTo(window, 0);
  if (back)
    for (let behind = 1; behind <= window.read().list.rowCount; behind++) ids.unshift(await idFromEnd(window, behind));
  else for (let at = 0; at < window.read().list.rowCount; at++) ids.push(await idAt(window, at));
  return ids;
}

/** A page may have grown when it is read again, which shifts the rows after it. */
async function idFromEnd(window: PageWindow<RowKey>, behind: number): Promise<OrderId | undefined> {
  const at = window.read().list.rowCount - behind;
  const id = await idAt(window, at);
  return at === window.read().list.rowCount - behind ? id : idFromEnd(window, behind);
}

async function idAt(window: PageWindow<RowKey>, at: number): Promise<OrderId | undefined> {
  await scrollTo(window, at);
  return window.rowAt(at)?.id;
}

const idsOf = (rows: readonly RowKey[]): readonly OrderId[] => rows.map(({ id }) => id);

const settings = fc.record({
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 5 }),
  end: fc.constantFrom('same' as const, 'absent' as const, 'empty' as const),
});
const oldRows = fc
  .uniqueArray(fc.nat(400), { maxLength: 40 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.nat(6).map((nanos) => row(nanos, id)))));
/** New rows are later than all old ones and have larger ids. */
const newRows = fc
  .uniqueArray(fc.integer({ min: 500, max: 900 }), { maxLength: 25 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.integer({ min: 6, max: 9 }).map((nanos) => row(nanos, id)))));

describe('a window on a list', () => {
  it('shows every row once, scrolling down and back, with any ties and page boundaries', async () => {
    await fc.assert(
      fc.asyncProperty(settings, oldRows, async (chosen, rows) => {
        const list = createList(rows, chosen);
        const window = open(list, chosen.direction);
        const down = await walk(window);
        expect([down, await walk(window, true)]).toEqual([idsOf(list.sorted()), idsOf(list.sorted())]);
        expect(window.read().end).not.toBeNull();
      }),
    );
  });

  it('neither loses nor repeats rows when rows arrive during reading: they are added on request', async () => {
    await fc.assert(
      fc.asyncProperty(settings, oldRows, newRows, fc.nat(20), async (chosen, rows, late, when) => {
        const list = createList(rows, chosen);
        const window = open(list, chosen.direction);
        await scrollTo(window, when);
        const first = window.read().list.rowCount;
        const coming = late.toSorted((a, b) => compareKeys(a, b, 'asc'));
        const half = Math.floor(coming.length / 2);
        for (const key of coming.slice(0, half)) list.add(key);
        const seen = await walk(window);
        const before = idsOf([...rows].sort((a, b) => compareKeys(a, b, chosen.direction)));
        if (chosen.direction === 'desc' && first > 0) expect(seen).toEqual(before);
        expect(new Set(seen).size).toBe(seen.length);
        for (const more of [[], coming.slice(half)]) {
          for (const key of more) list.add(key);
          window.loadNewer();
          await settle(window);
          const after = await walk(window);
          expect([after, await walk(window, true)]).toEqual([idsOf(list.sorted()), idsOf(list.sorted())]);
        }
      }),
    );
  });

  it('counts each invalid row once, whichever pages it comes with', async () => {
    await fc.assert(
      fc.asyncProperty(settings, fc.nat(30), fc.nat(30), async (chosen, count, late) => {
        const isBad = ({ id }: RowKey): boolean => BigInt(id) % 3n === 0n;
        const numbered = Array.from({ length: count + late }, (_, at) => row(Math.floor(at / 2), at));
        const list = createList(numbered.slice(0, count), { ...chosen, isBad });
        const window = open(list, chosen.direction);
        const truth = (): readonly unknown[] => [
          idsOf(list.sorted().filter((key) => !isBad(key))),
          list.sorted().filter(isBad).length,
        ];
        const seen = async (back: boolean): Promise<readonly unknown[]> => [
          await walk(window, back),
          window.read().setAside.size,
        ];
        expect([await seen(false), await seen(true)]).toEqual([truth(), truth()]);
        for (const key of numbered.slice(count)) list.add(key);
        window.loadNewer();
        await settle(window);
        expect([await seen(false), await seen(true)]).toEqual([truth(), truth()]);
      }),
    );
  });

  it('includes rows inserted into a dropped page when it is read again, and loses none', async () => {
    await fc.assert(
      fc.asyncProperty(
        settings,
        oldRows,
        fc.uniqueArray(fc.integer({ min: 401, max: 450 }), { maxLength: 12 }),
        async (chosen, rows, ids) => {
          const list = createList(rows, chosen);
          const window = open(list, chosen.direction);
          const before = new Set(await walk(window));
          for (const id of ids) list.add(row(3, id));
          const after = await walk(window, true);
          expect(new Set(after).size).toBe(after.length);
          expect([...before].filter((id) => !after.includes(id))).toEqual([]);
        },
      ),
    );
  });

  it('keeps a bounded number of pages in memory, among them the first and those on screen', async () => {
    await fc.assert(
      fc.asyncProperty(
        settings,
        oldRows,
        fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }),
        async (chosen, rows, looks) => {
          const window = open(createList(rows, chosen), chosen.direction, 4, 0);
          await walk(window);
          for (const at of looks) {
            await scrollTo(window, at);
            const { list } = window.read();
            expect(list.spans.filter(({ loaded }) => loaded !== null).length).toBeLessThanOrEqual(4);
            expect(window.rowAt(at) === undefined).toBe(at >= list.rowCount);
          }
        },
      ),
    );
  });
});

const twenty = Array.from({ length: 20 }, (_, index) => row(index, index));
const usual = { direction: 'desc', limit: 5, end: 'same' } as const;

/** Opens a window that knows of one newer row but does not have it in its list yet. */
async function openWithNewer() {
  const list = createList(twenty, usual);
  const window = open(list, 'desc');
  await scrollTo(window, 0, 3);
  list.add(row(30, 30));
  await window.checkForNewer();
  return { list, window };
}

describe('reading', () => {
  it('reads no page in memory again, and the next only near the end', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc', 3, 1);
    await scrollTo(window, 0, 2);
    await scrollTo(window, 1, 3);
    expect(list.state.requested).toHaveLength(1);
    await scrollTo(window, 2, 4);
    expect(list.state.requested).toHaveLength(2);
    window.setViewport({ from: 9, to: 10, loadsMore: false, reloads: true });
    await settle(window);
    expect(list.state.requested).toHaveLength(2);
  });

  it('neither reloads nor keeps the pages between rows far apart while reloading is off', async () => {
    const list = createList(
      Array.from({ length: 60 }, (_, index) => row(index, index)),
      { ...usual, limit: 1 },
    );
    const window = open(list, 'desc', 10, 0);
    await walk(window);
    const requested = list.state.requested.length;
    for (const [from, to] of [
      [0, 60],
      [20, 50],
      [59, 60],
    ] as const) {
      window.setViewport({ from, to, loadsMore: true, reloads: false });
      await settle(window);
      expect(window.read().list.spans.filter(({ loaded }) => loaded !== null)).toHaveLength(10);
    }
    expect(list.state.requested).toHaveLength(requested);
    await scrollTo(window, 30);
    expect([list.state.requested.length, window.rowAt(30)]).toEqual([requested + 1, row(29, 29)]);
  });

  it('keeps its rows when a read fails, reports why, and continues there on retry', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc');
    await scrollTo(window, 0, 4);
    list.state.failing = new Error('away');
    await scrollTo(window, 7, 10);
    await scrollTo(window, 8, 11);
    expect([window.read().list.rowCount, window.read().failure, window.rowAt(9)?.id]).toEqual([
      10,
      { error: list.state.failing, at: 5 },
      twenty[10]?.id,
    ]);
    const requested = list.state.requested.length;
    window.retry();
    expect(window.read()).toMatchObject({ failure: { error: list.state.failing }, reading: 'more' });
    await settle(window);
    list.state.failing = null;
    window.retry();
    await settle(window);
    expect([window.read().failure, list.state.requested.length > requested, window.read().list.rowCount]).toEqual([
      null,
      true,
      15,
    ]);
  });

  it('reads on in the background, and for a person who retries', async () => {
    const list = createList(twenty, usual);
    const purposes: unknown[] = [];
    const window = createPageWindow({
      fetchPage: (cursor, { purpose }) => {
        purposes.push(purpose);
        return list.fetchPage(cursor);
      },
      direction: 'desc',
      maxPages: 3,
      prefetchRows: 2,
      now: () => 5,
    });
    await scrollTo(window, 0, 4);
    list.state.failing = new Error('away');
    await scrollTo(window, 8, 11);
    for (const isAwaited of [false, true]) {
      window.retry(isAwaited);
      await settle(window);
    }
    expect([purposes[0], ...purposes.slice(-2)]).toEqual(['interactive', undefined, 'interactive']);
  });

  it('counts newer rows without changing the list', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc');
    await scrollTo(window, 0, 3);
    for (const id of [30, 31]) list.add(row(id, id));
    await window.checkForNewer();
    expect([window.read().newer.count, window.read().newer.isLeast, window.rowAt(0)?.id]).toEqual([
      2,
      false,
      twenty[19]?.id,
    ]);
    for (const id of [32, 33, 34]) list.add(row(id, id));
    await window.checkForNewer();
    expect([window.read().newer.count, window.read().newer.isLeast]).toEqual([5, true]);
    window.loadNewer();
    await settle(window);
    expect([window.read().newer.count, window.rowAt(5)?.id]).toEqual([0, twenty[19]?.id]);
  });

  it.each(['desc', 'asc'] as const)(
    'counts changed rows of the newest page and replaces them on request, order %s',
    async (direction) => {
      const list = createList(twenty, { direction, limit: 30, end: 'absent' });
      const window = open(list, direction);
      await scrollTo(window, 3);
      await window.checkForNewer();
      expect(window.read().newer).toMatchObject({ count: 0, changed: 0 });
      const closed = { ...row(16, 16), status: 'Closed' };
      list.add(closed);
      list.add(row(30, 30));
      await window.checkForNewer();
      expect(window.read().newer).toMatchObject({ count: 1, changed: 1 });
      const index = list.sorted().indexOf(closed);
      expect(window.rowAt(direction === 'desc' ? index - 1 : index)).toEqual(row(16, 16));
      window.loadNewer();
      await settle(window);
      expect([window.read().newer, window.rowAt(index), window.read().list.rowCount]).toEqual([
        { count: 0, isLeast: false, changed: 0, checkedAt: 5, error: null },
        closed,
        21,
      ]);
    },
  );

  it('ignores a check that ends after newer rows were loaded', async () => {
    const withStatus = (status: string): RowKey => ({ ...row(16, 16), ...{ status } });
    const list = createList([...twenty, withStatus('Working')], { ...usual, limit: 30 });
    const [response, late] = [await list.fetchPage(null), Promise.withResolvers<PageResponse<RowKey>>()];
    const window = createPageWindow({
      fetchPage: (cursor, { purpose }) => (purpose === 'prefetch' ? late.promise : list.fetchPage(cursor)),
      direction: 'desc',
      maxPages: 3,
      prefetchRows: 2,
      now: () => 5,
    });
    await scrollTo(window, 0);
    list.add(withStatus('Closed'));
    const checked = window.checkForNewer().then(() => window.read());
    window.loadNewer();
    await settle(window).then(() => {
      late.resolve(response);
    });
    expect(await checked).toMatchObject({ newer: { count: 0, changed: 0 } });
  });

  it('loads newer rows after the read under way', async () => {
    const { window } = await openWithNewer();
    window.setViewport({ from: 7, to: 9, loadsMore: true, reloads: true });
    window.loadNewer();
    expect(window.read()).toMatchObject({ reading: 'more', wantsNewer: true });
    await settle(window);
    expect(window.read()).toMatchObject({ wantsNewer: false, newer: { count: 0 }, list: { rowCount: 16 } });
    expect(window.rowAt(0)).toEqual(row(30, 30));
  });

  it('keeps the request for newer rows over a failure', async () => {
    const { list, window } = await openWithNewer();
    list.state.failing = new Error('away');
    window.loadNewer();
    await settle(window);
    expect(window.read()).toMatchObject({
      failure: { error: list.state.failing },
      wantsNewer: true,
      newer: { count: 1 },
    });
    list.state.failing = null;
    window.retry();
    await settle(window);
    expect(window.read()).toMatchObject({ failure: null, wantsNewer: false, newer: { count: 0 } });
    expect(window.rowAt(0)).toEqual(row(30, 30));
  });

  it('sends no request after it is closed', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc');
    window.setViewport({ from: 0, to: 1, loadsMore: true, reloads: true });
    window.loadNewer();
    window.close();
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    expect(list.state.requested).toHaveLength(1);
  });

  it('oldest first, does not check for newer rows before the end', async () => {
    const list = createList(twenty, { ...usual, direction: 'asc' });
    const window = open(list, 'asc');
    await scrollTo(window, 0);
    await window.checkForNewer();
    expect([window.read().newer.checkedAt, list.state.requested.length]).toEqual([null, 1]);
    await walk(window);
    await window.checkForNewer();
    expect(window.read().newer.checkedAt).toBe(5);
  });

  it('loads pages until an instant is reached, and stops on request', async () => {
    const list = createList(twenty, { ...usual, limit: 2 });
    const window = open(list, 'desc', 3, 0);
    await scrollTo(window, 0);
    window.loadUntil(row(9, 0).time);
    await settle(window);
    expect([window.read().list.rowCount, window.read().goal]).toEqual([12, null]);
    window.loadUntil(row(0, 0).time);
    window.loadUntil(null);
    await settle(window);
    expect(window.read().list.rowCount).toBe(14);
  });

  it.each([
    ['a page whose rows were dropped', 1],
    ['a page without new rows', 6],
  ])('ends at a repeated cursor: that of %s', async (_, again) => {
    const pageAt = (at: number): PageResponse<RowKey> => {
      const data = at === 6 ? [row(5, 5)] : [row(at, at)];
      return { ...PROOF, value: { data, pagination: { cursor: String(at === 9 ? again : at + 1) as Cursor } } };
    };
    const requested: (string | null)[] = [];
    const window = createPageWindow({
      ...{ direction: 'asc', maxPages: 3, prefetchRows: 2, now: () => 5 },
      fetchPage: (cursor) => {
        requested.push(cursor);
        return Promise.resolve(pageAt(Number(cursor ?? 0)));
      },
    });
    for (let at = 0; at < 9; at++) await scrollTo(window, at);
    expect([window.read().end, window.read().list.rowCount]).toEqual(['repeated cursor', 9]);
    expect(requested).toEqual([null, '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it.each([
    ['repeats the page before', [0, 1, 2], ['3 rows up to it']],
    ['overlaps the page before, since rows arrived', [1, 2, 3], []],
    ['begins with the last row again', [2], []],
    ['continues', [3, 4, 5], []],
  ])('names a page that leads no further: one that %s', async (_, after, found) => {
    const pages = [[0, 1, 2], after].map((nanos, at): PageResponse<RowKey> => {
      const data = nanos.map((each) => row(each, each));
      return { ...PROOF, value: { data, pagination: at === 0 ? { cursor: '1' as Cursor } : {} } };
    });
    const window = createPageWindow({
      ...{ direction: 'asc', maxPages: 3, prefetchRows: 9, now: () => 5 },
      fetchPage: (cursor) => Promise.resolve(pages[Number(cursor ?? 0)] ?? expect.fail()),
    });
    await scrollTo(window, 0);
    await scrollTo(window, 2);
    expect(window.read().end).toBe('no cursor');
    expect(window.read().deviations.map((deviation) => deviation.found)).toEqual(found);
  });

  it('stops reading when every row fails validation', async () => {
    const list = createList(
      Array.from({ length: 3_000 }, (_, at) => row(at, at)),
      { ...usual, limit: 400, isBad: () => true },
    );
    const window = open(list, 'desc');
    await scrollTo(window, 0);
    expect([list.state.requested.length, window.read().setAside.size, window.read().end]).toEqual([3, 1_200, null]);
  });

  it('starts over when there are more new rows than it reads to find its own', async () => {
    const list = createList(twenty, { ...usual, limit: 1 });
    const window = open(list, 'desc', 20, 0);
    await scrollTo(window, 0, 3);
    for (let id = 30; id < 60; id++) list.add(row(id, id));
    window.loadNewer();
    await settle(window);
    expect(await walk(window)).toEqual(idsOf(list.sorted()));
  });
});
