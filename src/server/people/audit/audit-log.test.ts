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

test('a person who makes up filters has as many entries a minute as any other, and two for the rest with all of its rows', async () => {
  const { writes, log } = openGathering();
  for (let each = 0; each < 1_000; each++)
    log.gather(readOf('eve', `search=${String(each)}`, 2, `192.0.2.${String(each % 9)}`));
  for (let each = 0; each < 3; each++) log.gather(readOf('ann', 'symbol=BUSX26'));
  await log.close();
  const stored = writes.flat();
  const [ofEve, ofAnn] = [stored.filter(({ who }) => who === 'eve'), stored.filter(({ who }) => who === 'ann')];
  expect(ofEve.slice(0, 60).map(({ filter }) => filter)).toEqual(
    Array.from({ length: 60 }, (_, each) => `search=${String(each)}`),
  );
  const others = { kind: 'orders read', who: 'eve', name: 'eve', address: '' } as const;
  expect(ofEve.slice(60)).toEqual([
    { ...others, detail: 'Other requests, after 60 different ones', rows: 2 },
    { ...others, detail: 'Other requests, after 60 different ones (939 more within a minute)', rows: 1_878 },
  ]);
  expect(ofAnn.map(({ filter, rows }) => [filter, rows])).toEqual([
    ['symbol=BUSX26', 2],
    ['symbol=BUSX26', 4],
  ]);
});

test('a log whose store fails says at its end that something is not stored', async () => {
  const { log, breakStore } = openLog();
  breakStore(true);
  log.gather(readOf('ann', ''));
  expect(await log.close()).toBe(false);
});
