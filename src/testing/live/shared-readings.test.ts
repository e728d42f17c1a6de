import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { createParser } from 'eventsource-parser';
import { expect, test, vi } from 'vitest';
import { createTopicCopy } from '#page/client/live/topic-copy.ts';
import { LIVE_EVENTS, type TopicEventName } from '#contract/desk/live.ts';
import { rowsFieldOf, TOPICS } from '#contract/desk/topics.ts';
import type { Store } from '#server/store/store.ts';
import { createLeaderStore } from '#server/store/leader-store.ts';
import { leaderEpochs } from '#server/store/tables.ts';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import type { RequestContext } from '#server/web/request-context.ts';
import { createHub } from '#server/push/hub.ts';
import { createLiveRoute } from '#server/push/live-route.ts';
import { openSharing } from '#server/push/open-sharing.ts';
import { createViewedFeeds } from '#server/push/viewed-feeds.ts';
import { createFindOwn } from '#server/readings/working-orders/describe-working-set.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { openShared } from '../server-store/lease-suite.ts';
import { newMemory } from '../server-store/store-location.ts';
import { toWorkingProof } from '../working-proof.ts';

const NAMES = ['working-orders', 'product-data'] as const;
type Name = (typeof NAMES)[number];
const OWN: Viewer = {
  ...LOCAL_VIEWER,
  scope: { accounts: new Set(['OWN']), firms: new Set(), connections: new Set() },
  entitlement: 'own',
};
const PROBLEM = { type: 'a', title: 'b', status: 500, detail: 'c', instance: 'd' };
const FIRST_AT = Date.parse('2026-08-17T10:00:00Z');
const SECOND_MS = 1_000;
const fail = (): never => {
  throw new VenueFailure({ type: 'budget-spent', detail: 'spent' });
};

interface Order {
  readonly id: string;
  readonly account_id: string;
  readonly price: number;
}

type Shown = readonly object[] | { readonly orders: readonly object[] };

function rowsOf(shown: Shown): readonly object[] {
  return 'orders' in shown ? shown.orders : shown;
}

const RUNS = 30;
const PATIENCE = { timeout: 5_000, interval: 1 };

interface Product {
  readonly product_id: number;
  readonly last: number;
}

/** What the exchange has; null if it fails. */
interface Truth {
  'working-orders': readonly Order[] | null;
  'product-data': readonly Product[] | null;
}

/** Each response has a time of its own. */
function toText(truth: Truth, name: Name, reading: number): string {
  const rows = truth[name] ?? fail();
  if (name === 'product-data') return JSON.stringify(rows);
  const at = new Date(FIRST_AT + reading).toISOString();
  const facts = { ...toWorkingProof(rows.length, true), drop: null, read_from: at, read_to: at };
  return `${JSON.stringify(facts).slice(0, -1)},"orders":${JSON.stringify(rows)}}`;
}

