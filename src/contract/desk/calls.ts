import { flag, instant, integer, text } from '../exchange/fields.ts';
import { pageOf } from '../exchange/paging.ts';
import { cursor, orderLimit, type Parameter } from '../exchange/parameter-sets.ts';
import type { Grammar } from '../exchange/parameters.ts';
import { list, nullable, openEnum, row, type Static } from '../exchange/schema.ts';

/** What the desk calls out: which channels there are, what waits for them, and what was delivered. */

export const CHANNEL_KINDS = ['standard', 'slack', 'pagerduty', 'mail'] as const;
export const CHANNEL_STATES = ['untried', 'working', 'failing', 'ended', 'not configured'] as const;
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'given up', 'ended'] as const;

const attempt = {
  channel: text('Name of the channel.'),
  call_id: text(
    'ID of the call, the same for every attempt: the webhook-id of a Standard Webhook, part of the Message-ID of a mail.',
  ),
  attempt: integer('Number of the attempt, starting at 1; 0 for a test.'),
  events: integer('Number of alerts in the call.'),
  summary: text('The call in one line.'),
  at: instant('When it was sent.'),
  took_ms: integer('How long the attempt took, in milliseconds.'),
  outcome: openEnum(
    DELIVERY_OUTCOMES,
    'delivered: the receiver accepted it. failed: it will be sent again. given up: it will not be sent again. ended: the receiver responded with 410 and wants no more calls.',
  ),
  status: nullable(integer('HTTP status, or reply code of a mail server; null if there was none.')),
  reason: text('What went wrong, in a sentence; empty if nothing did.'),
  answer: text('The beginning of the response, printable and without secrets.'),
} as const;

const CallDelivery = row('CallDelivery', 'One attempt to deliver a call, and its result.', {
  number: integer('Sequence number: a later attempt has a higher one.'),
  ...attempt,
});
export type CallDelivery = Static<typeof CallDelivery>;

/** `POST /api/desk/calls/test`. */
export const CallTest = row('CallTest', 'A test of a channel, and its result.', attempt);
export type CallTest = Static<typeof CallTest>;

const CallChannel = row('CallChannel', 'A destination of calls.', {
  name: text('Name in the settings.'),
  kind: nullable(
    openEnum(
      CHANNEL_KINDS,
      'standard: a webhook that follows Standard Webhooks. slack, pagerduty: a webhook with the body that the service expects. mail: mail.',
    ),
  ),
  host: nullable(text('Host that receives the calls. The rest of the address may be a secret.')),
  state: openEnum(
    CHANNEL_STATES,
    'untried: nothing was sent yet. working: the last call was delivered. failing: the last attempt failed. ended: the receiver responded with 410; a delivered test or a restart enables it again. not configured: it is no longer in the settings, but alerts still wait for it.',
  ),
  since: nullable(instant('When it began to fail, or when it ended; otherwise null.')),
  waiting: integer('Alerts not delivered yet.'),
  oldest_at: nullable(instant('When the oldest of them began to wait; null if none is waiting.')),
  next_at: nullable(instant('When the next failed call is sent again; null if there is none.')),
  last: nullable(CallDelivery),
});

/** `GET /api/desk/calls`. */
export const DeskCalls = row('DeskCalls', 'The channels for calls. Only those who may see all orders may read them.', {
  delivers: flag('Whether this Perpdesk delivers calls. Of several that share a store, only one does.'),
  channels: list(CallChannel),
});
export type DeskCalls = Static<typeof DeskCalls>;

const { pagination } = pageOf(CallDelivery, 'DeskCallsPage').properties;

/** `GET /api/desk/calls/deliveries`. */
export const DeskCallDeliveries = row(
  'DeskCallDeliveries',
  'The delivery log, newest first: up to 10,000 deliveries of the last 30 days.',
  {
    deliveries: list(CallDelivery),
    pagination,
  },
);
export type DeskCallDeliveries = Static<typeof DeskCallDeliveries>;

const CHANNEL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

export const channelGrammar: Grammar = {
  name: 'channel',
  sentence: 'the name of a channel: up to 40 letters, digits, - or _',
  shape: { type: 'string', pattern: CHANNEL_PATTERN.source },
  example: 'desk',
  accepts: (name) => CHANNEL_PATTERN.test(name),
};

export const callDeliveriesQuery = {
  channel: { grammar: channelGrammar, description: 'Name of a channel.' },
  limit: { ...orderLimit, description: 'Deliveries per page, 1 to 1,000; 100 by default.' },
  cursor,
} as const satisfies Record<string, Parameter>;
