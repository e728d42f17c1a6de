import { expect, onTestFinished } from 'vitest';
import type { ChannelSettings, WebhookSettings } from '#server/core/channel-settings.ts';
import { openCallRoom, type CallRoomParts, type Calls } from '#server/alerts/calls/open-call-room.ts';
import type { LoggedDelivery } from '#server/alerts/calls/outbox.ts';
import { createLease } from '#server/store/lease.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { openTestStore, type TestStore } from '../gateway-store/test-store.ts';
import { SECRET, type Receiver } from './receiver.ts';

export interface OpenCalls {
  readonly calls: Calls;
  readonly clock: FakeClock;
  readonly store: TestStore;
  readonly logged: readonly string[];
  readonly close: () => Promise<void>;
}

type Options = Partial<Pick<CallRoomParts, 'resolve' | 'deskUrl'>> & {
  readonly clock?: FakeClock;
  readonly store?: TestStore;
};

/** A room of calls with a store in memory, whose clock the test advances; its sockets are real. */
export async function openCalls(
  settings: readonly ChannelSettings[],
  { clock = createFakeClock(), store, ...options }: Options = {},
): Promise<OpenCalls> {
  const opened = store ?? (await openTestStore());
  const logged: string[] = [];
  const lease = createLease({ store: opened, name: 'calls', holder: 'test', ...clock });
  const calls = openCallRoom({
    ...clock,
    store: opened,
    lease,
    settings,
    deskUrl: () => 'http://127.0.0.1:8080/',
    random: () => 0.5,
    log: (level, event, fields) =>
      logged.push(JSON.stringify([level, event, typeof fields === 'function' ? fields() : fields])),
    ...options,
  });
  lease.start();
  calls.start();
  const close = async (): Promise<void> => {
    await calls.close();
    await lease.close();
  };
  onTestFinished(close);
  return { calls, clock, store: opened, logged, close };
}

export function webhookTo(receiver: Pick<Receiver, 'url'>, change: Partial<WebhookSettings> = {}): WebhookSettings {
  return { name: 'desk', kind: 'standard', url: receiver.url, secret: SECRET, allowsPrivate: false, ...change };
}

/** All deliveries so far, the oldest first. */
export async function deliveriesOf({ calls }: Pick<OpenCalls, 'calls'>): Promise<readonly LoggedDelivery[]> {
  return (await calls.deliveries(null, Number.MAX_SAFE_INTEGER, 1_000)).toReversed();
}

/** Waits for the n-th delivery to be recorded; sockets take their own time. */
export async function nthDelivery(open: Pick<OpenCalls, 'calls'>, n: number): Promise<LoggedDelivery> {
  await expect.poll(async () => (await deliveriesOf(open)).length, { interval: 5 }).toBeGreaterThanOrEqual(n);
  const found = (await deliveriesOf(open))[n - 1];
  return found ?? expect.fail('no delivery');
}

/** Advances the clock to when the first call that failed is sent again. */
export async function untilNextAttempt({ calls, clock }: Pick<OpenCalls, 'calls' | 'clock'>): Promise<number> {
  const { channels } = await calls.describe();
  const nextAt = channels.map((channel) => channel.nextAt).find((at) => at !== null) ?? expect.fail('nothing waits');
  const wait = nextAt - clock.now();
  await clock.advance(wait);
  return wait;
}