/** Desks on one store, one of which is the leader. They look for readings only at the test’s command. */
function openDesks(store: Store, truth: Truth, clock: FakeClock) {
  let leader = 0;
  let epoch = 0;
  let reads = 0;
  const names = createSealedTexts('secret', 'live');
  const desks = Array.from({ length: 3 }, (_, own) => openDesk(own));

  function openDesk(own: number) {
    let ownEpoch = 0;
    let composed: Promise<unknown> = Promise.resolve();
    let look = (): void => undefined;
    const parts = { now: () => 0, elapsed: clock.elapsed, venueNow: () => null, log: () => undefined };
    const lease = {
      isHeld: () => leader === own,
      epoch: () => ownEpoch,
      onChange: () => undefined,
    };
    const sharing = openSharing({
      ...parts,
      desk: String(own),
      names,
      store,
      leaderStore: createLeaderStore(store, lease),
      lease,
      isAlone: () => false,
      missing: () => [],
      schedule: (_, call) => {
        look = call;
        return () => undefined;
      },
    });
    const hub = createHub({
      ...parts,
      schedule: clock.schedule,
      sharing,
      read: ({ name }) => {
        reads += 1;
        return Promise.resolve({ text: toText(truth, name as Name, reads), cost: 1, sent: 1 });
      },
      toProblem: () => PROBLEM,
      aliasOf: (_, code) => code,
      rateLimiter: { shareOf: () => null },
    });
    const findOwn = createFindOwn(sharing.missing);
    const feeds = createViewedFeeds({
      ...parts,
      hub,
      responders: { status: fail, alerts: fail, working: fail },
      findOwn: async (...given) => {
        await composed;
        return findOwn(...given);
      },
      toProblem: () => PROBLEM,
      schedule: clock.schedule,
    });
    const route = createLiveRoute({
      cursors: hub.cursors,
      feeds,
      look: sharing.look,
      isCompressed: false,
      schedule: clock.schedule,
    });
    sharing.start(hub.shared);
    return {
      ...{ hub, route, sharing },
      look: () => {
        look();
      },
      begin: (next: number) => (ownEpoch = next),
      /** Makes parts wait until the function that it returns is called. */
      hold: () => {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        composed = promise;
        return () => {
          resolve(undefined);
        };
      },
    };
  }

  const at = (index: number): (typeof desks)[number] => {
    const desk = desks[index];
    if (desk === undefined) throw new Error('no such desk');
    return desk;
  };

  return {
    desks,
    reads: () => reads,
    at,
    leader: () => at(leader),
    lead: async (next: number): Promise<void> => {
      epoch += 1;
      await store.mustWrite(({ write }) => write([{ table: leaderEpochs, rows: [[1, epoch]] }]));
      desks[next]?.begin(epoch);
      leader = next;
      for (const { look } of desks) look();
      await settle();
    },
  };
}

type Desks = ReturnType<typeof openDesks>;

/** A browser, which goes from desk to desk with its last id, and takes what it is sent at the test’s command. */
function openBrowser(viewer: Viewer) {
  const books = new Map(NAMES.map((name) => [name, createTopicCopy(TOPICS[name], rowsFieldOf(TOPICS[name]))]));
  const lost: string[] = [];
  const readings: string[] = [];
  let waiting = '';
  let lastId = '';
  let response: ServerResponse | null = null;
  const parser = createParser({
    onEvent: ({ event = '', data }) => {
      if (!Object.hasOwn(LIVE_EVENTS, event)) return;
      const { topic } = JSON.parse(data) as { topic: Name };
      const update = books.get(topic)?.apply(event as TopicEventName, data);
      // Whatever was applied twice, or left out, is found by its checksum.
      if (update?.kind === 'lost') lost.push(data);
      const whole = topic === NAME_OF_ORDERS ? (books.get(topic)?.whole() ?? null) : null;
      if (whole !== null) readings.push((JSON.parse(whole.text) as { readonly read_to: string }).read_to);
    },
    onId: (id) => {
      lastId = id;
    },
  });
  return {
    lost,
    /** The times of the readings of orders that it has shown, one after the other. */
    readings,
    take: (share = 1): void => {
      const events = waiting.split(/(?<=\n\n)/);
      const taken = events.slice(0, Math.ceil(events.length * share));
      parser.feed(taken.join(''));
      waiting = events.slice(taken.length).join('');
    },
    goTo: (desk: Desks['desks'][number]): void => {
      response?.destroy();
      parser.reset();
      waiting = '';
      const request = new IncomingMessage(new Socket());
      request.headers['last-event-id'] = lastId;
      response = new ServerResponse(request);
      const here = response;
      Object.assign(response, {
        write: (bytes: Buffer) => void (waiting += here === response ? bytes.toString() : ''),
      });
      const rawQuery = NAMES.flatMap((name) => [
        `topic=${name}`,
        ...((books.get(name)?.whole() ?? null) === null ? [`fresh=${name}`] : []),
      ]).join('&');
      void desk.route.handle({ request, response, requestId: 'r', rawQuery, viewer } as RequestContext);
    },
    /** The rows have no order. */
    shown: () =>
      NAMES.map((name) => {
        const found = JSON.parse(books.get(name)?.whole()?.text ?? 'null') as Shown | null;
        if (found === null) return null;
        const facts = 'orders' in found ? { ...found, orders: null } : null;
        return {
          facts,
          rows: rowsOf(found)
            .map((row) => JSON.stringify(row))
            .toSorted(),
        };
      }),
    leave: () => response?.destroy(),
  };
}

/** Lets compression and streams finish, for which the clock stands still. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

const compress = promisify(zstdCompress);

/**
 * The same on a machine of any speed. Compressions begin in order, so that of a reading is over once as many more as
 * there are threads are.
 */
