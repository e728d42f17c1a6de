import type { GatewayPorts } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toHeadline, type Call } from './lines.ts';
import { createLoop } from './loop.ts';
import type { Delivery, Outbox, WaitingCall } from './outbox.ts';
import { decide } from './retry.ts';
import type { SendResult } from './send-result.ts';
import type { Sender } from './sender.ts';

/** Delivers the calls of one channel, one after another, in order. */
export interface Courier {
  /** Looks for something to do; nobody waits for it. */
  readonly wake: () => void;
  /** Since when the receiver wants no more calls; null while it has not said so. */
  readonly endedAt: () => number | null;
  /** A call that is delivered whatever else waits, and is not repeated. */
  readonly test: (call: Call) => Promise<Delivery>;
  /** Waits a moment for an attempt to end. */
  readonly close: () => Promise<void>;
}

export interface CourierParts extends Pick<GatewayPorts, 'now' | 'elapsed' | 'random' | 'schedule' | 'log'> {
  readonly name: string;
  readonly sender: Sender;
  readonly outbox: Outbox;
  /** Whether this desk is the one that delivers. */
  readonly delivers: () => boolean;
}

/** The store does not respond, or cannot be written. */
const STORE_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;
const CLOSE_MS = 2_000;

export function createCourier(parts: CourierParts): Courier {
  const { name, outbox, sender, delivers, now, schedule, log } = parts;
  const closing = new AbortController();
  let endedAt: number | null = null;
  /** Records an attempt that the store has not taken yet: nothing more is sent until it has. */
  let unrecorded: (() => Promise<void>) | null = null;

  const record = async (): Promise<void> => {
    await unrecorded?.();
    unrecorded = null;
  };
  const attempt = async (call: WaitingCall): Promise<void> => {
    const { result, delivery } = await sendOnce(parts, call, call.attempts + 1, closing.signal);
    const { outcome, reason, nextAt } = decide(
      result,
      { madeAt: call.madeAt, attempts: call.attempts + 1 },
      now(),
      parts.random(),
    );
    if (outcome === 'ended') endedAt = now();
    if (outcome !== 'delivered')
      log('warn', `call ${outcome}`, {
        channel: name,
        call: call.id,
        attempt: delivery.attempt,
        events: delivery.events,
        reason,
      });
    unrecorded = () => outbox.record({ ...delivery, outcome, reason }, call, nextAt);
    await record();
  };
  const turn = async (): Promise<number> => {
    await record();
    const next = await outbox.next(name, sender.mostEvents, now());
    if (next === null) return Infinity;
    const wait = ('readyAt' in next ? next.readyAt : next.nextAt) - now();
    // Also after a clock that ran ahead has been set back.
    if (wait > 0) return Math.min(wait, LONGEST_WAIT_MS);
    if (!('readyAt' in next)) await attempt(next);
    return 0;
  };
  const failed = (error: unknown): number => {
    // The store has reported what it is; an attempt that the end of the process cut off is repeated by the next one.
    if (!(error instanceof VenueFailure) && !closing.signal.aborted)
      log('error', 'calls failed', { channel: name, reason: error instanceof Error ? error.stack : String(error) });
    return STORE_WAIT_MS;
  };
  const loop = createLoop({ turn, mayRun: () => endedAt === null && delivers(), schedule, failed });
  return {
    wake: loop.wake,
    endedAt: () => endedAt,
    test: async (call) => {
      const { result, delivery } = await sendOnce(parts, call, 0, closing.signal);
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
  { name, sender, now, elapsed }: CourierParts,
  call: Call,
  attempt: number,
  signal: AbortSignal,
): Promise<{ result: SendResult; delivery: Omit<Delivery, 'outcome'> }> {
  const [at, begunAt] = [now(), elapsed()];
  const result = await sender.send(call, signal);
  const { status, reason, answer } = result;
  const delivery = {
    channel: name,
    call: call.id,
    attempt,
    events: call.events.length,
    summary: toHeadline(call),
    at,
    tookMs: elapsed() - begunAt,
    status,
    reason,
    answer,
  };
  return { result, delivery };
}
