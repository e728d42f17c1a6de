import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderId } from '#contract/ids.ts';
import { formatInstant, type EpochNanos } from '#contract/instant.ts';
import type { Cursor } from '#contract/paging.ts';
import { createPageWindow } from './create-page-window.ts';
import type { PageWindow } from './page-window.ts';
import { compareInReading, type Direction, type Place } from './place.ts';
import type { PageAnswer } from './window-state.ts';

interface ListSettings {
  readonly direction: Direction;
  readonly limit: number;
  readonly end: 'same' | 'absent' | 'empty';
  /** Which rows are not to be believed. */
  readonly isBad?: (place: Place) => boolean;
}

const NOON = 1_787_000_000_000_000_000n;

/** Few different times, a nanosecond apart: most rows share theirs with others. */
function row(nanos: number, id: number): Place {
  return { time: formatInstant((NOON + BigInt(nanos)) as EpochNanos), id: String(7_674_028_327_896_836_521n + BigInt(id)) as OrderId };
}

/** A venue's list, which grows while it is read. */
function createList(rows: readonly Place[], { direction, limit, end, isBad = () => false }: ListSettings) {
  const all = new Map(rows.map((place) => [place.id, place]));
  const state = { asked: [] as (string | null)[], failing: null as Error | null };
  const sorted = (): readonly Place[] => [...all.values()].sort((a, b) => compareInReading(a, b, direction));
  const ask = (cursor: Cursor | null): Promise<PageAnswer<Place>> => {
    state.asked.push(cursor);
    if (state.failing !== null) return Promise.reject(state.failing);
    const [time = '', id = ''] = cursor?.split('|') ?? [];
    const after = { time, id } as Place;
    const told = sorted().filter((place) => cursor === null || compareInReading(place, after, direction) > 0).slice(0, limit);
    const last = told.at(-1);
    const data = told.filter((place) => !isBad(place));
    const setAside = [...told.entries()].flatMap(([index, place]) => (isBad(place) ? [{ index, row: { id: place.id, time: null }, deviations: [FAULT] }] : []));
    const next = told.length < limit && end !== 'same' ? END[end] : { cursor: (last ? `${last.time}|${last.id}` : cursor) as Cursor | null };
    return Promise.resolve({ ...PROOF, setAside, deviations: setAside.flatMap(() => ({ ...FAULT, place: '$.data[].time', count: 1 })), value: { data, pagination: next } });
  };
  return { ask, state, sorted, add: (place: Place) => all.set(place.id, place) };
}

const FAULT = { kind: 'wrong type', path: '$.data[0].time', expected: 'string', found: 'null' } as const;
const END = { absent: {}, empty: { cursor: '' as Cursor } } as const;
const PROOF: Omit<PageAnswer<Place>, 'value'> = {
  ...{ endpoint: 'orders', target: '/api/orders', answeredAt: null, receivedAt: 0, ageSeconds: 0, cache: 'venue', requestId: null },
  ...{ setAside: [], deviations: [], freshSeconds: null, staleBecause: null, tag: null },
};

function open(list: ReturnType<typeof createList>, direction: Direction, mostPages = 3, ahead = 2): PageWindow<Place> {
  return createPageWindow({ ask: (cursor) => list.ask(cursor), direction, mostPages, ahead, now: () => 5 });
}

async function settle(window: PageWindow<Place>): Promise<void> {
  while (window.read().doing !== null) await Promise.resolve();
}

async function look(window: PageWindow<Place>, from: number, to = from + 1): Promise<void> {
  window.show({ from, to, readsOn: true, rereads: true });
  await settle(window);
  const { spans, inMemory } = window.read().list;
  expect(inMemory).toEqual([...spans.keys()].filter((at) => spans[at]?.held !== null));
}

/** Row after row from the top, or from the end back. */
async function walk(window: PageWindow<Place>, back = false): Promise<readonly (OrderId | undefined)[]> {
  const ids: (OrderId | undefined)[] = [];
  await look(window, 0);
  if (back) for (let behind = 1; behind <= window.read().list.rowCount; behind++) ids.unshift(await idFromEnd(window, behind));
  else for (let at = 0; at < window.read().list.rowCount; at++) ids.push(await idAt(window, at));
  return ids;
}

