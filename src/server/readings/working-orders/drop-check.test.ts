import { beforeEach, expect, test } from 'vitest';
import type { Reading } from '#server/journal/compare-reading.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import { createRowReader } from '#server/core/row-list.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createDropCheck, type DropCheck } from './drop-check.ts';

const SECOND = 1_000;

function toRow(id: number, status = 'Working'): string {
  const time = new Date(id * SECOND).toISOString();
  return JSON.stringify({ time, product_id: 5_501, id: String(id), account_id: id < 50 ? 'A' : 'B', status });
}

const upTo = (count: number, from = 0): readonly number[] => Array.from({ length: count }, (_, at) => from + at);

function toReading(at: number, ids: readonly number[], isComplete = true): Reading {
  const text = ids.map((id) => toRow(id)).join(',');
  return { parts: [{ text, at: at * SECOND }], isComplete, rows: readRows([text]) };
}

let recorded: (readonly [at: number | undefined, isComplete: boolean])[];
let asked: Pairs[];
let history: () => Promise<readonly string[]>;
let now: number;
let decided: number;
let readRows: ReturnType<typeof createRowReader>;

beforeEach(() => {
  [recorded, asked, now, decided] = [[], [], 10 * SECOND, 0];
  history = () => Promise.resolve([]);
  readRows = createRowReader('id');
});

function open(known: readonly number[] = []): DropCheck {
  return createDropCheck({
    journal: {
      orders: () => known.map((id) => toRow(id)),
      record: ({ parts: [part], isComplete }) => void recorded.push([part && part.at / SECOND, isComplete]),
    },
    readHistory: async (query) => {
      asked.push(query);
      return { rows: await history(), cursor: null };
    },
    now: () => now,
    onDecided: () => (decided += 1),
    log: (_, event) => expect.fail(event),
  });
}

/** Lets pending requests finish. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a reading in doubt waits for the history, which is asked for the newest of the missing orders', async () => {
  const { take } = open();
  history = () => Promise.resolve([toRow(99, 'Closed'), toRow(98, 'Closed')]);
  expect(take(toReading(1, upTo(100)), 30 * SECOND)).toBeNull();
  expect(take(toReading(5, upTo(60)), 30 * SECOND)).toEqual({ state: 'in doubt', orders: 40, working: null });
  expect(recorded).toEqual([[1, true]]);
  expect(asked).toEqual([
    [
      ['product_id', '5501'],
      ['account_id', 'B'],
      ['begin_time', '1970-01-01T00:00:59.000Z'],
      ['end_time', '1970-01-01T00:01:40.000Z'],
      ['order', 'desc'],
    ],
  ]);
  await settle();
  expect([recorded, decided]).toEqual([
    [
      [1, true],
      [5, true],
    ],
    1,
  ]);
  expect(take(toReading(5, upTo(60)), 30 * SECOND)).toBeNull();
});

test('where the history has a missing order as working, it is asked again from time to time, and the orders are listed as missing', async () => {
  const { take, missing } = open();
  history = () => Promise.resolve([toRow(99), toRow(98, 'Closed')]);
  take(toReading(1, upTo(100)), 30 * SECOND);
  take(toReading(5, upTo(40)), 30 * SECOND);
  await settle();
  for (const at of [9, 13])
    expect(take(toReading(at, upTo(40)), 30 * SECOND)).toEqual({ state: 'contradicted', orders: 60, working: 1 });
  expect([recorded, asked.length, [...missing()].length]).toEqual([
    [
      [1, true],
      [5, false],
      [9, false],
      [13, false],
    ],
    1,
    60,
  ]);
  now += 30 * SECOND;
  history = () => Promise.resolve([toRow(99, 'Closed')]);
  take(toReading(40, upTo(40)), 30 * SECOND);
  await settle();
  expect([take(toReading(44, upTo(40)), 30 * SECOND), recorded.at(-1), [...missing()]]).toEqual([null, [44, true], []]);
});

test('a history that cannot be read is asked with each reading, and the third of them is believed', async () => {
  const { take } = open();
  history = () => Promise.reject(new VenueFailure({ type: 'budget-spent', detail: 'spent' }));
  take(toReading(1, upTo(100)), 30 * SECOND);
  for (const at of [5, 9]) {
    expect(take(toReading(at, upTo(40)), 30 * SECOND)).toMatchObject({ state: 'in doubt' });
    await settle();
  }
  expect(take(toReading(13, upTo(40)), 30 * SECOND)).toEqual({ state: 'unverified', orders: 60, working: null });
  expect([recorded, asked.length]).toEqual([
    [
      [1, true],
      [5, true],
      [9, true],
      [13, true],
    ],
    2,
  ]);
  expect(take(toReading(17, upTo(40)), 30 * SECOND)).toBeNull();
});

test('after a restart, the first reading is compared with what the journal has', () => {
  expect(open(upTo(100)).take(toReading(1, upTo(60)), 30 * SECOND)).toMatchObject({ state: 'in doubt', orders: 40 });
  expect(open().take(toReading(1, upTo(60)), 30 * SECOND)).toBeNull();
});

test('orders read by a filter are compared with those of the last reading of all, unless that is old', () => {
  const { take, takePart } = open();
  take(toReading(1, upTo(100)), 30 * SECOND);
  expect(takePart([['account_id', 'B']], toReading(3, upTo(25, 50)))).toEqual({
    state: 'in doubt',
    orders: 25,
    working: null,
  });
  expect(takePart([['account_id', 'B']], toReading(3, upTo(30, 50)))).toBeNull();
  expect(takePart([['account_id', 'B']], toReading(300, upTo(25, 50)))).toBeNull();
  expect(recorded).toEqual([[1, true]]);
});
