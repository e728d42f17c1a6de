import fc from 'fast-check';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { constants, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  createTopicCopy,
  termOf as termOfPage,
  type TopicCopy,
  type TopicUpdate,
} from '#page/client/live/topic-copy.ts';
import { LIVE_EVENTS, type TopicEventName } from '#contract/desk/live.ts';
import { rowsFieldOf, TOPICS, type Topic } from '#contract/desk/topics.ts';
import {
  createCursors,
  type Message,
  HEARTBEAT,
  joinMessages,
  type Tick,
  toSmallMessage,
} from '#server/push/messages.ts';
import { createRowReader } from '#server/core/row-list.ts';
import { createFeed, type Feed, termOf } from '#server/push/feed.ts';

const workingOrders: Topic = TOPICS['working-orders'];
const funding: Topic = TOPICS.funding;
const productData: Topic = TOPICS['product-data'];

interface Reader {
  readonly book: TopicCopy;
  held: Tick | null;
  /** What pages are sent, and what they are sent if that is the whole list. */
  readonly told: { readonly update: TopicUpdate; readonly whole: string }[];
}

function openFeed(topic: Topic): { readonly feed: Feed; readonly newReader: () => Reader } {
  const cursors = createCursors();
  const rowsField = rowsFieldOf(topic);
  const cadence = () => ({ everySeconds: 5, sharedBy: 2 });
  const feed = createFeed({
    address: 'a topic',
    topic,
    rowsField,
    cadence,
    nextCursor: cursors.next,
    now: () => 0,
    venueNow: () => null,
  });
  return { feed, newReader: () => ({ book: createTopicCopy(topic, rowsField), held: null, told: [] }) };
}

/** Updates as a stream would: with the newest changes if possible, else with those that were missed. */
async function bringUpToDate(feed: Feed, reader: Reader): Promise<void> {
  const latest = feed.latest();
  if (latest !== null && latest.from === reader.held) {
    receive(reader, latest.withCursor('all'));
    reader.held = feed.tick();
    return;
  }
  const { tick, frames: messages } = await feed.catchUp(reader.held);
  receive(reader, joinMessages(messages));
  reader.held = tick;
}

/** Updates as a stream that breaks off after a number of messages, and before the cursor. */
async function breakOff(feed: Feed, reader: Reader, after: number): Promise<void> {
  const { frames: messages } = await feed.catchUp(reader.held);
  receive(reader, joinMessages([...messages.slice(0, after), toSmallMessage(HEARTBEAT)]));
}

function receive(reader: Reader, { packed, plain }: Message): void {
  expect(inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })).toEqual(plain);
  receiveText(reader, plain.toString());
}

/** Reads as the page does: it ignores the rest of a stream in which it has lost its place. */
function receiveText({ book, told }: Reader, text: string): void {
  const onEvent = ({ event, data }: EventSourceMessage): void => {
    if (
      !Object.hasOwn(LIVE_EVENTS, event ?? '') ||
      !data.startsWith('{"topic":"a topic"') ||
      told.at(-1)?.update.kind === 'lost'
    )
      return;
    const update = book.apply(event as TopicEventName, data);
    if (update !== null) told.push({ update, whole: bookText({ book }) });
  };
  createParser({ onEvent }).feed(text);
}

const bookText = ({ book }: Pick<Reader, 'book'>): string => book.whole()?.text ?? '';
const byKey = (rows: Iterable<Row>, key: string) =>
  [...rows].toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1));

type Row = Readonly<Record<string, unknown>>;
interface WorkingSet {
  readonly orders: readonly Row[];
}

function parseSet(text: string): WorkingSet {
  const { orders, ...facts } = JSON.parse(text) as WorkingSet;
  return { ...facts, orders: byKey(orders, 'id') };
}

