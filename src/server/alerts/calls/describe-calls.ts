import type { CallDelivery, CallTest, DeskCalls } from '#contract/desk/calls.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import type { Calls, ChannelState } from './open-call-room.ts';
import type { Delivery, LoggedDelivery } from './outbox.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { requireAllOrders } from './require-all-orders.ts';

/** The responses about calls, as texts of JSON. */

type Pairs = readonly (readonly [name: string, value: string])[];

export async function describeCalls(calls: Pick<Calls, 'describe'>, viewer: Pick<Viewer, 'scope'>): Promise<string> {
  requireAllOrders(viewer);
  const { delivers, channels } = await calls.describe();
  return JSON.stringify({ delivers, channels: channels.map(toChannel) });
}

export async function describeDeliveries(
  calls: Pick<Calls, 'deliveries'>,
  query: Pairs,
  viewer: Pick<Viewer, 'scope'>,
): Promise<string> {
  requireAllOrders(viewer);
  const values = new Map(query);
  const limit = Math.min(Number(values.get('limit') ?? DEFAULT_LIMIT), LARGEST_LIMIT.orders);
  // One more than the page has shows whether there is another page.
  const found = await calls.deliveries(values.get('channel') ?? null, parseCursor(values.get('cursor')), limit + 1);
  const deliveries = found.slice(0, limit);
  const next = found.length > limit ? String(deliveries.at(-1)?.number) : null;
  return JSON.stringify({ deliveries: deliveries.map(toDelivery), pagination: { cursor: next } });
}

/** The number of the last delivery of the page before. */
function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new VenueFailure({
    type: 'bad-parameter',
    detail: 'The cursor is not one of an earlier page.',
    parameter: 'cursor',
  });
}

function toChannel(state: ChannelState): object {
  const { name, channel, endedAt, failingSince, last, waiting, oldestAt, nextAt } = state;
  return {
    name,
    kind: channel?.kind ?? null,
    host: channel?.host ?? null,
    state: stateOf(state),
    since: toInstantOrNull(endedAt ?? failingSince),
    waiting,
    oldest_at: toInstantOrNull(oldestAt),
    // Nothing is sent to a channel that has ended, or that the settings name no longer.
    next_at: toInstantOrNull(endedAt === null && channel !== null ? nextAt : null),
    last: last && toDelivery(last),
  };
}

function stateOf({ channel, endedAt, failingSince, last }: ChannelState): DeskCalls['channels'][number]['state'] {
  if (channel === null) return 'not configured';
  if (endedAt !== null) return 'ended';
  if (failingSince !== null) return 'failing';
  return last === null ? 'untried' : 'working';
}

function toDelivery(delivery: LoggedDelivery): CallDelivery {
  return { number: delivery.number, ...toAttempt(delivery) };
}

export function toAttempt({
  channel,
  call,
  attempt,
  events,
  summary,
  at,
  tookMs,
  outcome,
  status,
  reason,
  answer,
}: Delivery): CallTest {
  return {
    channel,
    call_id: call,
    attempt,
    events,
    summary,
    at: toInstant(at),
    took_ms: Math.round(tookMs),
    outcome,
    status,
    reason,
    answer,
  };
}
