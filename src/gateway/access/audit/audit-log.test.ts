import { expect, test } from 'vitest';
import { createAuditLog } from './audit-log.ts';
import type { AuditEvent, TimedEvent } from './chain.ts';

const eventOf = (detail: string): AuditEvent => ({ kind: 'exported', who: 'a', name: 'Ann', address: '', detail });

function openLog() {
  const stored: string[] = [];
  let isBroken = false;
  const append = (events: readonly TimedEvent[]): Promise<void> => {
    if (isBroken) return Promise.reject(new Error('the disk is full'));
    stored.push(...events.map(({ event }) => event.detail));
    return Promise.resolve();
  };
  const log = createAuditLog({ store: { append }, now: () => 0, schedule: () => () => undefined, log: () => undefined });
  return { log, stored, breakStore: (value: boolean) => { isBroken = value; } };
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

test('a person who makes up filters has as many entries a minute as any other, and one for the rest with all of its rows', async () => {
  const stored: AuditEvent[] = [];
  const append = (events: readonly TimedEvent[]): Promise<void> => Promise.resolve(void stored.push(...events.map(({ event }) => event)));
  const log = createAuditLog({ store: { append }, now: () => 0, schedule: () => () => undefined, log: () => undefined });
  const read = (who: string, address: string, filter: string): void => { log.gather({ kind: 'orders read', who, name: who, address, detail: 'order history', filter, rows: 2 }); };
  for (let each = 0; each < 1_000; each++) read('eve', `192.0.2.${String(each % 9)}`, `search=${String(each)}`);
  for (let each = 0; each < 3; each++) read('ann', '192.0.2.1', 'symbol=BUSX26');
  await log.close();
  const [ofEve, ofAnn] = [stored.filter(({ who }) => who === 'eve'), stored.filter(({ who }) => who === 'ann')];
  expect(ofEve.slice(0, 60).map(({ filter }) => filter)).toEqual(Array.from({ length: 60 }, (_, each) => `search=${String(each)}`));
  expect(ofEve.slice(60)).toEqual([{ kind: 'orders read', who: 'eve', name: 'eve', address: '', detail: 'Other requests, after 60 different ones (940 times within a minute)', rows: 1_880 }]);
  expect(ofAnn.map(({ filter, rows }) => [filter, rows])).toEqual([['symbol=BUSX26', 6]]);
});
