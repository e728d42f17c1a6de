import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createAuditLog } from './audit-log.ts';
import type { AuditEvent, TimedEvent } from './audit-store.ts';

const eventOf = (detail: string): AuditEvent => ({ kind: 'exported', who: 'a', name: 'Ann', address: '', detail });

function openLog() {
  const stored: string[] = [];
  let isBroken = false;
  const append = (events: readonly TimedEvent[]): Promise<void> => {
    if (isBroken) return Promise.reject(new Error('the disk is full'));
    stored.push(...events.map(({ event }) => event.detail));
    return Promise.resolve();
  };
  const log = createAuditLog({
    store: { append },
    now: () => 0,
    schedule: () => () => undefined,
    log: () => undefined,
  });
  return {
    log,
    stored,
    breakStore: (value: boolean) => {
      isBroken = value;
    },
  };
}

test('what must be recorded first is stored after all that was done before it, or is rejected and forgotten', async () => {
  const { log, stored, breakStore } = openLog();
  breakStore(true);
  await log.record(eventOf('one'));
  await expect(log.mustRecord(eventOf('two'))).rejects.toThrow('the disk is full');
  breakStore(false);
  await log.mustRecord(eventOf('three'));
  await log.record(eventOf('four'));
  expect(stored).toEqual(['one', 'three', 'four']);
});

/** Opens a log whose store the test can inspect. */
function openGathering() {
  const clock = createFakeClock();
  const writes: (readonly AuditEvent[])[] = [];
  const append = (events: readonly TimedEvent[]): Promise<void> =>
    Promise.resolve(void writes.push(events.map(({ event }) => event)));
  return {
    clock,
    writes,
    log: createAuditLog({ store: { append }, now: clock.now, schedule: clock.schedule, log: () => undefined }),
  };
}

const readOf = (who: string, filter: string, rows: number | null = 2, address = '192.0.2.1'): AuditEvent => ({
  kind: 'orders read',
  who,
  name: who,
  address,
  detail: 'order history',
  filter,
  rows,
});

test('a read is stored at once, and at the end of its minute how often it was repeated, with the rows of these', async () => {
  const { clock, writes, log } = openGathering();
  for (const rows of [4, 5, 6]) log.gather(readOf('ann', 'symbol=BUSX26', rows));
  log.gather(readOf('bob', ''));
  await clock.advance(1_000);
  // Events that begin together are one write.
  expect(writes).toEqual([[readOf('ann', 'symbol=BUSX26', 4), readOf('bob', '')]]);
  await clock.advance(60_000);
  expect(writes.slice(1)).toEqual([
    [{ ...readOf('ann', 'symbol=BUSX26', 11), detail: 'order history (2 more within a minute)' }],
  ]);
  log.gather(readOf('ann', 'symbol=BUSX26', 7));
  expect(await log.close()).toBe(true);
  expect([writes.slice(2), clock.timers()]).toEqual([[[readOf('ann', 'symbol=BUSX26', 7)]], 0]);
});

test('rows that nobody counted stay unknown, and what is repeated at the end is stored when it closes', async () => {
  const { writes, log } = openGathering();
  log.gather(readOf('ann', '', null));
  log.gather(readOf('ann', '', null));
  await log.close();
  expect(writes).toEqual([
    [readOf('ann', '', null), { ...readOf('ann', '', null), detail: 'order history (1 more within a minute)' }],
  ]);
});

test('what a person requests after 60 different filters keeps its paths, addresses and rows, and leaves others alone', async () => {
  const { writes, log } = openGathering();
  for (let each = 0; each < 1_000; each++)
    log.gather({
      ...readOf('eve', `search=${String(each)}`, 2, `192.0.2.${String(each % 3)}`),
      detail: each % 2 === 0 ? 'orders' : '/api/desk/working',
    });
  for (let each = 0; each < 3; each++) log.gather(readOf('ann', 'symbol=BUSX26'));
  await log.close();
  const stored = writes.flat();
  const [ofEve, ofAnn] = [stored.filter(({ who }) => who === 'eve'), stored.filter(({ who }) => who === 'ann')];
  expect(ofEve.slice(0, 60).map(({ filter }) => filter)).toEqual(
    Array.from({ length: 60 }, (_, each) => `search=${String(each)}`),
  );
  const others = { kind: 'orders read', who: 'eve', name: 'eve' } as const;
  expect(ofEve.slice(60)).toEqual([
    {
      ...others,
      address: '192.0.2.0',
      detail: 'Other requests, after 60 different ones: orders',
      filter: 'search=60',
      rows: 2,
    },
    {
      ...others,
      address: '192.0.2.1, 192.0.2.2, 192.0.2.0',
      detail:
        'Other requests, after 60 different ones (939 more within a minute): ' +
        '/api/desk/working 470 times, 940 rows; orders 469 times, 938 rows',
      rows: 1_878,
    },
  ]);
  expect(ofAnn.map(({ filter, rows }) => [filter, rows])).toEqual([
    ['symbol=BUSX26', 2],
    ['symbol=BUSX26', 4],
  ]);
});

test('a flood from made-up networks and of made-up paths is summed up in a bounded entry', async () => {
  const { writes, log } = openGathering();
  const refused = (each: number): AuditEvent => ({
    kind: 'request refused',
    who: '',
    name: '',
    address: '192.0.2.1',
    detail: `GET /${'x'.repeat(50)}${String(each)}`,
  });
  for (let each = 0; each < 500; each++) log.gather(refused(each));
  await log.close();
  const last = writes.flat().at(-1);
  expect(last?.detail.length).toBeLessThan(2_000);
  expect(last?.detail).toMatch(/; 419 other paths$/);
});

test('a day of made-up filters leaves at most 2,000 entries and two a minute, and those of all strangers together 10,000', async () => {
  const { clock, writes, log } = openGathering();
  for (let minute = 0; minute < 100; minute++) {
    for (let each = 0; each < 61; each++) log.gather(readOf('eve', `search=${String(minute)} ${String(each)}`));
    await clock.advance(60_000);
  }
  const ofEve = writes.splice(0).flat();
  expect(ofEve.filter(({ detail }) => !detail.startsWith('Other'))).toHaveLength(2_000);
  expect(ofEve.length).toBeLessThan(2_000 + 2 * 100);
  expect(ofEve.at(-1)?.detail).toMatch(
    /^Other requests, after 2000 different ones in a day \(60 more within a minute\)/,
  );
  for (let each = 0; each < 12_000; each++)
    log.gather({
      ...readOf('', ''),
      kind: 'request refused',
      address: `203.0.${String(each >> 8)}.${String(each & 255)}`,
    });
  await clock.advance(60_000);
  const ofStrangers = writes.splice(0).flat();
  expect(ofStrangers.filter(({ detail }) => !detail.startsWith('Other'))).toHaveLength(10_000);
  expect(ofStrangers.length).toBeLessThan(10_010);
  expect(ofStrangers.at(-1)?.address).toMatch(/^203\.0\.39\.\d+, .* and \d+ others$/);
  log.gather(readOf('ann', 'symbol=BUSX26'));
  await clock.advance(86_400_000);
  log.gather(readOf('eve', 'search=new'));
  await log.close();
  expect(writes.flat().map(({ filter }) => filter)).toEqual(['symbol=BUSX26', 'search=new']);
});

test('a log whose store fails says at its end that something is not stored', async () => {
  const { log, breakStore } = openLog();
  breakStore(true);
  log.gather(readOf('ann', ''));
  expect(await log.close()).toBe(false);
});
