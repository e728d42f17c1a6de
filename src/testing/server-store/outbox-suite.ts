import { describe, expect, it } from 'vitest';
import {
  createOutbox,
  GROUP_WAIT_MS,
  type Delivery,
  type Outbox,
  type WaitingNotification,
} from '#server/alerts/notifications/outbox.ts';
import { callDeliveries } from '#server/store/tables.ts';
import { addressed, sampleEvent } from '../notifications/sample-events.ts';
import type { NewLocation } from './store-location.ts';

const T = 1_700_000_000_000;
const READY = T + GROUP_WAIT_MS;
const HOUR_MS = 3_600_000;

async function notificationOf(outbox: Outbox, channel: string, now: number, most = 100): Promise<WaitingNotification> {
  const next = await outbox.next(channel, most, now);
  return next !== null && !('readyAt' in next) ? next : expect.fail('no call');
}

const delivery = (change: Partial<Delivery> = {}): Delivery => ({
  channel: 'desk',
  notification: 'call_1',
  attempt: 1,
  events: 1,
  summary: 'One.',
  at: T,
  tookMs: 12.4,
  outcome: 'delivered',
  status: 204,
  reason: '',
  answer: 'ok',
  ...change,
});

const toNote = (summary: string) => [1, 'desk', 'call_1', 1, 1, summary, T, 12, 'delivered', 204, '', 'ok'];

const keysOf = ({ events }: WaitingNotification): readonly string[] => events.map(({ key }) => key);