/** A page that is read again may have grown, which moves what lies behind it. */
async function idFromEnd(window: PageWindow<Place>, behind: number): Promise<OrderId | undefined> {
  const at = window.read().list.rowCount - behind;
  const id = await idAt(window, at);
  return at === window.read().list.rowCount - behind ? id : idFromEnd(window, behind);
}

async function idAt(window: PageWindow<Place>, at: number): Promise<OrderId | undefined> {
  await look(window, at);
  return window.rowAt(at)?.id;
}

const idsOf = (rows: readonly Place[]): readonly OrderId[] => rows.map(({ id }) => id);

const settings = fc.record({
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 5 }),
  end: fc.constantFrom('same' as const, 'absent' as const, 'empty' as const),
});
const oldRows = fc.uniqueArray(fc.nat(400), { maxLength: 40 }).chain((ids) => fc.tuple(...ids.map((id) => fc.nat(6).map((nanos) => row(nanos, id)))));
/** Later than all old ones, with larger ids. */
const newRows = fc.uniqueArray(fc.integer({ min: 500, max: 900 }), { maxLength: 25 }).chain((ids) => fc.tuple(...ids.map((id) => fc.integer({ min: 6, max: 9 }).map((nanos) => row(nanos, id)))));

describe('a window on a list', () => {
  it('shows every row once on the way down and on the way back, whatever ties there are and wherever pages end', async () => {
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

  it('loses and repeats nothing when rows come while it is read: they wait until they are taken', async () => {
    await fc.assert(
      fc.asyncProperty(settings, oldRows, newRows, fc.nat(20), async (chosen, rows, late, when) => {
        const list = createList(rows, chosen);
        const window = open(list, chosen.direction);
        await look(window, when);
        const first = window.read().list.rowCount;
        const coming = late.toSorted((a, b) => compareInReading(a, b, 'asc'));
        const half = Math.floor(coming.length / 2);
        for (const place of coming.slice(0, half)) list.add(place);
        const seen = await walk(window);
        const before = idsOf([...rows].sort((a, b) => compareInReading(a, b, chosen.direction)));
        if (chosen.direction === 'desc' && first > 0) expect(seen).toEqual(before);
        expect(new Set(seen).size).toBe(seen.length);
        for (const more of [[], coming.slice(half)]) {
          for (const place of more) list.add(place);
          window.takeNewer();
          await settle(window);
          const after = await walk(window);
          expect([after, await walk(window, true)]).toEqual([idsOf(list.sorted()), idsOf(list.sorted())]);
        }
      }),
    );
  });

  it('counts each row that is not to be believed once, wherever pages end, are read again or begin anew', async () => {
    await fc.assert(
      fc.asyncProperty(settings, fc.nat(30), fc.nat(30), async (chosen, count, late) => {
        const isBad = ({ id }: Place): boolean => BigInt(id) % 3n === 0n;
        const numbered = Array.from({ length: count + late }, (_, at) => row(Math.floor(at / 2), at));
        const list = createList(numbered.slice(0, count), { ...chosen, isBad });
        const window = open(list, chosen.direction);
        const truth = (): readonly unknown[] => [idsOf(list.sorted().filter((place) => !isBad(place))), list.sorted().filter(isBad).length];
        const told = async (back: boolean): Promise<readonly unknown[]> => [await walk(window, back), window.read().setAside.size];
        expect([await told(false), await told(true)]).toEqual([truth(), truth()]);
        for (const place of numbered.slice(count)) list.add(place);
        window.takeNewer();
        await settle(window);
        expect([await told(false), await told(true)]).toEqual([truth(), truth()]);
      }),
    );
  });

  it('brings what came late into a stretch that was dropped, and pushes nothing out of it', async () => {
    await fc.assert(
      fc.asyncProperty(settings, oldRows, fc.uniqueArray(fc.integer({ min: 401, max: 450 }), { maxLength: 12 }), async (chosen, rows, ids) => {
        const list = createList(rows, chosen);
        const window = open(list, chosen.direction);
        const before = new Set(await walk(window));
        for (const id of ids) list.add(row(3, id));
        const after = await walk(window, true);
        expect(new Set(after).size).toBe(after.length);
        expect([...before].filter((id) => !after.includes(id))).toEqual([]);
      }),
    );
  });

  it('holds a bounded number of pages, those looked at and the first among them', async () => {
    await fc.assert(
      fc.asyncProperty(settings, oldRows, fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }), async (chosen, rows, looks) => {
        const window = open(createList(rows, chosen), chosen.direction, 4, 0);
        await walk(window);
        for (const at of looks) {
          await look(window, at);
          const { list } = window.read();
          expect(list.spans.filter(({ held }) => held !== null).length).toBeLessThanOrEqual(4);
          expect(window.rowAt(at) === undefined).toBe(at >= list.rowCount);
        }
      }),
    );
  });
});

