import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import { createTurns } from '#server/core/in-turn.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { Resolve, Sender, SenderDeps } from './sender.ts';
import type { AlertEvent, NotificationRoom, Channel } from './notification.ts';
import { type Courier, type CourierDeps, createCourier, LONGEST_MS } from './deliver.ts';
import { createOutbox, type Delivery, type LoggedDelivery, type Outbox } from './outbox.ts';
import { createMailSender } from './send-mail.ts';
import { createWebhookSender } from './send-webhook.ts';

/** The notifications of this server: their delivery, its state, and tests of the channels. */
export interface Notifications extends NotificationRoom {
  /**
   * Replaces the channels from the next notification on. Notifications that wait for a channel go to the new one of
   * that name.
   */
  readonly changeChannels: (settings: readonly ChannelSettings[]) => Promise<void>;
  readonly describe: () => Promise<NotificationsState>;
  readonly deliveries: Outbox['deliveries'];
  /**
   * Sends a test to a channel and returns its result; null if there is no such channel, or the seconds until it may be
   * tested again.
   */
  readonly test: (channel: string) => Promise<Delivery | { readonly waitSeconds: number } | null>;
}

interface NotificationsState {
  /** Whether this server is the one that delivers. */
  readonly delivers: boolean;
  readonly channels: readonly ChannelState[];
}

export interface ChannelState {
  readonly name: string;
  /** Null if events wait for a channel that is no longer in the settings. */
  readonly channel: Channel | null;
  readonly endedAt: number | null;
  readonly failingSince: number | null;
  readonly last: LoggedDelivery | null;
  readonly waiting: number;
  readonly oldestAt: number | null;
  readonly nextAt: number | null;
}

export interface NotificationRoomDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'random' | 'schedule' | 'log'> {
  /** Only the leader sends. */
  readonly leaderStore: Store;
  readonly lease: Lease;
  readonly settings: readonly ChannelSettings[];
  readonly deskUrl: () => string | null;
  readonly links: CourierDeps['links'];
  readonly resolve?: Resolve | undefined;
  readonly gatherMs?: number | undefined;
  /** Called after each failed attempt, and after the first one that succeeds again. */
  readonly onFailing?: () => void;
}

const TRIMMED_EVERY_MS = 3_600_000;
const TESTED_EVERY_MS = 10_000;

interface OpenChannel {
  readonly settings: ChannelSettings;
  readonly channel: Channel;
  readonly courier: Courier;
}

export function openNotificationRoom(deps: NotificationRoomDeps): Notifications {
  const { leaderStore, lease, settings, now, elapsed, schedule, gatherMs } = deps;
  const outbox = createOutbox(leaderStore, gatherMs);
  const open = new Map(settings.map((one) => [one.name, openChannel(one, outbox, deps)]));
  const testedAt = new Map<string, number>();
  let cancelTrim = (): void => undefined;
  let trimming: Promise<void> = Promise.resolve();
  const inTurn = createTurns();

  const trim = (): void => {
    trimming = trimAll(deps, outbox, open);
    cancelTrim = schedule(TRIMMED_EVERY_MS, trim);
  };
  const wakeAll = (): void => {
    for (const { courier } of open.values()) courier.wake();
  };
  lease.onChange((isHeld) => {
    if (isHeld) wakeAll();
  });
  return {
    enqueue: async (events, besides) => {
      await outbox.add(events, now(), besides);
      for (const name of new Set(events.flatMap(({ channels }) => channels))) open.get(name)?.courier.wake();
    },
    channels: () => [...open.values()].map(({ channel }) => channel),
    changeChannels: (next) => inTurn(() => replaceChannels(open, next, (one) => openChannel(one, outbox, deps))),
    describe: () => describe(deps, outbox, open),
    deliveries: outbox.deliveries,
    test: async (name) => {
      const found = open.get(name);
      if (found === undefined) return null;
      const wait = (testedAt.get(name) ?? -Infinity) + TESTED_EVERY_MS - elapsed();
      if (wait > 0) return { waitSeconds: Math.ceil(wait / 1_000) };
      testedAt.set(name, elapsed());
      return found.courier.test(toTest(name, now()));
    },
    start: () => {
      wakeAll();
      trim();
    },
    close: async () => {
      cancelTrim();
      await inTurn(() => Promise.resolve());
      await Promise.all([trimming, ...[...open.values()].map(({ courier }) => courier.close())]);
    },
  };
}

