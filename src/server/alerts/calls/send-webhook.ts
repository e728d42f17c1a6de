import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Agent, request, type Dispatcher } from 'undici';
import type { WebhookSettings } from '#server/core/channel-settings.ts';
import { checkLiteral, createGuardedLookup, type Reach, type Resolve } from './addresses.ts';
import { toPagerDutyBody } from './pagerduty.ts';
import type { Call } from './lines.ts';
import { toSlackBody } from './slack.ts';
import { toStandardBody } from './standard.ts';
import { limitTime } from './limit-time.ts';
import { createRedact } from './redact.ts';
import { toFailedSend, type SendResult } from './send-result.ts';
import type { Sender, SenderParts } from './sender.ts';

const CONNECT_MS = 5_000;
/** From the lookup of the name to the last byte that is read. */
const TOTAL_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;
/** Enough for what a person reads of an error. */
const MOST_BYTES = 4_096;
/** All that one Standard Webhook lists. */
const MOST_EVENTS = 100;

/** Sends calls to an https address, without following redirects. */
export function createWebhookSender(
  settings: WebhookSettings,
  { deskUrl, now, schedule, resolve }: SenderParts,
): Sender {
  const url = new URL(settings.url);
  const reach = { host: url.hostname.replace(/^\[|\]$/g, ''), allowsPrivate: settings.allowsPrivate };
  const redact = createRedact(secretsOf(settings, url));
  return {
    host: url.host,
    mostEvents: settings.kind === 'pagerduty' ? 1 : MOST_EVENTS,
    send: async (call, signal) => {
      const limited = limitTime(signal, TOTAL_MS, schedule);
      const agent = createAgent(reach, resolve);
      try {
        checkLiteral(reach);
        const body = toBody(settings, call, deskUrl());
        const response = await request(url, {
          method: 'POST',
          dispatcher: agent,
          body,
          headers: headersOf(settings, call.id, body, now()),
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

/** For one attempt, so that no connection outlives the check of its address. */
function createAgent(reach: Reach, resolve: Resolve | undefined): Agent {
  const lookup: LookupFunction = createGuardedLookup(reach, resolve);
  return new Agent({
    allowH2: false,
    connect: { timeout: CONNECT_MS, rejectUnauthorized: true, lookup },
    headersTimeout: TOTAL_MS,
    bodyTimeout: TOTAL_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

function toBody({ kind, secret }: WebhookSettings, call: Call, deskUrl: string | null): string {
  switch (kind) {
    case 'standard':
      return toStandardBody(call, deskUrl);
    case 'slack':
      return toSlackBody(call, deskUrl);
    case 'pagerduty':
      return toPagerDutyBody(call, secret, deskUrl);
  }
}

/** The signature has the time of this attempt: a receiver refuses an old one. */
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

/** The status has decided already: of the rest, what comes in time is read. */
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
    // Cut off, or too slow.
  }
  return Buffer.concat(parts).subarray(0, MOST_BYTES).toString();
}

const GONE = 410;
/** About the body itself. Other rejections may be mistakes that somebody mends, such as an address or a key. */
const REFUSED: readonly number[] = [400, 413, 415, 422];

function toResult({ statusCode: status, headers }: Dispatcher.ResponseData, answer: string, now: number): SendResult {
  const retryAfterMs = toRetryAfter(headers['retry-after'], now);
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, reason: '', answer, retryAfterMs: null };
  if (status === GONE)
    return {
      outcome: 'gone',
      status,
      reason: 'It responded with 410: it accepts no more calls.',
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

/** Of an address everything behind the host, as Slack's is one secret as a whole. */
function secretsOf({ secret }: WebhookSettings, { pathname, search }: URL): readonly string[] {
  const segments = pathname.split('/').filter(({ length }) => length >= 8);
  const parts = [pathname, `${pathname}${search}`, search, ...segments].filter(({ length }) => length > 1);
  return [...parts, secret, secret.replace(/^whsec_/, '')].filter((text) => text !== '/v2/enqueue' && text !== '');
}
