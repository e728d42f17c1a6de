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