async function settleWholly(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await Promise.all(Array.from({ length: 4 }, () => compress('')));
    await settle();
  }
}

const orders = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('1', '2', '3', '4'),
    account_id: fc.constantFrom('OWN', 'FOREIGN'),
    price: fc.nat(2),
  }),
  { selector: ({ id }) => id },
);
const products = fc.uniqueArray(fc.record({ product_id: fc.nat(2), last: fc.nat(2) }), {
  selector: ({ product_id: id }) => id,
});
const desk = fc.nat(2);
type Event =
  | { readonly name: Name; readonly reads: readonly Order[] | readonly Product[] | null }
  | { readonly looks: number }
  | { readonly browser: number; readonly goesTo: number }
  | { readonly browser: number; readonly takes: number }
  | { readonly leads: number }
  | { readonly holds: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constant(NAMES[0]), reads: fc.option(orders, { freq: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant(NAMES[1]), reads: fc.option(products, { freq: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ looks: desk }) },
  { weight: 3, arbitrary: fc.record({ browser: fc.nat(3), goesTo: desk }) },
  { weight: 2, arbitrary: fc.record({ browser: fc.nat(3), takes: fc.constantFrom(0.3, 0.7, 1) }) },
  fc.record({ leads: desk }),
  fc.record({ holds: desk }),
);

const [NAME_OF_ORDERS, NAME_OF_PRODUCTS] = NAMES;
const [before, after] = [1, 2].map((price) => ({ id: '1', account_id: 'OWN', price })) as [Order, Order];
const SEEN_BY_ALL: readonly Event[] = [
  { name: NAME_OF_ORDERS, reads: [before] },
  { looks: 1 },
  { looks: 2 },
  { browser: 1, takes: 1 },
];
const PRODUCT: Event = { name: NAME_OF_PRODUCTS, reads: [{ product_id: 1, last: 1 }] };

/** Sequences that chance rarely finds. */
const SEQUENCES: Readonly<Record<string, readonly Event[]>> = {
  'a browser is sent another topic while its part of a reading is composed, and leaves for a desk that has both': [
    ...SEEN_BY_ALL,
    { holds: 1 },
    { name: NAME_OF_ORDERS, reads: [after] },
    { looks: 1 },
    PRODUCT,
    { looks: 1 },
    { browser: 1, takes: 1 },
    { looks: 2 },
    { browser: 1, goesTo: 2 },
    { looks: 2 },
    { browser: 1, takes: 1 },
  ],
  'it leaves for a desk that has neither': [
    ...SEEN_BY_ALL,
    { holds: 1 },
    { name: NAME_OF_ORDERS, reads: [after] },
    PRODUCT,
    { looks: 1 },
    { browser: 1, takes: 1 },
    { browser: 1, goesTo: 2 },
    { browser: 1, takes: 1 },
  ],
  'a browser has its part of a reading that the next desk is still composing': [
    ...SEEN_BY_ALL,
    { holds: 2 },
    { name: NAME_OF_ORDERS, reads: [after] },
    { looks: 1 },
    { browser: 1, takes: 1 },
    { browser: 1, goesTo: 2 },
    { browser: 1, takes: 1 },
  ],
  'a browser has a reading that is no longer stored when the next desk looks': [
    ...SEEN_BY_ALL,
    { browser: 0, goesTo: 2 },
    { name: NAME_OF_ORDERS, reads: [after] },
    PRODUCT,
    { looks: 2 },
    { browser: 0, takes: 1 },
    ...Array.from({ length: 5 }, () => ({ name: NAME_OF_ORDERS, reads: [before] })),
    { looks: 1 },
    { browser: 0, goesTo: 1 },
    { browser: 0, takes: 1 },
  ],
  'a browser has a reading that the leader kept to itself, since no other desk followed the topic': [
    ...SEEN_BY_ALL,
    ...[0, 1, 2, 3].map((browser) => ({ browser, goesTo: 0 })),
    ...[1, 2, 0].map((looks) => ({ looks })),
    { name: NAME_OF_ORDERS, reads: [after] },
    { browser: 1, takes: 1 },
    { browser: 1, goesTo: 1 },
    { looks: 1 },
    { browser: 1, takes: 1 },
  ],
};

const examples = Object.values(SEQUENCES).map((events): [Event[], Order[], Product[]] => [[...events], [after], []]);

test('at several desks, any sequence of readings, failures, takeovers and moves ends in what a fresh page shows, and no browser is set back, or applies a reading twice or leaves one out', async () => {
  const store = await openShared(await newMemory());
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 24 }), orders, products, async (events, ...last) => {
      for (const table of ['topic_reading', 'followed_topic', 'leader_epoch'])
        await store.driver.write([{ name: `clear ${table}`, sql: `DELETE FROM ${table}`, values: [] }]);
      const clock = createFakeClock();
      const truth: Truth = { 'working-orders': [], 'product-data': [] };
      const { desks, at, leader, lead } = openDesks(store, truth, clock);
      const browsers = [LOCAL_VIEWER, OWN, OWN, LOCAL_VIEWER].map(openBrowser);
      const released: (() => void)[] = [];
      const read = async (name: Name): Promise<void> => {
        leader().hub.noteChange(name);
        await clock.advance(SECOND_MS);
        await settle();
      };
      const lookAtAll = async (): Promise<void> => {
        for (const { look } of [...desks, leader(), ...desks]) {
          look();
          await settle();
        }
      };

      const perform = async (each: Event): Promise<void> => {
        if ('reads' in each) {
          Object.assign(truth, { [each.name]: each.reads });
          await read(each.name);
        } else if ('looks' in each) at(each.looks).look();
        else if ('goesTo' in each) browsers[each.browser]?.goTo(at(each.goesTo));
        else if ('takes' in each) browsers[each.browser]?.take(each.takes);
        else if ('leads' in each) await lead(each.leads);
        else released.push(at(each.holds).hold());
        await settle();
      };

      await lead(0);
      for (const [index, browser] of browsers.entries()) browser.goTo(at(index % 3));
      await settle();
      await lookAtAll();
      for (const each of events) {
        await perform(each);
        expect(browsers.flatMap(({ lost }) => lost)).toEqual([]);
        for (const { readings } of browsers) expect(readings).toEqual(readings.toSorted());
      }
      for (const release of released) release();
      [truth['working-orders'], truth['product-data']] = last;
      await lookAtAll();
      for (const name of NAMES) await read(name);
      await lookAtAll();
      const fresh = [LOCAL_VIEWER, OWN, OWN, LOCAL_VIEWER].map(openBrowser);
      for (const browser of fresh) browser.goTo(leader());
      await vi.waitFor(async () => {
        await lookAtAll();
        // A reading that was under way is followed by another one.
        await clock.advance(SECOND_MS);
        for (const browser of [...browsers, ...fresh]) browser.take();
        expect(fresh[0]?.shown().map((shown) => shown?.rows.length)).toEqual(last.map(({ length }) => length));
        expect(browsers.map(({ shown }) => shown())).toEqual(fresh.map(({ shown }) => shown()));
      }, PATIENCE);
      expect([...browsers, ...fresh].flatMap(({ lost }) => lost)).toEqual([]);
      for (const browser of fresh) browser.leave();
      for (const browser of browsers) browser.leave();
      for (const { hub, sharing, route } of desks) {
        route.close();
        hub.close();
        await sharing.close();
      }
    }),
    { numRuns: RUNS, endOnFailure: true, examples },
  );
}, 300_000);

test('any number of streams at three desks costs as many reads as one', async () => {
  const readsFor = async (count: number): Promise<number> => {
    const clock = createFakeClock();
    const truth: Truth = { 'working-orders': [before], 'product-data': [] };
    const { desks, at, reads, lead } = openDesks(await openShared(await newMemory()), truth, clock);
    await lead(0);
    for (let index = 0; index < count; index++) openBrowser(index % 2 === 0 ? LOCAL_VIEWER : OWN).goTo(at(index % 3));
    await settleWholly();
    for (let second = 0; second < 30; second++) {
      for (const { look } of desks) look();
      await settleWholly();
      await clock.advance(SECOND_MS);
    }
    for (const { route, hub } of desks) {
      route.close();
      hub.close();
    }
    return reads();
  };
  const ofOne = await readsFor(1);
  expect(ofOne).toBeGreaterThan(5);
  expect(await readsFor(50)).toBe(ofOne);
});