/** Returns what a page shows in the end. */
function toPage({ told }: Reader): WorkingSet & { readonly hasFailed: boolean } {
  let page: WorkingSet = { orders: [] };
  for (const { update, whole } of told) {
    if (update.kind === 'whole') page = parseSet(whole);
    if (update.kind !== 'rows') continue;
    const orders = new Map(page.orders.map((row) => [JSON.stringify(row['id']), row]));
    for (const key of update.gone) orders.delete(key);
    const changes = parseSet(update.text);
    for (const row of changes.orders) orders.set(JSON.stringify(row['id']), row);
    page = { ...changes, orders: byKey(orders.values(), 'id') };
  }
  return { ...page, hasFailed: told.at(-1)?.update.kind === 'failed' };
}

const order = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', 'd"},{"id":"x', 'é'),
    account_id: fc.constantFrom('NORD-1', 'NORD-2', 'x,"id":'),
    price: fc.integer(),
    memo: fc.option(fc.string()),
    legs: fc.array(fc.record({ id: fc.nat(3) }), { maxLength: 2 }),
  },
  { requiredKeys: ['id', 'account_id', 'price'] },
);
const set = fc.record(
  {
    orders: fc.uniqueArray(order, { selector: ({ id }) => id }),
    complete: fc.boolean(),
    read_from: fc.nat(3),
    note: fc.boolean(),
  },
  { requiredKeys: ['orders', 'complete', 'read_from'] },
);
const problem = {
  type: 'urn:perpdesk:problem:venue-timeout',
  title: 'late',
  status: 504,
  detail: 'late',
  instance: '1',
};

test('whatever is read or fails, and whatever a reader missed, it ends as one that begins then: with what was read last', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ set }) },
    fc.constant({ fails: true }),
    fc.constant({ resumes: true }),
    fc.constant({ restarts: true }),
    fc.record({ breaksAfter: fc.nat(3) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { feed, newReader } = openFeed(workingOrders);
      const readRows = createRowReader('id');
      /**
       * Returns the difference of a reading: the server compares what it reads for all its modules, and nothing else
       * compares other topics.
       */
      const stepOf = ({ orders, complete }: WorkingSet & { readonly complete: boolean }) =>
        complete ? readRows([JSON.stringify(orders).slice(1, -1)]) : undefined;
      const always = newReader();
      let sometimes = newReader();
      let last: { readonly set: WorkingSet; readonly respondedAt: number } | null = null;
      let hasFailed = false;
      for (const [respondedAt, each] of steps.entries()) {
        if ('restarts' in each) sometimes = newReader();
        if ('resumes' in each && feed.tick() !== null) await bringUpToDate(feed, sometimes);
        if ('breaksAfter' in each) await breakOff(feed, sometimes, each.breaksAfter);
        if (!('set' in each || 'fails' in each)) continue;
        hasFailed = 'fails' in each;
        if ('set' in each) {
          last = { set: each.set, respondedAt };
          const text = JSON.stringify(each.set);
          await feed.update({
            text,
            step: stepOf(each.set),
            cost: 1,
            sent: 1,
            provenance: { outcome: 'miss', freshSeconds: 4, staleBecause: null, respondedAt },
          });
        } else await feed.fail(problem);
        await bringUpToDate(feed, always);
      }
      if (last === null) return;
      const fresh = newReader();
      for (const reader of [sometimes, fresh]) await bringUpToDate(feed, reader);
      const expected = parseSet(JSON.stringify(last.set));
      for (const reader of [always, sometimes, fresh]) {
        expect(parseSet(bookText(reader))).toEqual(expected);
        expect(toPage(reader)).toEqual({ ...expected, hasFailed });
        expect(reader.book.whole()?.reading.answered_at).toBe(new Date(last.respondedAt).toISOString());
      }
    }),
  );
});

/** The damage that a bad proxy may do to one event of a reading. */
const damage = fc.record({
  how: fc.constantFrom('drop', 'cut', 'repeat', 'swap', 'edit'),
  event: fc.nat(9),
  at: fc.nat(400),
  to: fc.constantFrom('0', '"', ',', '}', ']', 'a', ' '),
});
interface Damage {
  readonly how: string;
  readonly event: number;
  readonly at: number;
  readonly to: string;
}

