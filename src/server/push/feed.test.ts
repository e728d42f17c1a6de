import { expect, test } from 'vitest';
import { createChangeLog } from './feed.ts';
import { toSmallMessage, type Message } from './messages.ts';

const KB = 1_024;
/** Returns a change whose plain form has this many bytes. */
const change = (bytes: number): Message => ({ ...toSmallMessage('x'), plain: Buffer.alloc(bytes) });

test('changes after a tick are those that a stream has not been sent', () => {
  const log = createChangeLog();
  expect(log.after(0)).toBeNull();
  log.restart(1);
  const [first, second] = [change(1), change(2)];
  log.append(2, first);
  log.append(4, second);
  expect([log.after(0), log.after(1), log.after(2), log.after(4)]).toEqual([null, [first, second], [second], []]);
});

test('who has a reading from a gap, which other desks may have sent, gets no changes from before it', () => {
  const log = createChangeLog();
  log.restart(1);
  const [first, second] = [change(1), change(2)];
  log.append(9, first, 5);
  log.append(10, second);
  expect([4, 5, 6, 8, 9, 10].map(log.after)).toEqual([[first, second], [first, second], null, null, [second], []]);
});

test('a log that is full loses its oldest changes, and says so', () => {
  const log = createChangeLog();
  log.restart(0);
  for (let tick = 1; tick <= 100; tick++) log.append(tick, change(100 * KB));
  expect(log.after(0)).toBeNull();
  expect(log.after(99)).toHaveLength(1);
  const kept = Array.from({ length: 100 }, (_, tick) => log.after(tick)).find((messages) => messages !== null) ?? [];
  expect(kept.length).toBeGreaterThan(30);
  expect(kept.length * 100).toBeLessThanOrEqual(4 * KB);
});

test('nor does any number of small changes take more memory', () => {
  const log = createChangeLog();
  log.restart(0);
  for (let tick = 1; tick <= 20_000; tick++) log.append(tick, change(1));
  expect(log.after(0)).toBeNull();
  expect(log.after(19_999)).toHaveLength(1);
});
