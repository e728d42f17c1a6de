import { beforeEach, expect, test, vi } from 'vitest';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import type { FollowedTopic, FromReader, ToReader } from './live.ts';
import { createStreamReader, type StreamReader } from './stream-reader.ts';

const SECOND_MS = 1_000;
const TOPIC: FollowedTopic = { address: 'product?product_id=1', key: null, account: null, rowsField: null };
const READ = `event: snapshot\ndata: {"topic":"${TOPIC.address}","fields":{"price":1}}\n\nevent: read\ndata: {"topic":"${TOPIC.address}","fields":{},"venue_time":null,"age_seconds":0,"every_seconds":20,"shared_by":1}\n\nid: 1\n\n`;
const FAILED = `event: failed\ndata: {"topic":"${TOPIC.address}","problem":{"title":"late"}}\n\n`;

let clock: FakeClock;
let reader: StreamReader;
let status: number;
let requests: number;
let target: string;
/** The text that each stream begins with. */
let beginning: string;
let body: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

beforeEach(() => {
  clock = createFakeClock();
  [status, requests, beginning] = [200, 0, ''];
  reader = createStreamReader({
    ...clock,
    random: () => 1,
    fetch: (requested) => {
      requests += 1;
      target = requested;
      const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start: (started) => {
          body = started;
          if (beginning !== '') body.enqueue(new TextEncoder().encode(beginning));
        },
      });
      return Promise.resolve(new Response(stream, { status, headers: { 'content-type': 'text/event-stream' } }));
    },
  });
});

async function receive(text: string): Promise<void> {
  body.enqueue(new TextEncoder().encode(text));
  await clock.advance(0);
}

interface Page {
  readonly received: FromReader[];
  readonly send: (message: ToReader) => void;
}

/** Opens a page that follows the topic. */
async function openPage(): Promise<Page> {
  const received: FromReader[] = [];
  const send = reader.connect((message) => void received.push(message));
  send({ kind: 'follow', topics: [TOPIC] });
  await clock.advance(SECOND_MS);
  return { received, send };
}

const ofTopic = ({ received }: Page) => received.filter((message) => 'address' in message);

test('data are as old as their reading, however lately another one failed, and a later page is told of the failure', async () => {
  await openPage();
  await receive(READ);
  const readAt = clock.now();
  await clock.advance(20 * SECOND_MS);
  await receive(FAILED);
  expect(ofTopic(await openPage())).toMatchObject([
    { kind: 'whole', receivedAt: readAt },
    { kind: 'failed', receivedAt: readAt + 20 * SECOND_MS },
  ]);
  await receive(READ);
  expect(ofTopic(await openPage())).toMatchObject([{ kind: 'whole' }]);
});

test.each([401, 502])(
  'once the stream is closed with %i, pages are sent nothing that would keep them from polling',
  async (next) => {
    const page = await openPage();
    await receive(READ);
    status = next;
    body.close();
    await clock.advance(5 * SECOND_MS);
    expect(ofTopic(await openPage())).toEqual([]);
    page.received.length = 0;
    page.send({ kind: 'whole', address: TOPIC.address });
    expect(page.received).toEqual([]);
  },
);

test('a stream that was refused is requested again by the next page that is loaded', async () => {
  status = 403;
  await openPage();
  await clock.advance(600 * SECOND_MS);
  expect(requests).toBe(1);
  status = 200;
  const page = await openPage();
  expect([requests, page.received.at(-1)]).toEqual([2, { kind: 'stream', state: 'open' }]);
});

test('a stream that is refused forgets what was read, and is requested again for whoever signs in, not before', async () => {
  const page = await openPage();
  await receive(READ);
  status = 401;
  body.close();
  await vi.waitFor(async () => {
    await clock.advance(SECOND_MS);
    expect(page.received.at(-1)).toEqual({ kind: 'stream', state: 'refused' });
  });
  const refused = requests;
  page.send({ kind: 'follow', topics: [TOPIC] });
  await clock.advance(300 * SECOND_MS);
  expect(requests).toBe(refused);
  status = 200;
  page.send({ kind: 'viewer', viewer: 'p1' });
  await clock.advance(SECOND_MS);
  expect(requests).toBe(refused + 1);
  const before = ofTopic(page).length;
  page.send({ kind: 'whole', address: TOPIC.address });
  expect(ofTopic(page)).toHaveLength(before);
});

