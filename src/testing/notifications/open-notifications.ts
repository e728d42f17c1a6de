import { expect, onTestFinished } from 'vitest';
import type { ChannelSettings, WebhookSettings } from '#server/core/channel-settings.ts';
import {
  openNotificationRoom,
  type NotificationRoomDeps,
  type Notifications,
} from '#server/alerts/notifications/open-notification-room.ts';
import type { LoggedDelivery } from '#server/alerts/notifications/outbox.ts';
import { createLease } from '#server/store/lease.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { openTestStore, type TestStore } from '../server-store/test-store.ts';
import { SECRET, type Receiver } from './receiver.ts';

export interface OpenNotifications {
  readonly notifications: Notifications;
  readonly clock: FakeClock;
  readonly store: TestStore;
  readonly logged: readonly string[];
  readonly close: () => Promise<void>;
}

type Options = Partial<Pick<NotificationRoomDeps, 'resolve' | 'deskUrl'>> & {
  readonly clock?: FakeClock;
  readonly store?: TestStore;
};

/**
 * Opens the server module of notifications with a store in memory, whose clock the test advances. Its sockets are real.
 */
export async function openNotifications(
  settings: readonly ChannelSettings[],
  { clock = createFakeClock(), store, ...options }: Options = {},
): Promise<OpenNotifications> {
  const opened = store ?? (await openTestStore());
  const logged: string[] = [];
  const lease = createLease({ store: opened, name: 'calls', holder: 'test', ...clock });
  const notifications = openNotificationRoom({
    links: { pathOf: () => null },
    ...clock,
    leaderStore: opened,
    lease,
    settings,
    deskUrl: () => 'http://127.0.0.1:8080/',
    random: () => 0.5,
    log: (level, event, fields) =>
      logged.push(JSON.stringify([level, event, typeof fields === 'function' ? fields() : fields])),
    ...options,
  });
  void lease.start();
  notifications.start();
  const close = async (): Promise<void> => {
    await notifications.close();
    await lease.close();
  };
  onTestFinished(close);
  return { notifications, clock, store: opened, logged, close };
}

export function webhookTo(receiver: Pick<Receiver, 'url'>, change: Partial<WebhookSettings> = {}): WebhookSettings {
  return { name: 'desk', kind: 'standard', url: receiver.url, secret: SECRET, allowsPrivate: false, ...change };
}

/** Returns all deliveries so far, oldest first. */
export async function deliveriesOf({
  notifications,
}: Pick<OpenNotifications, 'notifications'>): Promise<readonly LoggedDelivery[]> {
  return (await notifications.deliveries(null, Number.MAX_SAFE_INTEGER, 1_000)).toReversed();
}

/** Waits for the n-th delivery to be recorded, because sockets take real time. */
export async function nthDelivery(open: Pick<OpenNotifications, 'notifications'>, n: number): Promise<LoggedDelivery> {
  await expect.poll(async () => (await deliveriesOf(open)).length, { interval: 5 }).toBeGreaterThanOrEqual(n);
  const found = (await deliveriesOf(open))[n - 1];
  return found ?? expect.fail('no delivery');
}

/** Advances the clock to the next attempt of the first delivery that failed. */
export async function untilNextAttempt({
  notifications,
  clock,
}: Pick<OpenNotifications, 'notifications' | 'clock'>): Promise<number> {
  const { channels } = await notifications.describe();
  const nextAt = channels.map((channel) => channel.nextAt).find((at) => at !== null) ?? expect.fail('nothing waits');
  const wait = nextAt - clock.now();
  await clock.advance(wait);
  return wait;
}