function openChannel(settings: ChannelSettings, outbox: Outbox, deps: NotificationRoomDeps): OpenChannel {
  const { name, kind } = settings;
  const sender = createSender(settings, deps);
  return {
    settings,
    channel: { name, kind, host: sender.host },
    courier: createCourier({ ...deps, name, sender, outbox, delivers: deps.lease.isHeld }),
  };
}

/** Keeps unchanged channels open. Waits for the current deliveries of the others, so that nothing is sent twice. */
async function replaceChannels(
  open: Map<string, OpenChannel>,
  next: readonly ChannelSettings[],
  openOne: (settings: ChannelSettings) => OpenChannel,
): Promise<void> {
  const kept = new Map([...open].filter(([, { settings }]) => next.some((one) => isDeepStrictEqual(one, settings))));
  await Promise.all([...open].filter(([name]) => !kept.has(name)).map(([, { courier }]) => courier.close()));
  open.clear();
  for (const one of next) {
    const opened = kept.get(one.name) ?? openOne(one);
    open.set(one.name, opened);
    opened.courier.wake();
  }
}

function createSender(settings: ChannelSettings, deps: SenderDeps): Sender {
  return settings.kind === 'mail' ? createMailSender(settings, deps) : createWebhookSender(settings, deps);
}

async function describe(
  { lease }: NotificationRoomDeps,
  outbox: Outbox,
  open: ReadonlyMap<string, OpenChannel>,
): Promise<NotificationsState> {
  const [waiting, deliveries] = await Promise.all([outbox.waiting(), outbox.lastDeliveries()]);
  const names = new Set([...open.keys(), ...waiting.map(({ channel }) => channel)]);
  const channels = [...names].map((name): ChannelState => {
    const found = open.get(name);
    const queue = waiting.find(({ channel }) => channel === name) ?? NOTHING_WAITS;
    const past = deliveries.get(name) ?? NEVER_DELIVERED;
    const configured = { channel: found?.channel ?? null, endedAt: found?.courier.endedAt() ?? null };
    return { name, ...configured, ...past, waiting: queue.events, oldestAt: queue.oldestAt, nextAt: queue.nextAt };
  });
  return { delivers: lease.isHeld(), channels };
}

const NOTHING_WAITS = { events: 0, oldestAt: null, nextAt: null } as const;
const NEVER_DELIVERED = { last: null, failingSince: null } as const;

/** Gives up events that have waited for a day for a channel that accepts nothing, and deletes old entries. */
async function trimAll(
  { lease, now, log }: NotificationRoomDeps,
  outbox: Outbox,
  open: ReadonlyMap<string, OpenChannel>,
): Promise<void> {
  if (!lease.isHeld()) return;
  try {
    for (const { channel } of await outbox.waiting()) {
      const found = open.get(channel);
      if (found?.courier.endedAt() === null) continue;
      const reason =
        found === undefined
          ? 'The settings name no such channel. Given up after a day.'
          : 'It accepts no more notifications. Given up after a day.';
      const events = await outbox.giveUp(channel, now() - LONGEST_MS, (count) =>
        toGivenUp(channel, count, reason, now()),
      );
      if (events > 0) log('warn', 'notification given up', { channel, events, reason });
    }
    await outbox.trim(now());
  } catch (error) {
    // The store has reported its own failure, and the next run tries again.
    if (!isProblemOf(error, 'desk-cannot-read') && !isProblemOf(error, 'desk-cannot-write')) throw error;
  }
}

function toGivenUp(channel: string, events: number, reason: string, at: number): Delivery {
  const summary = `${events.toLocaleString('en-US')} ${events === 1 ? 'alert' : 'alerts'}`;
  return {
    channel,
    notification: toNotificationId('given_up'),
    attempt: 1,
    events,
    summary,
    at,
    tookMs: 0,
    outcome: 'given up',
    status: null,
    reason,
    answer: '',
  };
}

function toTest(
  channel: string,
  now: number,
): { readonly id: string; readonly madeAt: number; readonly events: readonly [AlertEvent] } {
  const id = toNotificationId('test');
  const sentence = `This is a test of the channel ${channel}: notifications arrive here.`;
  return {
    id,
    madeAt: now,
    events: [
      {
        key: id,
        ruleId: 'test',
        ruleName: 'Test',
        severity: 'info',
        group: '',
        state: 'firing',
        at: now,
        startedAt: now,
        sentence,
        path: '/',
      },
    ],
  };
}

function toNotificationId(kind: string): string {
  return `${kind}_${randomBytes(16).toString('base64url')}`;
}
