import { flag, instant, integer, text } from './fields.ts';
import { pageOf } from './paging.ts';
import { cursor, orderLimit, type Parameter } from './parameter-sets.ts';
import type { Grammar } from './parameters.ts';
import { list, nullable, openEnum, row, type Static } from './schema.ts';

/** What the desk calls out: which channels there are, what waits for them, and what was delivered. */

export const CHANNEL_KINDS = ['standard', 'slack', 'pagerduty', 'mail'] as const;
export const CHANNEL_STATES = ['untried', 'working', 'failing', 'ended', 'not configured'] as const;
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'given up', 'ended'] as const;

const attempt = {
  channel: text('Name of the channel.'),
  call_id: text('Id of the call, the same at each attempt: webhook-id of a Standard Webhook, part of the Message-ID of a mail.'),
  attempt: integer('Which attempt of this call it was, from 1 on; 0 for a test.'),
  events: integer('How many alerts the call lists.'),
  summary: text('What the call says, in one line.'),
  at: instant('When it was sent.'),
  took_ms: integer('How long that took, in milliseconds.'),
  outcome: openEnum(DELIVERY_OUTCOMES, 'delivered: the receiver has it. failed: the call is sent again. given up: it is not sent again. ended: the receiver responded with 410 and wants no more calls.'),
  status: nullable(integer('HTTP status, or reply code of a mail server; null if there was none.')),
  reason: text('What went wrong, in a sentence; empty if nothing did.'),
  answer: text('The beginning of what came back, printable, without secrets.'),
} as const;

const CallDelivery = row('CallDelivery', 'One attempt to deliver a call, and what came of it.', {
  number: integer('Counts up: a later attempt has a higher number.'),
  ...attempt,
});
export type CallDelivery = Static<typeof CallDelivery>;

/** `POST /api/desk/calls/test`. */
export const CallTest = row('CallTest', 'A test of a channel, and what came of it.', attempt);
export type CallTest = Static<typeof CallTest>;

const CallChannel = row('CallChannel', 'Where calls go.', {
  name: text('Name in the settings.'),
  kind: nullable(openEnum(CHANNEL_KINDS, 'standard: a webhook by the rules of Standard Webhooks. slack, pagerduty: a webhook with the body that they take. mail: mail.')),
  host: nullable(text('Host that is called. The rest of its address may be a secret.')),
  state: openEnum(CHANNEL_STATES, 'untried: nothing was sent yet. working: the last call was delivered. failing: the last attempt failed. ended: the receiver responded with 410; a test that is delivered, or a restart, enables it again. not configured: the settings name it no longer, and alerts still wait for it.'),
  since: nullable(instant('Since when it has been failing, or when it ended; otherwise null.')),
  waiting: integer('Alerts that are not delivered yet.'),
  oldest_at: nullable(instant('Since when the oldest of them has waited; null if none waits.')),
  next_at: nullable(instant('When a call that failed is sent again; null if none is.')),
  last: nullable(CallDelivery),
});

/** `GET /api/desk/calls`. */
export const DeskCalls = row('DeskCalls', 'Channels of calls.', {
  delivers: flag('Whether this Perpdesk delivers: of several that share a store, one does.'),
  channels: list(CallChannel),
});
export type DeskCalls = Static<typeof DeskCalls>;

const { pagination } = pageOf(CallDelivery, 'DeskCallsPage').properties;

/** `GET /api/desk/calls/deliveries`. */
export const DeskCallDeliveries = row('DeskCallDeliveries', 'The log of deliveries, the newest first: the last 10,000 of the last 30 days.', {
  deliveries: list(CallDelivery),
  pagination,
});
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
