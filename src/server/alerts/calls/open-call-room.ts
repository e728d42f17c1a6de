import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import { createTurns } from '#server/core/in-turn.ts';
import type { GatewayPorts } from '#server/core/ports.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { Resolve } from './addresses.ts';
import type { AlertEvent, CallRoom, Channel } from './call.ts';
import { createCourier, type Courier } from './deliver.ts';
import { createOutbox, type Delivery, type LoggedDelivery, type Outbox } from './outbox.ts';
import { LONGEST_MS } from './retry.ts';
import { createMailSender } from './send-mail.ts';
import { createWebhookSender } from './send-webhook.ts';
import type { Sender, SenderParts } from './sender.ts';

/** Calls of this desk: a room that delivers, what it says of itself, and tests of its channels. */
export interface Calls extends CallRoom {
  /** From the next call on, these channels are used: what waits for one of the same name goes there. */
  readonly changeChannels: (settings: readonly ChannelSettings[]) => Promise<void>;
  readonly describe: () => Promise<CallsState>;
  readonly deliveries: Outbox['deliveries'];
  /** Sends a test to a channel, and returns what came of it; null if there is no such channel, or the seconds until it may be tested again. */
  readonly test: (channel: string) => Promise<Delivery | { readonly waitSeconds: number } | null>;
}

interface CallsState {
  /** Whether this desk is the one that delivers. */
  readonly delivers: boolean;
  readonly channels: readonly ChannelState[];
}

export interface ChannelState {
  readonly name: string;
  /** Null where events wait for a channel that the settings name no longer. */
  readonly channel: Channel | null;
  readonly endedAt: number | null;
  readonly failingSince: number | null;
  readonly last: LoggedDelivery | null;
  readonly waiting: number;
  readonly oldestAt: number | null;
  readonly nextAt: number | null;
}

export interface CallRoomParts extends Pick<GatewayPorts, 'now' | 'elapsed' | 'random' | 'schedule' | 'log'> {
  readonly store: Store;
  readonly lease: Lease;
  readonly settings: readonly ChannelSettings[];
  readonly deskUrl: () => string | null;
  readonly resolve?: Resolve | undefined;
  readonly groupWaitMs?: number | undefined;
}

const TRIMMED_EVERY_MS = 3_600_000;
const TESTED_EVERY_MS = 10_000;

interface OpenChannel {
  readonly settings: ChannelSettings;
  readonly channel: Channel;
  readonly courier: Courier;
}

/** Wires the room together. */
export function openCallRoom(parts: CallRoomParts): Calls {
  const { store, lease, settings, now, elapsed, schedule, groupWaitMs } = parts;
  const outbox = createOutbox(store, groupWaitMs);
  const open = new Map(settings.map((one) => [one.name, openChannel(one, outbox, parts)]));
  const testedAt = new Map<string, number>();
  let cancelTrim = (): void => undefined;
  let trimming: Promise<void> = Promise.resolve();
  const inTurn = createTurns();

  const trim = (): void => {
    trimming = trimAll(parts, outbox, open);
    cancelTrim = schedule(TRIMMED_EVERY_MS, trim);
  };
  const wakeAll = (): void => {
    for (const { courier } of open.values()) courier.wake();
  };
  lease.onChange((isHeld) => {
    if (isHeld) wakeAll();
  });
  return {
    enqueue: async (events, channels) => {
      await outbox.add(events, channels, now());
      for (const name of channels) open.get(name)?.courier.wake();
    },
    channels: () => [...open.values()].map(({ channel }) => channel),
    changeChannels: (next) => inTurn(() => replaceChannels(open, next, (one) => openChannel(one, outbox, parts))),
    describe: () => describe(parts, outbox, open),
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

function openChannel(settings: ChannelSettings, outbox: Outbox, parts: CallRoomParts): OpenChannel {
  const { name, kind } = settings;
  const sender = createSender(settings, parts);
  return {
    settings,
    channel: { name, kind, host: sender.host },
    courier: createCourier({ ...parts, name, sender, outbox, delivers: parts.lease.isHeld }),
  };
}

/** A channel that stays as it is goes on; of the others, what is being sent ends first, so that nothing is sent twice. */
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

function createSender(settings: ChannelSettings, parts: SenderParts): Sender {
  return settings.kind === 'mail' ? createMailSender(settings, parts) : createWebhookSender(settings, parts);
}

async function describe(
  { lease }: CallRoomParts,
  outbox: Outbox,
  open: ReadonlyMap<string, OpenChannel>,
): Promise<CallsState> {
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

/** Gives up what has waited for a day at a channel that takes nothing, and forgets what is old. */
async function trimAll(
  { lease, now, log }: CallRoomParts,
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
          : 'It accepts no more calls. Given up after a day.';
      const events = await outbox.giveUp(channel, now() - LONGEST_MS, (count) =>
        toGivenUp(channel, count, reason, now()),
      );
      if (events > 0) log('warn', 'call given up', { channel, events, reason });
    }
    await outbox.trim(now());
  } catch (error) {
    // The store has reported what it is, and the next time comes.
    if (!isProblemOf(error, 'desk-cannot-read') && !isProblemOf(error, 'desk-cannot-write')) throw error;
  }
}

function toGivenUp(channel: string, events: number, reason: string, at: number): Delivery {
  const summary = `${events.toLocaleString('en-US')} ${events === 1 ? 'alert' : 'alerts'}`;
  return {
    channel,
    call: toCallId('given_up'),
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
  const id = toCallId('test');
  const sentence = `This is a test of the channel ${channel}: calls arrive here.`;
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

function toCallId(kind: string): string {
  return `${kind}_${randomBytes(16).toString('base64url')}`;
}