function damageEvents(events: readonly string[], { how, event, at, to }: Damage): readonly string[] {
  const index = event % events.length;
  const [text = '', next = ''] = [events[index], events[index + 1]];
  const said = text.search(/"(?:row_count|checksum)":/);
  const place = Math.min(at, said === -1 ? text.length : said - 1);
  // A proxy that could also change the name of the topic, or write a reading that lacks it, could change anything.
  const isForged = how === 'edit' && said === -1 && text.startsWith('event: read');
  switch (how) {
    case 'drop':
      return events.toSpliced(index, 1);
    case 'cut':
      return events.toSpliced(index, 1, text.slice(0, place));
    case 'repeat':
      return events.toSpliced(index, 0, text);
    case 'swap':
      return index + 1 < events.length ? events.toSpliced(index, 2, next, text) : events;
    default:
      return isForged ? events : events.toSpliced(index, 1, text.slice(0, place) + to + text.slice(place + 1));
  }
}

test.each([
  ['rows', workingOrders],
  ['no rows', TOPICS.status],
])(
  'of %s, whatever is lost, cut, repeated, exchanged or changed on the way: what a reader takes for read is what was read, or it asks for the whole',
  async (_, topic) => {
    const step = fc.record({ set, damages: fc.array(damage, { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { feed, newReader } = openFeed(topic);
        let reader = newReader();
        const take = async (damages: readonly Damage[], expected: WorkingSet): Promise<void> => {
          const { tick, frames: messages } = await feed.catchUp(reader.held);
          const events = joinMessages(messages)
            .plain.toString()
            .split('\n\n')
            .filter((event) => event !== '');
          const damaged = damages.reduce<readonly string[]>(
            (left, each) => (left.length === 0 ? left : damageEvents(left, each)),
            events,
          );
          reader.held = tick;
          reader.told.length = 0;
          receiveText(reader, damaged.map((event) => `${event}\n\n`).join(''));
          for (const { update, whole } of reader.told)
            if (update.kind !== 'lost') expect(parseSet(whole)).toEqual(expected);
          if (reader.told.some(({ update }) => update.kind === 'lost')) reader = newReader();
        };
        for (const { set: next, damages } of steps) {
          await feed.update({ text: JSON.stringify(next), cost: 1, sent: 1 });
          await take(damages, parseSet(JSON.stringify(next)));
        }
        const last = parseSet(JSON.stringify({ ...steps.at(-1)?.set, read_from: 9 }));
        // Once nothing is damaged any longer, a reading reveals earlier damage and the next one repairs it.
        await feed.update({ text: JSON.stringify(last), cost: 1, sent: 1 });
        await take([], last);
        await take([], last);
        expect(parseSet(bookText(reader))).toEqual(last);
      }),
      { numRuns: 100 },
    );
  },
);

test('a row that changes in its writing only is still the one that is counted', async () => {
  const { feed, newReader } = openFeed(workingOrders);
  const reader = newReader();
  const orders = [
    { id: 'a', account_id: 'A', price: 1, memo: 'x y' },
    { id: 'b', account_id: 'B', price: 2, memo: null },
  ];
  const texts = [
    JSON.stringify({ orders }),
    JSON.stringify({ orders }, null, 2),
    `{"orders": [${orders.map((each) => JSON.stringify(Object.fromEntries(Object.entries(each).toReversed()))).join(' , ')}]}`,
    JSON.stringify({ orders }),
  ];
  for (const text of texts) {
    await feed.update({ text, cost: 1, sent: 1 });
    await bringUpToDate(feed, reader);
    expect(JSON.parse(bookText(reader))).toEqual({ orders });
  }
  expect(reader.told.map(({ update }) => update.kind)).not.toContain('lost');
});

test('a desk that does not say what a topic is is believed, one that no longer says it is not', () => {
  const book = createTopicCopy(workingOrders, 'orders');
  const read = (check: string): TopicUpdate | null =>
    book.apply('read', `{"topic":"a topic","fields":{}${check},"venue_time":null,"every_seconds":5,"shared_by":1}`);
  book.apply('snapshot', '{"topic":"a topic","fields":{},"keyed":true,"rows":[]}');
  expect(read('')).toMatchObject({ kind: 'whole' });
  expect(read(',"row_count":0,"checksum":"00000000"')).toMatchObject({ kind: 'same' });
  expect(read('')).toEqual({ kind: 'lost' });
});

test('both ends add up the same, whatever a text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(termOfPage(text)).toBe(termOf(text));
    }),
  );
});

