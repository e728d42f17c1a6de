import {
  type AlertEvent,
  isOpen,
  type Notification,
  toHeadline,
  toIncident,
  toLine,
  toLink,
  toLinks,
  toListed,
  toPlainLine,
} from './notification.ts';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Agent, type Dispatcher, request } from 'undici';
import type { WebhookSettings } from '#server/core/channel-settings.ts';
import {
  checkLiteral,
  createGuardedLookup,
  createRedact,
  limitTime,
  type Reach,
  type Resolve,
  type Sender,
  type SenderDeps,
  type SendResult,
  toFailedSend,
} from './sender.ts';

const CONNECT_MS = 5_000;
/** From the name look-up to the last byte that is read. */
const TOTAL_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;
/** Enough for the part of an error that a person reads. */
const MOST_BYTES = 4_096;
/** The most events in one Standard Webhook. */
const MOST_EVENTS = 100;

/** Sends notifications to an https address, without following redirects. */
export function createWebhookSender(
  settings: WebhookSettings,
  { deskUrl, now, schedule, resolve }: SenderDeps,
): Sender {
  const url = new URL(settings.url);
  const reach = { host: url.hostname.replace(/^\[|\]$/g, ''), allowsPrivate: settings.allowsPrivate };
  const redact = createRedact(secretsOf(settings, url));
  return {
    host: url.host,
    mostEvents: settings.kind === 'pagerduty' ? 1 : MOST_EVENTS,
    send: async (notification, signal) => {
      const limited = limitTime(signal, TOTAL_MS, schedule);
      const agent = createAgent(reach, resolve);
      try {
        checkLiteral(reach);
        const body = toBody(settings, notification, deskUrl());
        const response = await request(url, {
          method: 'POST',
          dispatcher: agent,
          body,
          headers: headersOf(settings, notification.id, body, now()),
          signal: limited.signal,
        });
        return toResult(response, redact(await readBeginning(response)), now());
      } catch (error) {
        signal.throwIfAborted();
        const failed = toFailedSend(error);
        return { ...failed, reason: redact(failed.reason) };
      } finally {
        limited.cancel();
        await agent.destroy();
      }
    },
  };
}

/** Creates an agent for one attempt, so that no connection outlives the check of its address. */
export function createAgent(reach: Reach, resolve: Resolve | undefined): Agent {
  const lookup: LookupFunction = createGuardedLookup(reach, resolve);
  return new Agent({
    allowH2: false,
    connect: { timeout: CONNECT_MS, rejectUnauthorized: true, lookup },
    headersTimeout: TOTAL_MS,
    bodyTimeout: TOTAL_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

function toBody({ kind, secret }: WebhookSettings, notification: Notification, deskUrl: string | null): string {
  switch (kind) {
    case 'standard':
      return toStandardBody(notification, deskUrl);
    case 'slack':
      return toSlackBody(notification, deskUrl);
    case 'pagerduty':
      return toPagerDutyBody(notification, secret, deskUrl);
  }
}

/** Signs the time of this attempt, because receivers reject old signatures. */
function headersOf({ kind, secret }: WebhookSettings, id: string, body: string, now: number): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Perpdesk' };
  if (kind !== 'standard') return headers;
  const at = new Date(now);
  return {
    ...headers,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

/** Reads as much of the body as arrives in time; the status has already decided the result. */
async function readBeginning({ body }: Dispatcher.ResponseData): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MOST_BYTES) break;
    }
  } catch {
    // The response was cut off or too slow.
  }
  return Buffer.concat(parts).subarray(0, MOST_BYTES).toString();
}

const GONE = 410;
/** Rejections of the body itself. Others may be due to a wrong address or key, which can be corrected. */
const REFUSED: readonly number[] = [400, 413, 415, 422];

function toResult({ statusCode: status, headers }: Dispatcher.ResponseData, answer: string, now: number): SendResult {
  const retryAfterMs = toRetryAfter(headers['retry-after'], now);
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, reason: '', answer, retryAfterMs: null };
  if (status === GONE)
    return {
      outcome: 'gone',
      status,
      reason: 'It responded with 410: it accepts no more notifications.',
      answer,
      retryAfterMs: null,
    };
  const outcome = REFUSED.includes(status) ? 'refused' : 'failed';
  const redirect = status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
  return { outcome, status, reason: `It responded with ${String(status)}${redirect}.`, answer, retryAfterMs };
}

function toRetryAfter(value: string | string[] | undefined, now: number): number | null {
  if (typeof value !== 'string') return null;
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return wait > 0 ? wait : null;
}