test('another viewer gets a stream of their own, and nothing that was read for the one before', async () => {
  const page = await openPage();
  page.send({ kind: 'viewer', viewer: 'p1' });
  await receive(READ);
  page.send({ kind: 'viewer', viewer: 'p1' });
  await clock.advance(SECOND_MS);
  expect(requests).toBe(1);
  page.send({ kind: 'viewer', viewer: 'p2' });
  await clock.advance(SECOND_MS);
  expect(requests).toBe(2);
  const before = ofTopic(page).length;
  page.send({ kind: 'whole', address: TOPIC.address });
  expect(ofTopic(page)).toHaveLength(before);
});

test('nor what the stream of the one before still brings, whatever the page follows in the meantime', async () => {
  const page = await openPage();
  page.send({ kind: 'viewer', viewer: 'p1' });
  await receive(READ);
  const [before, ofFirst] = [ofTopic(page).length, body];
  page.send({ kind: 'viewer', viewer: 'p2' });
  page.send({ kind: 'follow', topics: [TOPIC, { ...TOPIC, address: 'product?product_id=2' }] });
  ofFirst.enqueue(new TextEncoder().encode(READ));
  await clock.advance(0);
  expect(ofTopic(page)).toHaveLength(before);
});

/** Lets time pass while the page sends signs of life. */
async function pass(seconds: number, { send }: Page): Promise<void> {
  for (let left = seconds; left > 0; left -= 30) {
    send({ kind: 'follow', topics: [TOPIC] });
    await clock.advance(30 * SECOND_MS);
  }
}

const DAMAGED = READ.replace('"age_seconds"', '"checksum":"00000000","age_seconds"');

test('a topic that is not what its reading says is requested as a whole, and pages are sent nothing of it meanwhile', async () => {
  const page = await openPage();
  await receive(READ);
  const before = ofTopic(page).length;
  await receive(DAMAGED);
  expect({ requests, target, sent: ofTopic(page).length - before }).toEqual({
    requests: 2,
    target: expect.stringContaining('&fresh=product') as string,
    sent: 0,
  });
  await receive(READ);
  expect(ofTopic(page).slice(before)).toMatchObject([{ kind: 'whole' }]);
  await pass(600, page);
  expect(requests).toBe(2);
});

test('where it never is, it is requested ever less often, and pages are told to poll', async () => {
  beginning = DAMAGED;
  const page = await openPage();
  await pass(3_600, page);
  expect(requests).toBeLessThan(12);
  expect(ofTopic(page).at(-1)).toEqual({ kind: 'lost', address: TOPIC.address });
  expect(ofTopic(await openPage())).toEqual([{ kind: 'lost', address: TOPIC.address }]);
  beginning = READ;
  await pass(600, page);
  expect(ofTopic(page).at(-1)).toMatchObject({ kind: 'whole' });
});

test('what else the page follows goes on meanwhile', async () => {
  beginning = DAMAGED;
  const page = await openPage();
  const other = { ...TOPIC, address: 'product?product_id=2' };
  page.send({ kind: 'follow', topics: [TOPIC, other] });
  beginning = READ.replaceAll(TOPIC.address, other.address);
  await clock.advance(SECOND_MS);
  expect(page.received.filter((message) => 'address' in message && message.address === other.address)).toMatchObject([
    { kind: 'whole' },
  ]);
});

test('a stream that is to move is opened again after its own delay, and sooner for a topic that is followed meanwhile', async () => {
  const { send } = await openPage();
  await receive(READ);
  await receive('event: move\ndata: {"after_ms":7000}\n\n');
  await clock.advance(6_999);
  expect(requests).toBe(1);
  await clock.advance(1);
  expect(requests).toBe(2);
  await receive('event: move\ndata: {"after_ms":7000}\n\n');
  const other = { ...TOPIC, address: 'product?product_id=2' };
  send({ kind: 'follow', topics: [TOPIC, other] });
  await clock.advance(SECOND_MS);
  expect([requests, target]).toEqual([3, expect.stringContaining('product_id%3D2')]);
  await clock.advance(9 * SECOND_MS);
  expect(requests).toBe(3);
});