test('a field that changed in a reading that a reader missed arrives even if the next one failed', async () => {
  const { feed, newReader } = openFeed(TOPICS['funding-estimates']);
  const reader = newReader();
  const readUntil = (end: number, rate: number): Promise<void> =>
    feed.update({ text: `{"interval_end":${String(end)},"rate":${String(rate)}}`, cost: 1, sent: 1 });
  await readUntil(8, 1);
  await bringUpToDate(feed, reader);
  await readUntil(16, 2);
  await feed.fail(problem);
  await bringUpToDate(feed, reader);
  await readUntil(16, 3);
  await bringUpToDate(feed, reader);
  expect(bookText(reader)).toBe('{"interval_end":16,"rate":3}');
});

test('numbers keep their digits, rows their order', async () => {
  const { feed, newReader } = openFeed(productData);
  const reader = newReader();
  await feed.update({
    text: '[{"product_id":1,"last_price":1.50},{"product_id":2,"last_price":12345678901234567890}]',
    cost: 1,
    sent: 1,
  });
  await bringUpToDate(feed, reader);
  const after = '[{"product_id":1,"last_price":1.60},{"product_id":2,"last_price":12345678901234567890}]';
  await feed.update({ text: after, cost: 1, sent: 1 });
  await bringUpToDate(feed, reader);
  expect(bookText(reader)).toBe(after);
});

test('only what changed is sent, by account', async () => {
  const { feed, newReader } = openFeed(workingOrders);
  const textOf = (...rows: readonly string[]) => `{"complete":true,"orders":[${rows.join(',')}]}`;
  const [one, two] = ['{"id":"1","account_id":"A","price":1,"side":"Bid"}', '{"id":"2","account_id":"B","price":5}'];
  await feed.update({ text: textOf(one, two), cost: 1, sent: 1 });
  const reader = newReader();
  await bringUpToDate(feed, reader);
  await feed.update({
    text: textOf(one.replace('"price":1', '"price":2'), '{"id":"3","account_id":"B","price":7}'),
    cost: 1,
    sent: 1,
  });
  const sent = feed.latest()?.frame.plain.toString() ?? '';
  expect(sent).toContain('data: {"topic":"a topic","account":"A","set":[["1",{"price":2}]],"added":[],"gone":[]}');
  expect(sent).toContain(
    'data: {"topic":"a topic","account":"B","set":[],"added":[{"id":"3","account_id":"B","price":7}],"gone":["2"]}',
  );
  await bringUpToDate(feed, reader);
  expect(JSON.parse(bookText(reader))).toMatchObject({ complete: true, orders: [{ id: '1', price: 2 }, { id: '3' }] });
});

test('two rows with one key are both sent, so that the page can tell', async () => {
  const { feed, newReader } = openFeed(productData);
  const reader = newReader();
  const texts = [
    '[{"product_id":1,"a":1}]',
    '[{"product_id":1,"a":1},{"product_id":1,"a":2}]',
    '[{"product_id":1,"a":2}]',
    '[]',
    '{"not":"a list"}',
  ];
  for (const text of texts) {
    await feed.update({ text, cost: 1, sent: 1 });
    await bringUpToDate(feed, reader);
    expect(bookText(reader)).toBe(text);
  }
});

test('a failure is sent once, and keeps what was read', async () => {
  const { feed, newReader } = openFeed(funding);
  const reader = newReader();
  await feed.fail(problem);
  await bringUpToDate(feed, reader);
  expect(reader.book.whole()).toBeNull();
  const text = '{"perpetuals":[{"base_symbol":"BTCUC","prints":[1,2]}]}';
  await feed.update({ text, cost: 0, sent: 0 });
  await bringUpToDate(feed, reader);
  await feed.fail(problem);
  const before = reader.held;
  await bringUpToDate(feed, reader);
  expect(reader.held).not.toBe(before);
  expect(JSON.parse(bookText(reader))).toEqual(JSON.parse(text));
});