/** Treats the whole address after the host as secret, as Slack's is. */
function secretsOf({ secret }: WebhookSettings, { pathname, search }: URL): readonly string[] {
  const segments = pathname.split('/').filter(({ length }) => length >= 8);
  const parts = [pathname, `${pathname}${search}`, search, ...segments].filter(({ length }) => length > 1);
  return [...parts, secret, secret.replace(/^whsec_/, '')].filter((text) => text !== '/v2/enqueue' && text !== '');
}

/** Slack's limit for a text in a block. Escaping may exceed it. */
const LONGEST_SLACK_TEXT = 3_000;

/**
 * Returns a message for Slack, whose own notifications show `text`.
 *
 * @internal Exported for its test.
 */
export function toSlackBody(notification: Notification, deskUrl: string | null): string {
  const { parts, rest } = toListed(notification);
  const headline = notification.events.length === 1 ? [] : [section(`*${escapeSlack(toHeadline(notification))}*`)];
  const others = rest === null ? [] : [{ type: 'context', elements: [mrkdwn(rest)] }];
  const lines = parts.flatMap(({ listed }) => listed).map((event) => section(toSlackText(event, deskUrl)));
  return JSON.stringify({
    text: escapeSlack(toHeadline(notification)),
    unfurl_links: false,
    blocks: [...headline, ...lines, ...others],
  });
}

function toSlackText(event: AlertEvent, deskUrl: string | null): string {
  const source = `_${escapeSlack(toPlainLine(event.ruleName, 100))}, ${event.severity}_`;
  // `|` and `>` would end the address.
  const links = toLinks(event, deskUrl).map(
    ([name, link]) => ` · <${escapeSlack(link).replaceAll('|', '%7C')}|${name}>`,
  );
  return `${escapeSlack(toLine(event))}\n${source}${links.join('')}`;
}

/** Escapes the three characters that begin a link, a mention or an entity in Slack. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function section(text: string): object {
  return { type: 'section', text: mrkdwn(text) };
}

function mrkdwn(text: string): object {
  return { type: 'mrkdwn', text: text.slice(0, LONGEST_SLACK_TEXT), verbatim: true };
}

const LONGEST_SUMMARY = 1_024;

/**
 * Returns an event for PagerDuty (Events API v2). PagerDuty opens and closes each incident separately, so a
 * notification to it has one event.
 *
 * @internal Exported for its test.
 */
export function toPagerDutyBody({ events }: Notification, routingKey: string, deskUrl: string | null): string {
  const [event] = events;
  if (event === undefined || events.length > 1) throw new Error('A notification to PagerDuty has one event.');
  const key = { routing_key: routingKey, dedup_key: toIncident(event) };
  // A correction also closes the incident: if the rule does hold, that opens a new one.
  if (!isOpen(event)) return JSON.stringify({ ...key, event_action: 'resolve' });
  const links = toLinks(event, deskUrl).map(([text, href]) => ({ href, text: `${text} in Perpdesk` }));
  return JSON.stringify({
    ...key,
    event_action: 'trigger',
    payload: {
      summary: toPlainLine(toLine(event), LONGEST_SUMMARY),
      source: 'Perpdesk',
      severity: event.severity,
      timestamp: new Date(event.at).toISOString(),
      component: toPlainLine(event.group, 255),
      class: toPlainLine(event.ruleName, 255),
      custom_details: {
        rule_id: event.ruleId,
        state: event.state,
        started_at: new Date(event.startedAt).toISOString(),
      },
    },
    client: 'Perpdesk',
    ...(links[0] !== undefined && { client_url: links[0].href, links }),
  });
}

/**
 * Returns the body of a Standard Webhook with all events: type, timestamp and data, as the specification recommends.
 *
 * @internal Exported for its test.
 */
export function toStandardBody(notification: Notification, deskUrl: string | null): string {
  return JSON.stringify({
    type: 'perpdesk.alerts',
    timestamp: new Date(notification.madeAt).toISOString(),
    data: {
      summary: toHeadline(notification),
      events: notification.events.map((event) => toStandardEvent(event, deskUrl)),
    },
  });
}

function toStandardEvent(event: AlertEvent, deskUrl: string | null): object {
  return {
    key: event.key,
    rule_id: event.ruleId,
    rule_name: event.ruleName,
    severity: event.severity,
    group: event.group,
    state: event.state,
    occasion: event.occasion ?? 'change',
    at: new Date(event.at).toISOString(),
    started_at: new Date(event.startedAt).toISOString(),
    sentence: event.sentence,
    path: event.path,
    url: toLink(event.path, deskUrl),
    acknowledge_path: event.acknowledgePath ?? null,
    acknowledge_url: toLink(event.acknowledgePath, deskUrl),
    orders_path: event.ordersPath ?? null,
    orders_url: toLink(event.ordersPath, deskUrl),
  };
}