const twenty = Array.from({ length: 20 }, (_, index) => row(index, index));
const usual = { direction: 'desc', limit: 5, end: 'same' } as const;

/** What the venue lists is known to be longer by one than what is shown. */
async function openWithNewer() {
  const list = createList(twenty, usual);
  const window = open(list, 'desc');
  await look(window, 0, 3);
  list.add(row(30, 30));
  await window.lookForNewer();
  return { list, window };
}

describe('reading', () => {
  it('asks for no page twice that it still holds, and for the next only when its end comes near', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc', 3, 1);
    await look(window, 0, 2);
    await look(window, 1, 3);
    expect(list.state.asked).toHaveLength(1);
    await look(window, 2, 4);
    expect(list.state.asked).toHaveLength(2);
    window.show({ from: 9, to: 10, readsOn: false, rereads: true });
    await settle(window);
    expect(list.state.asked).toHaveLength(2);
  });

  it('neither brings back nor holds all that lies between rows far apart, when nobody asks for it', async () => {
    const list = createList(Array.from({ length: 60 }, (_, index) => row(index, index)), { ...usual, limit: 1 });
    const window = open(list, 'desc', 10, 0);
    await walk(window);
    const asked = list.state.asked.length;
    for (const [from, to] of [[0, 60], [20, 50], [59, 60]] as const) {
      window.show({ from, to, readsOn: true, rereads: false });
      await settle(window);
      expect(window.read().list.spans.filter(({ held }) => held !== null)).toHaveLength(10);
    }
    expect(list.state.asked).toHaveLength(asked);
    await look(window, 30);
    expect([list.state.asked.length, window.rowAt(30)]).toEqual([asked + 1, row(29, 29)]);
  });

  it('keeps what it has when the venue fails midway, says why, and goes on from there when asked to', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc');
    await look(window, 0, 4);
    list.state.failing = new Error('away');
    await look(window, 7, 10);
    await look(window, 8, 11);
    expect([window.read().list.rowCount, window.read().trouble, window.rowAt(9)?.id]).toEqual([10, { error: list.state.failing, at: 5 }, twenty[10]?.id]);
    const asked = list.state.asked.length;
    window.retry();
    expect(window.read()).toMatchObject({ trouble: { error: list.state.failing }, doing: 'more' });
    await settle(window);
    list.state.failing = null;
    window.retry();
    await settle(window);
    expect([window.read().trouble, list.state.asked.length > asked, window.read().list.rowCount]).toEqual([null, true, 15]);
  });

  it('says how many are newer without changing what is shown', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc');
    await look(window, 0, 3);
    for (const id of [30, 31]) list.add(row(id, id));
    await window.lookForNewer();
    expect([window.read().newer.count, window.read().newer.isLeast, window.rowAt(0)?.id]).toEqual([2, false, twenty[19]?.id]);
    for (const id of [32, 33, 34]) list.add(row(id, id));
    await window.lookForNewer();
    expect([window.read().newer.count, window.read().newer.isLeast]).toEqual([5, true]);
    window.takeNewer();
    await settle(window);
    expect([window.read().newer.count, window.rowAt(5)?.id]).toEqual([0, twenty[19]?.id]);
  });

  it.each(['desc', 'asc'] as const)('says how many of the newest page have changed, and puts them in place when asked to, read %s', async (direction) => {
    const list = createList(twenty, { direction, limit: 30, end: 'absent' });
    const window = open(list, direction);
    await look(window, 3);
    await window.lookForNewer();
    expect(window.read().newer).toMatchObject({ count: 0, changed: 0 });
    const closed = { ...row(16, 16), status: 'Closed' };
    list.add(closed);
    list.add(row(30, 30));
    await window.lookForNewer();
    expect(window.read().newer).toMatchObject({ count: 1, changed: 1 });
    const place = list.sorted().indexOf(closed);
    expect(window.rowAt(direction === 'desc' ? place - 1 : place)).toEqual(row(16, 16));
    window.takeNewer();
    await settle(window);
    expect([window.read().newer, window.rowAt(place), window.read().list.rowCount]).toEqual([{ count: 0, isLeast: false, changed: 0, lookedAt: 5, error: null }, closed, 21]);
  });

  it('reads what is newer after the page that is being read, when it is wanted meanwhile', async () => {
    const { window } = await openWithNewer();
    window.show({ from: 7, to: 9, readsOn: true, rereads: true });
    window.takeNewer();
    expect(window.read()).toMatchObject({ doing: 'more', wantsNewer: true });
    await settle(window);
    expect(window.read()).toMatchObject({ wantsNewer: false, newer: { count: 0 }, list: { rowCount: 16 } });
    expect(window.rowAt(0)).toEqual(row(30, 30));
  });

  it('wants what is newer until it has it, over a failure too', async () => {
    const { list, window } = await openWithNewer();
    list.state.failing = new Error('away');
    window.takeNewer();
    await settle(window);
    expect(window.read()).toMatchObject({ trouble: { error: list.state.failing }, wantsNewer: true, newer: { count: 1 } });
    list.state.failing = null;
    window.retry();
    await settle(window);
    expect(window.read()).toMatchObject({ trouble: null, wantsNewer: false, newer: { count: 0 } });
    expect(window.rowAt(0)).toEqual(row(30, 30));
  });

  it('asks for nothing more once it is closed, whatever was wanted', async () => {
    const list = createList(twenty, usual);
    const window = open(list, 'desc');
    window.show({ from: 0, to: 1, readsOn: true, rereads: true });
    window.takeNewer();
    window.close();
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    expect(list.state.asked).toHaveLength(1);
  });

  it('oldest first, has not looked for anything newer before it came to the end', async () => {
    const list = createList(twenty, { ...usual, direction: 'asc' });
    const window = open(list, 'asc');
    await look(window, 0);
    await window.lookForNewer();
    expect([window.read().newer.lookedAt, list.state.asked.length]).toEqual([null, 1]);
    await walk(window);
    await window.lookForNewer();
    expect(window.read().newer.lookedAt).toBe(5);
  });

  it('goes on by itself until a moment is reached, and stops when told to', async () => {
    const list = createList(twenty, { ...usual, limit: 2 });
    const window = open(list, 'desc', 3, 0);
    await look(window, 0);
    window.readUntil(row(9, 0).time);
    await settle(window);
    expect([window.read().list.rowCount, window.read().goal]).toEqual([12, null]);
    window.readUntil(row(0, 0).time);
    window.readUntil(null);
    await settle(window);
    expect(window.read().list.rowCount).toBe(14);
  });

  it.each([
    ['pages whose rows were dropped', 1],
    ['a page that brought nothing of its own', 6],
  ])('ends where a cursor comes again, be it that of %s', async (_, again) => {
    const pageAt = (at: number): PageAnswer<Place> => {
      const data = at === 6 ? [row(5, 5)] : [row(at, at)];
      return { ...PROOF, value: { data, pagination: { cursor: String(at === 9 ? again : at + 1) as Cursor } } };
    };
    const asked: (string | null)[] = [];
    const window = createPageWindow({
      ...{ direction: 'asc', mostPages: 3, ahead: 2, now: () => 5 },
      ask: (cursor) => {
        asked.push(cursor);
        return Promise.resolve(pageAt(Number(cursor ?? 0)));
      },
    });
    for (let at = 0; at < 9; at++) await look(window, at);
    expect([window.read().end, window.read().list.rowCount]).toEqual(['repeated cursor', 9]);
    expect(asked).toEqual([null, '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('asks for no more where nothing comes but rows that are not to be believed', async () => {
    const list = createList(Array.from({ length: 3_000 }, (_, at) => row(at, at)), { ...usual, limit: 400, isBad: () => true });
    const window = open(list, 'desc');
    await look(window, 0);
    expect([list.state.asked.length, window.read().setAside.size, window.read().end]).toEqual([3, 1_200, null]);
  });

  it('begins anew where more came than it reads to find what it had', async () => {
    const list = createList(twenty, { ...usual, limit: 1 });
    const window = open(list, 'desc', 20, 0);
    await look(window, 0, 3);
    for (let id = 30; id < 60; id++) list.add(row(id, id));
    window.takeNewer();
    await settle(window);
    expect(await walk(window)).toEqual(idsOf(list.sorted()));
  });
});
