import type { AcknowledgeLinks } from './acknowledge-links.ts';
import type { Delivery, Outbox, Outcome, WaitingNotification } from './outbox.ts';
import type { Sender, SendResult } from './sender.ts';
import type { ServerPorts, Schedule } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { type Notification, toHeadline } from './notification.ts';

/** Delivers the notifications of one channel one at a time, in order. */
export interface Courier {
  /** Looks for work. Returns immediately. */
  readonly wake: () => void;
  /** When the receiver rejected all further notifications; null if it has not. */
  readonly endedAt: () => number | null;
  /** Sends a notification ahead of all others, once. */
  readonly test: (notification: Notification) => Promise<Delivery>;
  /** Waits briefly for the current attempt to end. */
  readonly close: () => Promise<void>;
}

export interface CourierDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'random' | 'schedule' | 'log'> {
  readonly name: string;
  readonly sender: Sender;
  readonly outbox: Outbox;
  readonly links: Pick<AcknowledgeLinks, 'pathOf'>;
  /** Whether this server is the one that delivers. */
  readonly delivers: () => boolean;
  readonly onFailing?: () => void;
}

/** The wait after the store did not respond or could not be written. */
const STORE_WAIT_MS = 5_000;
const CLOSE_MS = 2_000;

export function createCourier(deps: CourierDeps): Courier {
  const { name, outbox, sender, links, delivers, now, schedule, log } = deps;
  const closing = new AbortController();
  let endedAt: number | null = null;
  let isFailing = false;
  /** Records an attempt that the store has not accepted yet. Nothing more is sent until it has. */
  let unrecorded: (() => Promise<void>) | null = null;

  const record = async (): Promise<void> => {
    await unrecorded?.();
    unrecorded = null;
  };
  const attempt = async (notification: WaitingNotification): Promise<void> => {
    const events = notification.events.map((event) => ({ ...event, acknowledgePath: links.pathOf(event, name) }));
    const attempts = notification.attempts + 1;
    const { result, delivery } = await sendOnce(deps, { ...notification, events }, attempts, closing.signal);
    const { outcome, reason, nextAt } = decide(result, { madeAt: notification.madeAt, attempts }, now(), deps.random());
    if (outcome === 'ended') endedAt = now();
    if (outcome !== 'delivered')
      log('warn', `notification ${outcome}`, {
        channel: name,
        notification: notification.id,
        attempt: delivery.attempt,
        events: delivery.events,
        reason,
      });
    unrecorded = () => outbox.record({ ...delivery, outcome, reason }, notification, nextAt);
    await record();
    if (isFailing || outcome !== 'delivered') deps.onFailing?.();
    isFailing = outcome !== 'delivered';
  };
  const turn = async (): Promise<number> => {
    await record();
    const next = await outbox.next(name, sender.mostEvents, now());
    if (next === null) return Infinity;
    const wait = ('readyAt' in next ? next.readyAt : next.nextAt) - now();
    // The limit matters after a clock that ran ahead was set back.
    if (wait > 0) return Math.min(wait, LONGEST_WAIT_MS);
    if (!('readyAt' in next)) await attempt(next);
    return 0;
  };
  const failed = (error: unknown): number => {
    // The store has reported its own failure, and the next process repeats an attempt that the shutdown cut off.
    if (!(error instanceof VenueFailure) && !closing.signal.aborted)
      log('error', 'notifications failed', {
        channel: name,
        reason: error instanceof Error ? error.stack : String(error),
      });
    return STORE_WAIT_MS;
  };
  const loop = createLoop({ turn, mayRun: () => endedAt === null && delivers(), schedule, failed });
  return {
    wake: loop.wake,
    endedAt: () => endedAt,
    test: async (notification) => {
      const { result, delivery } = await sendOnce(deps, notification, 0, closing.signal);
      const tested = {
        ...delivery,
        outcome: result.outcome === 'delivered' ? ('delivered' as const) : ('failed' as const),
      };
      await outbox.log(tested);
      if (result.outcome === 'delivered') endedAt = null;
      loop.wake();
      return tested;
    },
    close: async () => {
      const stop = schedule(CLOSE_MS, () => {
        closing.abort(new DOMException('Perpdesk is shutting down.', 'AbortError'));
      });
      await loop.stop();
      stop();
    },
  };
}