export function outboxSuite(newPlace: NewLocation): void {
  const openStore = async () => (await newPlace()).open();

  describe('the outbox', () => {
    it('gives calls in order, each with what came together, until they are recorded', async () => {
      const outbox = createOutbox(await openStore());
      expect(await outbox.next('desk', 100, T)).toBeNull();
      await outbox.add(addressed([sampleEvent(1), sampleEvent(2)], ['desk', 'chat']), T);
      await outbox.add(addressed([sampleEvent(3)], ['desk']), T + 1_000);
      expect(await outbox.next('desk', 100, READY - 1)).toEqual({ readyAt: READY });
      const first = await notificationOf(outbox, 'desk', READY, 2);
      expect(first).toMatchObject({
        attempts: 0,
        madeAt: READY,
        nextAt: READY,
        events: [sampleEvent(1), sampleEvent(2)],
      });
      expect(await notificationOf(outbox, 'desk', READY)).toEqual(first);
      await outbox.record(delivery({ notification: first.id, outcome: 'failed' }), first, READY + 7_000);
      expect(await notificationOf(outbox, 'desk', READY)).toEqual({ ...first, attempts: 1, nextAt: READY + 7_000 });
      expect(await outbox.waiting()).toEqual([
        { channel: 'chat', events: 2, oldestAt: T, nextAt: null },
        { channel: 'desk', events: 3, oldestAt: T, nextAt: READY + 7_000 },
      ]);
      await outbox.record(delivery({ notification: first.id }), { ...first, attempts: 1 }, null);
      expect(keysOf(await notificationOf(outbox, 'desk', READY + 1_000))).toEqual([sampleEvent(3).key]);
      expect(keysOf(await notificationOf(outbox, 'chat', READY))).toEqual([sampleEvent(1).key, sampleEvent(2).key]);
    });

    it('keeps what waits over a restart, and knows what it had', async () => {
      const place = await newPlace();
      const before = await place.open();
      const outbox = createOutbox(before);
      await outbox.add(addressed([sampleEvent(1)], ['desk']), T);
      const notification = await notificationOf(outbox, 'desk', READY);
      await outbox.add(addressed([sampleEvent(2)], ['desk']), READY);
      await before.close();
      const after = createOutbox(await place.open());
      expect(await notificationOf(after, 'desk', READY)).toEqual(notification);
      await after.record(delivery({ notification: notification.id }), notification, null);
      await after.add(addressed([sampleEvent(1), sampleEvent(2), sampleEvent(1)], ['desk', 'chat']), READY);
      expect(keysOf(await notificationOf(after, 'desk', READY + GROUP_WAIT_MS))).toEqual([sampleEvent(2).key]);
      expect(keysOf(await notificationOf(after, 'chat', READY + GROUP_WAIT_MS))).toEqual([
        sampleEvent(1).key,
        sampleEvent(2).key,
      ]);
    });

    it('writes events together with what they belong to, or neither', async () => {
      const outbox = createOutbox(await openStore());
      const note = (summary: string) => [{ table: callDeliveries, rows: [toNote(summary)] }];
      await outbox.add(addressed([sampleEvent(1)], ['desk']), T, () => Promise.resolve(note('One.')));
      await expect(
        outbox.add(addressed([sampleEvent(2)], ['desk']), T, () => Promise.reject(new Error('It is not so any more.'))),
      ).rejects.toThrow('It is not so any more.');
      expect(keysOf(await notificationOf(outbox, 'desk', READY))).toEqual([sampleEvent(1).key]);
      expect((await outbox.deliveries(null, 9, 9)).map(({ summary }) => summary)).toEqual(['One.']);
    });

    it('does not take an attempt for the last one where another desk has gone on since', async () => {
      const outbox = createOutbox(await openStore());
      await outbox.add(addressed([sampleEvent(1)], ['desk']), T);
      const notification = await notificationOf(outbox, 'desk', READY);
      await outbox.record(delivery({ notification: notification.id }), notification, null);
      await outbox.record(delivery({ notification: notification.id, outcome: 'failed' }), notification, READY);
      expect(await outbox.next('desk', 100, READY)).toBeNull();
    });

    it('logs deliveries, the newest first, page by page, of one channel or of all', async () => {
      const outbox = createOutbox(await openStore());
      for (const [index, channel] of ['desk', 'chat', 'desk', 'desk'].entries())
        await outbox.log(delivery({ channel, at: T + index }));
      const numbers = async (...page: Parameters<Outbox['deliveries']>) =>
        (await outbox.deliveries(...page)).map(({ number }) => number);
      expect(await numbers(null, Number.MAX_SAFE_INTEGER, 3)).toEqual([4, 3, 2]);
      expect(await numbers(null, 2, 3)).toEqual([1]);
      expect(await numbers('desk', Number.MAX_SAFE_INTEGER, 2)).toEqual([4, 3]);
      expect(await outbox.deliveries('chat', Number.MAX_SAFE_INTEGER, 2)).toEqual([
        { ...delivery({ channel: 'chat', at: T + 1 }), tookMs: 12, number: 2 },
      ]);
    });

    it('knows since when each channel fails; tests do not count', async () => {
      const outbox = createOutbox(await openStore());
      const outcomes = ['failed', 'delivered', 'failed', 'failed'] as const;
      for (const [index, outcome] of outcomes.entries())
        await outbox.log(delivery({ outcome, status: null, at: T + index }));
      await outbox.log(delivery({ attempt: 0, at: T + 9 }));
      await outbox.log(delivery({ channel: 'chat' }));
      const last = await outbox.lastDeliveries();
      expect(last.get('desk')).toMatchObject({
        failingSince: T + 2,
        last: { outcome: 'failed', status: null, at: T + 3 },
      });
      expect(last.get('chat')).toMatchObject({ failingSince: null, last: { outcome: 'delivered' } });
    });

    it('gives up what has waited too long at a channel, and says how much that was', async () => {
      const outbox = createOutbox(await openStore());
      await outbox.add(addressed([sampleEvent(1), sampleEvent(2)], ['desk']), T);
      await notificationOf(outbox, 'desk', READY, 1);
      await outbox.add(addressed([sampleEvent(3)], ['desk']), T + HOUR_MS);
      const describeIt = (events: number) => delivery({ events, outcome: 'given up', notification: 'given_up_1' });
      expect(await outbox.giveUp('desk', T, describeIt)).toBe(0);
      expect(await outbox.giveUp('desk', T + HOUR_MS, describeIt)).toBe(2);
      expect(await outbox.giveUp('desk', T + HOUR_MS, describeIt)).toBe(0);
      expect(await outbox.deliveries(null, 100, 100)).toMatchObject([{ outcome: 'given up', events: 2 }]);
      expect(keysOf(await notificationOf(outbox, 'desk', T + 2 * HOUR_MS))).toEqual([sampleEvent(3).key]);
    });

    it('forgets what is old, but never what waits', async () => {
      const store = await openStore();
      const outbox = createOutbox(store);
      await outbox.add(addressed([sampleEvent(1)], ['desk', 'chat', 'duty']), T);
      const [delivered] = [await notificationOf(outbox, 'desk', READY), await notificationOf(outbox, 'chat', READY)];
      await outbox.record(delivery({ notification: delivered.id }), delivered, null);
      const count = async () =>
        (
          await store.query(
            'SELECT (SELECT count(*) FROM call_event), (SELECT count(*) FROM desk_call), (SELECT ' +
              'count(*) FROM call_delivery)',
          )
        )[0]?.map(Number);
      await outbox.trim(T + 29 * 24 * HOUR_MS);
      expect(await count()).toEqual([3, 2, 1]);
      await outbox.trim(T + 31 * 24 * HOUR_MS);
      expect(await count()).toEqual([2, 1, 0]);
      expect(keysOf(await notificationOf(outbox, 'duty', READY))).toEqual([sampleEvent(1).key]);
    });

    it('says when it cannot take what is added, and takes it once it can', async () => {
      const store = await openStore();
      const outbox = createOutbox(store);
      await store.stopWrites();
      await expect(outbox.add(addressed([sampleEvent(1)], ['desk']), T)).rejects.toMatchObject({
        problem: { type: 'desk-cannot-write' },
      });
      await store.allowWrites();
      await outbox.add(addressed([sampleEvent(1)], ['desk']), T);
      expect(await outbox.waiting()).toHaveLength(1);
    });
  });
}
