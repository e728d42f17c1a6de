import { flag, instant, integer, text } from '../exchange/fields.ts';
import { pageOf } from '../exchange/paging.ts';
import { cursor, type Grammar, orderLimit, type Parameter } from '../exchange/parameters.ts';
import { list, nullable, openEnum, optional, row, type Static } from '../exchange/schema.ts';

/** Notifications about alerts: their channels, those waiting, and their deliveries. */

export const CHANNEL_KINDS = ['standard', 'slack', 'pagerduty', 'mail'] as const;
export const CHANNEL_STATES = ['untried', 'working', 'failing', 'ended', 'not configured'] as const;
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'given up', 'ended'] as const;

const attempt = {
  channel: text('Name of the channel.'),
  call_id: text(
    'ID of the notification, the same for every attempt: the webhook-id of a Standard Webhook, part of ' +
      'the Message-ID of a mail.',
  ),
  attempt: integer('Number of the attempt, starting at 1; 0 for a test.'),
  events: integer('Number of alerts in the notification.'),
  summary: text('The notification in one line.'),
  at: instant('When it was sent.'),
  took_ms: integer('How long the attempt took, in milliseconds.'),
  outcome: openEnum(
    DELIVERY_OUTCOMES,
    'delivered: the receiver accepted it. failed: it will be sent again. given up: it will not be sent ' +
      'again. ended: the receiver responded with 410 and wants no more notifications.',
  ),
  status: nullable(integer('HTTP status, or reply code of a mail server; null if there was none.')),
  reason: text('What went wrong, in a sentence; empty if nothing did.'),
  answer: text('The beginning of the response, printable and without secrets.'),
} as const;

const NotificationDelivery = row('CallDelivery', 'One attempt to deliver a notification, and its result.', {
  number: integer('Sequence number: a later attempt has a higher one.'),
  ...attempt,
});
export type NotificationDelivery = Static<typeof NotificationDelivery>;

/** `POST /api/desk/calls/test`. */
export const NotificationTest = row('CallTest', 'A test of a channel, and its result.', attempt);
export type NotificationTest = Static<typeof NotificationTest>;

const NotificationChannel = row('CallChannel', 'A destination of notifications.', {
  name: text('Name in the settings.'),
  kind: nullable(
    openEnum(
      CHANNEL_KINDS,
      'standard: a webhook that follows Standard Webhooks. slack, pagerduty: a webhook with the body ' +
        'that the service expects. mail: mail.',
    ),
  ),
  host: nullable(text('Host that receives the notifications. The rest of the address may be a secret.')),
  state: openEnum(
    CHANNEL_STATES,
    'untried: nothing was sent yet. working: the last notification was delivered. failing: the last ' +
      'attempt failed. ended: the receiver responded with 410; a delivered test or a restart enables it ' +
      'again. not configured: it is no longer in the settings, but alerts still wait for it.',
  ),
  since: nullable(instant('When it began to fail, or when it ended; otherwise null.')),
  waiting: integer('Alerts not delivered yet.'),
  oldest_at: nullable(instant('When the oldest of them began to wait; null if none is waiting.')),
  next_at: nullable(instant('When the next failed notification is sent again; null if there is none.')),
  last: nullable(NotificationDelivery),
});

const Heartbeat = row('Heartbeat', 'The requests that show a service elsewhere that Perpdesk works.', {
  host: text('Host that is requested. The rest of the address may be a secret.'),
  last_at: nullable(instant('When this Perpdesk was last answered; null if it was not since its start.')),
  problem: text('Why the next request was not made or not answered, in a sentence; empty if nothing is wrong.'),
});

/** `GET /api/desk/calls`. */
export const DeskNotifications = row(
  'DeskCalls',
  'The channels for notifications. Only those who may see all orders may read them.',
  {
    delivers: flag('Whether this Perpdesk delivers notifications. Of several that share a store, only one does.'),
    channels: list(NotificationChannel),
    heartbeat: optional(nullable(Heartbeat)),
  },
);
export type DeskNotifications = Static<typeof DeskNotifications>;

const { pagination } = pageOf(NotificationDelivery, 'DeskCallsPage').properties;

/** `GET /api/desk/calls/deliveries`. */
export const DeskDeliveries = row(
  'DeskCallDeliveries',
  'The delivery log, newest first: up to 10,000 deliveries of the last 30 days.',
  {
    deliveries: list(NotificationDelivery),
    pagination,
  },
);
export type DeskDeliveries = Static<typeof DeskDeliveries>;

const CHANNEL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

export const channelGrammar: Grammar = {
  name: 'channel',
  sentence: 'the name of a channel: up to 40 letters, digits, - or _',
  shape: { type: 'string', pattern: CHANNEL_PATTERN.source },
  example: 'desk',
  accepts: (name) => CHANNEL_PATTERN.test(name),
};

export const deliveriesQuery = {
  channel: { grammar: channelGrammar, description: 'Name of a channel.' },
  limit: { ...orderLimit, description: 'Deliveries per page, 1 to 1,000; 100 by default.' },
  cursor,
} as const satisfies Record<string, Parameter>;
