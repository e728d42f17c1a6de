import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { rowsFieldOf, TOPICS } from '#contract/desk/topics.ts';
import { createFindOwn } from '#server/readings/working-orders/describe-working-set.ts';
import { createRowReader } from '#server/core/row-list.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createCursors, joinMessages, type Tick } from './messages.ts';
import { createFeed, type Feed } from './feed.ts';
import { toTopicRequest, type TopicRequest } from './topic-request.ts';
import { createViewedFeeds, type ViewedFeeds } from './viewed-feeds.ts';
import type { Follower } from './followed-topic.ts';

interface Order {
  readonly id: string;
  readonly account_id: string;
  readonly price: number;
}

interface Reading {
  readonly orders: readonly Order[];
  readonly parts: number;
  /** Whether others have read the topic since, so that this reading is not compared with the previous one. */
  readonly isPolledBefore?: boolean;
}

const AT = '"2026-01-01T00:00:00.000Z"';
const OWN: Viewer = {
  ...LOCAL_VIEWER,
  scope: { accounts: new Set(['OWN']), firms: new Set(), connections: new Set() },
  entitlement: 'own',
};
const whole = toTopicRequest('working-orders');
const PROBLEM = { type: 'a', title: 'b', status: 500, detail: 'c', instance: 'd' };

function toText({ orders, parts }: Reading): string {
  const list = Array.from(
    { length: parts },
    (_, part) => `{"filter":{"account_id":"A${String(part)}"},"count":${String(orders.length)},"read_at":${AT}}`,
  );
  return `{"complete":true,"unproven":[],"parts":[${list.join(',')}],"round_seconds":${String(parts)},"read_from":${AT},"read_to":${AT},"orders":${JSON.stringify(orders)}}`;
}

function toRows(orders: readonly Order[]): string {
  return JSON.stringify(orders).slice(1, -1);
}

/** Feeds over one topic that is read on the test’s command. */
function openFeeds() {
  const cursors = createCursors();
  const followers = new Set<Follower>();
  const topic = TOPICS['working-orders'];
  const feed = createFeed({
    address: 'working-orders',
    topic,
    rowsField: rowsFieldOf(topic),
    cadence: () => ({ everySeconds: 5, sharedBy: 1 }),
    nextCursor: cursors.next,
    now: () => 0,
    venueNow: () => 0,
  });
  const fail = (): never => {
    throw new Error('not read in this test');
  };
  const feeds: ViewedFeeds = createViewedFeeds({
    hub: {
      cursors,
      hasSpaceFor: () => true,
      follow: (_, follower) => (followers.add(follower), feed),
      unfollow: (_, follower) => void followers.delete(follower),
    },
    responders: { status: fail, alerts: fail, working: fail },
    findOwn: createFindOwn(() => []),
    toProblem: fail,
    schedule: () => () => undefined,
    now: () => 0,
    venueNow: () => 0,
  });
  const readRows = createRowReader('id');
  const readAll = async (reading: Reading): Promise<void> => {
    if (reading.isPolledBefore === true) readRows([toRows(reading.orders.slice(1))]);
    await feed.update({ text: toText(reading), step: readRows([toRows(reading.orders)]), cost: 1, sent: 1 });
  };
  const read = async (reading: Reading | null): Promise<void> => {
    await (reading === null ? feed.fail(PROBLEM) : readAll(reading));
    for (const { onChange } of followers) onChange();
  };
  return { feeds, read, followers };
}

/** Follows like a stream, and resolves at the next change. */
function follow(feeds: ViewedFeeds, request: TopicRequest, viewer: Viewer) {
  let onChange = (): void => undefined;
  const follower = {
    payers: () => [viewer.payer],
    onChange: () => {
      onChange();
    },
  };
  const feed: Feed = feeds.follow(request, viewer, follower);
  return {
    feed,
    follower,
    changed: () =>
      new Promise<void>((resolve) => {
        onChange = resolve;
      }),
  };
}

/**
 * Returns what two streams are sent after each reading, null for a failed one: one that follows throughout, and one
 * that comes back after every other reading.
 */
async function sendAll(readings: readonly (Reading | null)[]): Promise<string> {
  const { feeds, read } = openFeeds();
  const { feed, changed } = follow(feeds, whole, OWN);
  const sent: string[] = [];
  let [held, heldByOther]: [Tick | null, Tick | null] = [null, null];
  const send = async (from: Tick | null): Promise<Tick | null> => {
    const { tick, frames: messages } = await feed.catchUp(from);
    sent.push(joinMessages(messages).plain.toString());
    return tick;
  };
  for (const [index, reading] of readings.entries()) {
    const isThere = changed();
    await read(reading);
    await isThere;
    sent.push(feed.latest()?.frame.plain.toString() ?? '');
    held = await send(held);
    if (index % 2 === 0) heldByOther = await send(heldByOther);
  }
  return sent.join('\n');
}

