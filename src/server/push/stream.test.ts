import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beforeEach, expect, test, vi } from 'vitest';
import { rowsFieldOf, TOPICS } from '#contract/desk/topics.ts';
import { createCursors, type Cursors } from './messages.ts';
import { createFeed, type Feed } from './feed.ts';
import { openStream } from './live-route.ts';

const SECOND_MS = 1_000;
let now: number;
let cursors: Cursors;
let feed: Feed;

beforeEach(() => {
  now = 1_700_000_000_000;
  cursors = createCursors();
  const topic = TOPICS['working-orders'];
  feed = createFeed({
    address: 'working-orders',
    topic,
    rowsField: rowsFieldOf(topic),
    cadence: () => ({ everySeconds: 5, sharedBy: 1 }),
    nextCursor: cursors.next,
    now: () => now,
    venueNow: () => now,
  });
});

/** Reads from the exchange at this moment. */
function read(price: number): Promise<void> {
  const text = `{"complete":true,"orders":[{"id":"1","account_id":"A","price":${String(price)}}]}`;
  return feed.update({
    text,
    cost: 1,
    sent: 1,
    provenance: { outcome: 'miss', freshSeconds: 4, staleBecause: null, respondedAt: now },
  });
}

/** A client that takes all it is sent, unless it is blocked. */
function openClient() {
  let sent = '';
  const write = (bytes: Buffer): void => {
    sent += bytes.toString();
  };
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    destroyed: false,
    writableEnded: false,
    write,
  });
  const stream = openStream({
    response: response as unknown as ServerResponse,
    isPacked: false,
    cursors,
    entitlement: 'all',
  });
  const ages = (): readonly unknown[] => [...sent.matchAll(/"age_seconds":(\d+)/g)].map(([, age]) => Number(age));
  return { response, stream, ages, sent: () => sent };
}

test('a reading that a slow client takes late is as old as it is by then', async () => {
  const { response, stream, ages, sent } = openClient();
  stream.add(feed, null);
  await read(1);
  stream.onChange();
  await vi.waitUntil(() => ages().length === 1);
  response.writableNeedDrain = true;
  await read(2);
  stream.onChange();
  now += 30 * SECOND_MS;
  response.writableNeedDrain = false;
  response.emit('drain');
  await vi.waitUntil(() => ages().length === 2);
  expect(ages()).toEqual([0, 30]);
  expect(sent()).toContain('"set":[["1",{"price":2}]]');
});

test('so is one that a client takes when it comes back', async () => {
  await read(1);
  const held = feed.tick();
  await read(2);
  now += 30 * SECOND_MS;
  const { stream, ages } = openClient();
  stream.add(feed, held);
  stream.resume();
  await vi.waitUntil(() => ages().length === 1);
  expect(ages()).toEqual([30]);
});

test('a response of the desk itself is as old as its reading', async () => {
  await feed.update({ text: '{"complete":true,"orders":[]}', cost: 0, sent: 0 });
  now += 4 * SECOND_MS;
  const { stream, ages } = openClient();
  stream.add(feed, null);
  stream.resume();
  await vi.waitUntil(() => ages().length === 1);
  expect(ages()).toEqual([4]);
});
