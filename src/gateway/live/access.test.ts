import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsFieldOf, TOPICS } from '#contract/topics.ts';
import { createParser } from '#contract/parsing/parse.ts';
import { DESK_ENDPOINTS } from '#contract/desk.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { Access } from './access.ts';
import { createCursors, type Tick } from './cursors.ts';
import { createFeed } from './feed.ts';
import { joinFrames } from './frame.ts';

interface Order {
  readonly id: string;
  readonly account_id: string;
  readonly price: number;
}

interface Reading {
  readonly orders: readonly Order[];
  readonly parts: number;
}

const OWN: Access = new Set(['OWN']);
const topic = TOPICS['working-orders'];
const AT = '"2026-01-01T00:00:00.000Z"';

function toText({ orders, parts }: Reading): string {
  const list = Array.from({ length: parts }, (_, part) => `{"filter":{"account_id":"A${String(part)}"},"count":${String(orders.length)},"read_at":${AT}}`);
  return `{"complete":true,"unproven":[],"parts":[${list.join(',')}],"round_seconds":${String(parts)},"read_from":${AT},"read_to":${AT},"orders":${JSON.stringify(orders)}}`;
}

/** What a stream is sent after each reading: one that follows throughout, and one that comes back after every other reading. */
async function sendAll(readings: readonly Reading[], access: Access): Promise<string> {
  const feed = createFeed({ address: 'working-orders', topic, rowsField: rowsFieldOf(topic), cadence: () => ({ everySeconds: 5, sharedBy: 1 }), nextCursor: createCursors().next, now: () => 0, venueNow: () => 0 });
  const sent: string[] = [];
  let [held, heldByOther]: [Tick | null, Tick | null] = [null, null];
  const send = async (from: Tick | null): Promise<Tick | null> => {
    const { tick, frames } = await feed.catchUp(from, access);
    sent.push(joinFrames(frames).plain.toString());
    return tick;
  };
  for (const [index, reading] of readings.entries()) {
    await feed.update({ text: toText(reading), cost: 1, sent: 1 });
    const latest = feed.latest(access);
    sent.push(latest === null ? '' : latest.frame.plain.toString());
    held = await send(held);
    if (index % 2 === 0) heldByOther = await send(heldByOther);
  }
  return sent.join('\n');
}

const order = fc.record({ id: fc.constantFrom('1', '2', '3', '4'), account_id: fc.constantFrom('OWN', 'FOREIGN'), price: fc.nat(2) });
const foreign = fc.record({ id: fc.integer({ min: 5, max: 40 }).map(String), account_id: fc.constantFrom('FOREIGN', 'OTHER'), price: fc.nat(2) });
const unique = { selector: ({ id }: Order) => id };
const step = fc.record({ orders: fc.uniqueArray(order, unique), foreign: fc.uniqueArray(foreign, unique), parts: fc.integer({ min: 1, max: 3 }) });

test('a stream that may see one account is sent the same, whatever is in the others, how much and how often it changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const alone = steps.map(({ orders }) => ({ orders: orders.filter(({ account_id: account }) => account === 'OWN'), parts: 1 }));
      const among = steps.map(({ orders, foreign: others, parts }) => ({ orders: [...others, ...orders], parts }));
      const sent = await sendAll(among, OWN);
      expect(sent).toBe(await sendAll(alone, OWN));
      expect(sent).not.toMatch(/FOREIGN|OTHER/);
    }),
  );
});

test('one that may see all is sent all accounts', async () => {
  const [first, second] = ['OWN', 'FOREIGN'].map((account, index) => ({ id: String(index), account_id: account, price: 1 }));
  if (first === undefined || second === undefined) throw new Error('no orders');
  const sent = await sendAll([{ orders: [first], parts: 2 }, { orders: [first, second], parts: 2 }], 'all');
  expect(sent).toContain('"account":"FOREIGN"');
  expect(sent).toContain('"parts":[{"filter":{"account_id":"A0"}');
});

test('what is beside the rows of some accounts is as the interface says', async () => {
  const { orders } = { orders: sampleResponses.ordersWorking };
  const reading = { orders: orders.map((each) => ({ ...each, account_id: 'OWN' })) as unknown as readonly Order[], parts: 2 };
  const [, snapshot = ''] = /data: (.*"rows".*)/.exec(await sendAll([reading], OWN)) ?? [];
  const { fields, rows } = JSON.parse(snapshot) as { readonly fields: object; readonly rows: readonly unknown[] };
  const response = createParser(DESK_ENDPOINTS.working.response).strict(JSON.stringify({ ...fields, orders: rows }));
  expect(response).toMatchObject({ complete: true, parts: [{ count: orders.length }], round_seconds: null });
});

test('of a response without rows, such as alerts with the orders that fired them, only those that may see all are sent anything', async () => {
  const send = async (access: Access): Promise<string> => {
    const feed = createFeed({ address: 'alerts', topic: TOPICS.alerts, rowsField: null, cadence: () => ({ everySeconds: 10, sharedBy: 1 }), nextCursor: createCursors().next, now: () => 0, venueNow: () => 0 });
    await feed.update({ text: '{"rules":1,"alerts":[]}', cost: 0, sent: 0 });
    const { tick, frames } = await feed.catchUp(null, access);
    await feed.update({ text: '{"rules":1,"alerts":[{"group":"OWN"},{"group":"FOREIGN"}]}', cost: 0, sent: 0 });
    const after = await feed.catchUp(tick, access);
    return joinFrames([...frames, ...after.frames, ...[feed.latest(access)?.frame].filter((frame) => frame !== undefined)]).plain.toString();
  };
  expect(await send('all')).toContain('"group":"FOREIGN"');
  expect(await send(OWN)).not.toMatch(/rules|group/);
});