const order = fc.record({
  id: fc.constantFrom('1', '2', '3', '4'),
  account_id: fc.constantFrom('OWN', 'FOREIGN'),
  price: fc.nat(2),
});
const foreign = fc.record({
  id: fc.integer({ min: 5, max: 40 }).map(String),
  account_id: fc.constantFrom('FOREIGN', 'OTHER'),
  price: fc.nat(2),
});
const unique = { selector: ({ id }: Order) => id };
const step = fc.record({
  orders: fc.uniqueArray(order, unique),
  foreign: fc.uniqueArray(foreign, unique),
  parts: fc.integer({ min: 1, max: 3 }),
  isPolledBefore: fc.boolean(),
});
const reading = fc.option(step, { freq: 3 });

test('a stream that may see one account is sent the same, whatever is in the others, how much and how often it changes, and whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 6 }), async (steps) => {
      const alone = steps.map(
        (each) => each && { orders: each.orders.filter(({ account_id: account }) => account === 'OWN'), parts: 1 },
      );
      const among = steps.map(
        (each) =>
          each && {
            orders: [...each.foreign, ...each.orders],
            parts: each.parts,
            isPolledBefore: each.isPolledBefore,
          },
      );
      const sent = await sendAll(among);
      expect(sent).toBe(await sendAll(alone));
      expect(sent).not.toMatch(/FOREIGN|OTHER/);
    }),
  );
});

test('nor does one that comes back after a failure miss what was read before it, or is it sent more of it than is theirs', async () => {
  const { feeds, read } = openFeeds();
  const { feed, changed } = follow(feeds, whole, OWN);
  const readAndTake = async (reading: Reading | null): Promise<void> => {
    const isThere = changed();
    await read(reading);
    await isThere;
  };
  const orders = [{ id: '1', account_id: 'OWN', price: 1 }];
  await readAndTake({ orders, parts: 1 });
  const held = feed.tick();
  await readAndTake({
    orders: [
      { id: '1', account_id: 'OWN', price: 2 },
      { id: '2', account_id: 'FOREIGN', price: 3 },
    ],
    parts: 2,
  });
  await readAndTake(null);
  const { frames: messages } = await feed.catchUp(held);
  const sent = joinMessages(messages).plain.toString();
  expect(Array.from(sent.matchAll(/^event: (.*)$/gm), ([, name]) => name)).toEqual(['delta', 'read', 'failed']);
  expect(sent).toMatch(/event: read\n.*"complete":true,.*"read_to":/);
  expect(sent).not.toContain('FOREIGN');
  const again = await feed.catchUp(feed.tick());
  expect(joinMessages(again.frames).plain.toString()).toMatch(/^event: failed\n.*\n\n$/);
});

test('those who may see all share the feed of the topic itself, and those who may see the same share one of their own', async () => {
  const { feeds, read, followers } = openFeeds();
  await read({ orders: [{ id: '1', account_id: 'FOREIGN', price: 1 }], parts: 2 });
  expect(follow(feeds, whole, LOCAL_VIEWER).feed.text()).toContain('FOREIGN');
  const [one, other] = [follow(feeds, whole, OWN), follow(feeds, whole, { ...OWN, id: 'another' })];
  expect(other.feed).toBe(one.feed);
  expect(follow(feeds, whole, { ...OWN, entitlement: 'other' }).feed).not.toBe(one.feed);
  expect(followers.size).toBe(3);
  for (const { follower } of [one, other]) feeds.unfollow(whole, OWN, follower);
  expect(followers.size).toBe(2);
});

test('what is sent of some orders is as the interface says, filtered as requested', async () => {
  const { feeds, read } = openFeeds();
  const [first] = sampleResponses.ordersWorking;
  const rows = [1, 2, 3].map((product) => ({
    ...first,
    id: String(product),
    product_id: product,
    account_id: product === 3 ? 'FOREIGN' : 'OWN',
  })) as unknown as readonly Order[];
  const { feed, changed } = follow(feeds, toTopicRequest('working-orders', [['product_id', '2']]), OWN);
  const isThere = changed();
  await read({ orders: rows, parts: 2 });
  await isThere;
  const response = createParser(DESK_ENDPOINTS.working.response).strict(feed.text() ?? '');
  expect(response).toMatchObject({
    complete: true,
    parts: [{ filter: { product_id: '2' }, count: 1 }],
    round_seconds: null,
    orders: [{ id: '2' }],
  });
});

test('the status, which says what its viewer follows, is shared by the streams of one person only', () => {
  const { feeds } = openFeeds();
  const status = toTopicRequest('status');
  const ofMarkets: Viewer = { ...OWN, roles: new Set(['markets']) };
  const feedOf = (payer: Viewer['payer']) => follow(feeds, status, { ...ofMarkets, payer }).feed;
  const ofAnn = feedOf('person ann');
  expect(feedOf('person ann')).toBe(ofAnn);
  expect(feedOf('person bob')).not.toBe(ofAnn);
});