async function sendOnce(
  { name, sender, now, elapsed }: CourierDeps,
  notification: Notification,
  attempt: number,
  signal: AbortSignal,
): Promise<{ result: SendResult; delivery: Omit<Delivery, 'outcome'> }> {
  const [at, begunAt] = [now(), elapsed()];
  const result = await sender.send(notification, signal);
  const { status, reason, answer } = result;
  const delivery = {
    channel: name,
    notification: notification.id,
    attempt,
    events: notification.events.length,
    summary: toHeadline(notification),
    at,
    tookMs: elapsed() - begunAt,
    status,
    reason,
    answer,
  };
  return { result, delivery };
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;
/** The share by which a wait varies at random, so that many servers do not retry at the same moment. */
const JITTER = 0.2;
/** After this time, a notification is given up. */
export const LONGEST_MS = 86_400_000;
/** A rejected notification is still repeated a few times, in case the receiver is at fault. */
const MOST_REJECTIONS = 3;

interface Decision {
  readonly outcome: Outcome;
  readonly reason: string;
  /** The time of the next attempt; null if there is none. */
  readonly nextAt: number | null;
}

interface Attempted {
  readonly madeAt: number;
  /** Including this one. */
  readonly attempts: number;
}

/**
 * Decides what happens to a notification after an attempt. `random` is at least 0 and less than 1.
 *
 * @internal Exported for its test.
 */
export function decide(
  { outcome, reason, retryAfterMs }: SendResult,
  { madeAt, attempts }: Attempted,
  now: number,
  random: number,
): Decision {
  if (outcome === 'delivered') return { outcome, reason, nextAt: null };
  // The channel has ended; the notification waits until it is enabled again.
  if (outcome === 'gone') return { outcome: 'ended', reason, nextAt: now };
  if (outcome === 'refused' && attempts >= MOST_REJECTIONS) {
    return {
      outcome: 'given up',
      reason: `${reason} Given up after ${String(attempts)} attempts, so that later notifications are delivered.`,
      nextAt: null,
    };
  }
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS) * (1 + JITTER * (2 * random - 1));
  const endsAt = madeAt + LONGEST_MS;
  if (now >= endsAt) return { outcome: 'given up', reason: `${reason} Given up after a day.`, nextAt: null };
  // The last attempt takes place at the end of the day even if the receiver requests a longer wait.
  return { outcome: 'failed', reason, nextAt: Math.min(now + Math.round(Math.max(wait, retryAfterMs ?? 0)), endsAt) };
}

interface LoopDeps {
  /** Performs one step and returns the milliseconds until the next one can be due. */
  readonly turn: () => Promise<number>;
  readonly mayRun: () => boolean;
  readonly schedule: Schedule;
  /** Returns the milliseconds until the next attempt. */
  readonly failed: (error: unknown) => number;
}

/** A loop that performs steps one at a time, whenever there is work. */
interface Loop {
  /** Starts the loop if it is idle. Returns immediately. */
  readonly wake: () => void;
  /** Resolves once the current step has ended. No other one begins. */
  readonly stop: () => Promise<void>;
}

/** @internal Exported for its test. */
export function createLoop({ turn, mayRun, schedule, failed }: LoopDeps): Loop {
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isOpen = true;
  let wakes = 0;
  let cancel = (): void => undefined;

  const run = async (): Promise<void> => {
    let seen;
    let wait = 0;
    try {
      do {
        seen = wakes;
        do wait = isOpen && mayRun() ? await turn().catch(failed) : Infinity;
        while (wait <= 0);
      } while (seen !== wakes);
      if (Number.isFinite(wait) && isOpen) cancel = schedule(wait, wake);
    } finally {
      // Set in the same tick as the last check of `wakes`: a wake in between would be lost.
      isRunning = false;
    }
  };
  const wake = (): void => {
    wakes += 1;
    if (isRunning) return;
    cancel();
    isRunning = true;
    running = run();
  };
  return {
    wake,
    stop: async () => {
      isOpen = false;
      cancel();
      await running;
    },
  };
}
