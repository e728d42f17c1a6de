import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { NotificationDelivery, NotificationTest, DeskNotifications } from '#contract/desk/notifications.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Notifications, ChannelState } from './open-notification-room.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import type { Delivery, LoggedDelivery } from './outbox.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import type { Pairs } from '#server/core/order-rows.ts';

/** The notifications, and the heartbeat if there is one. */
export interface ShownNotifications extends Notifications {
  readonly heartbeat: () => ReturnType<Heartbeat['state']> | null;
}

export async function describeNotifications(
  notifications: Pick<ShownNotifications, 'describe' | 'heartbeat'>,
  viewer: Pick<Viewer, 'scope'>,
): Promise<string> {
  requireAllOrders(viewer);
  const { delivers, channels } = await notifications.describe();
  return JSON.stringify({
    delivers,
    channels: channels.map(toChannel),
    heartbeat: toHeartbeat(notifications.heartbeat()),
  });
}

export async function describeDeliveries(
  notifications: Pick<Notifications, 'deliveries'>,
  query: Pairs,
  viewer: Pick<Viewer, 'scope'>,
): Promise<string> {
  requireAllOrders(viewer);
  const values = new Map(query);
  const limit = Math.min(Number(values.get('limit') ?? DEFAULT_LIMIT), LARGEST_LIMIT.orders);
  // One more delivery than the page holds shows whether there is another page.
  const found = await notifications.deliveries(
    values.get('channel') ?? null,
    parseCursor(values.get('cursor')),
    limit + 1,
  );
  const deliveries = found.slice(0, limit);
  const next = found.length > limit ? String(deliveries.at(-1)?.number) : null;
  return JSON.stringify({ deliveries: deliveries.map(toDelivery), pagination: { cursor: next } });
}

function toHeartbeat(state: ReturnType<Heartbeat['state']> | null): DeskNotifications['heartbeat'] {
  return state && { host: state.host, last_at: toInstantOrNull(state.lastAt), problem: state.problem };
}

/** A single failed attempt is not worth a warning, because the next one follows soon. */
const FAILING_FOR_MS = 30_000;

/** Returns the channels whose notifications do not arrive, for those who may see all orders. */
export async function listFailingChannels(
  notifications: Pick<Notifications, 'describe'>,
  { scope }: Pick<Viewer, 'scope'>,
  now: number,
): Promise<NonNullable<DeskAlerts['failing_channels']>> {
  if (scope !== 'all') return [];
  const { channels } = await notifications.describe();
  return channels.flatMap(({ name, endedAt, failingSince, waiting, last }) => {
    const since = endedAt ?? failingSince;
    if (since === null || (endedAt === null && now - since < FAILING_FOR_MS)) return [];
    const at = toInstant(since);
    const waits = `${waiting.toLocaleString('en-US')} ${waiting === 1 ? 'alert waits' : 'alerts wait'}`;
    const what = `Notifications to ${name} have failed since ${at.slice(0, 16).replace('T', ' ')} UTC; ${waits}.`;
    return [{ name, since: at, waiting, sentence: `${what} ${last?.reason ?? ''}`.trim() }];
  });
}

/** Returns the number of the last delivery on the previous page. */
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
    // Nothing is sent to a channel that has ended or is no longer in the settings.
    next_at: toInstantOrNull(endedAt === null && channel !== null ? nextAt : null),
    last: last && toDelivery(last),
  };
}

function stateOf({
  channel,
  endedAt,
  failingSince,
  last,
}: ChannelState): DeskNotifications['channels'][number]['state'] {
  if (channel === null) return 'not configured';
  if (endedAt !== null) return 'ended';
  if (failingSince !== null) return 'failing';
  return last === null ? 'untried' : 'working';
}

function toDelivery(delivery: LoggedDelivery): NotificationDelivery {
  return { number: delivery.number, ...toAttempt(delivery) };
}

function toAttempt({
  channel,
  notification,
  attempt,
  events,
  summary,
  at,
  tookMs,
  outcome,
  status,
  reason,
  answer,
}: Delivery): NotificationTest {
  return {
    channel,
    call_id: notification,
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

/**
 * Notifications, their number and their deliveries concern everyone's alerts, so only viewers of all orders may see
 * them.
 */
function requireAllOrders({ scope }: Pick<Viewer, 'scope'>): void {
  if (scope === 'all') return;
  throw new VenueFailure({
    type: 'not-allowed',
    detail:
      'Notifications can be about the orders of any account, so only people whose scope is all orders ' +
      'can see them. An administrator of this Perpdesk can grant that scope.',
  });
}

/** Sends a test to a channel and returns its result. */
export function createChannelTest({
  test,
}: Pick<Notifications, 'test'>): (request: {
  readonly query: Readonly<Record<string, string>>;
  readonly context: { readonly viewer: Viewer };
}) => Promise<NotificationTest> {
  return async ({ query: { channel = '' }, context: { viewer } }) => {
    requireAllOrders(viewer);
    const result = await test(channel);
    if (result === null)
      throw new VenueFailure({
        type: 'bad-parameter',
        detail: `The settings name no channel "${channel}".`,
        parameter: 'channel',
      });
    if ('waitSeconds' in result) {
      throw new VenueFailure({
        type: 'too-soon',
        detail: `${channel} was tested a moment ago: wait ${String(result.waitSeconds)} s.`,
        retryAfterSeconds: result.waitSeconds,
      });
    }
    return toAttempt(result);
  };
}
