import type { VenueProfile } from '#contract/exchange/venues.ts';
import {
  DESK_ITSELF,
  type RateLimiter,
  type ReadOptions,
  type VenueRequest,
  type VenueResponse,
} from '#server/core/ports.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import { toPublicRequest, toVenueRequest } from '#server/core/venue-request.ts';
import type { AuthBackoff, Signer } from './signer.ts';
import { checkJson, TransientFailure, ageMsOf, optional } from './response.ts';
import { classifyStatus, isTransient, diagnose } from './diagnose.ts';
import type { UpstreamResponse } from './response-receiver.ts';
import type { Transport } from './transport.ts';
import type { VenueClock } from './venue-clock.ts';

export interface AttemptParts {
  readonly profile: VenueProfile;
  readonly basePath: string;
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  readonly clock: VenueClock;
  /** Null: no key is configured, so private requests are not sent. */
  readonly signer: Signer | null;
  readonly authBackoff: AuthBackoff;
  /** A unique tag for each response. */
  readonly nextTag: () => string;
  readonly now: () => number;
  /** Receives the meaning of each 401, 403 and 429. */
  readonly onRejection: (problem: Problem) => void;
}

const AUTH_REJECTIONS: readonly number[] = [401, 403];
const REJECTIONS: readonly number[] = [...AUTH_REJECTIONS, 429];
const HEADERS = { 'accept': 'application/json', 'accept-encoding': 'br, gzip', 'user-agent': 'perpdesk' } as const;

interface Sent {
  readonly received: UpstreamResponse;
  /** Null: not signed. */
  readonly stamp: Stamp | null;
}

interface Stamp {
  readonly timestamp: string;
  /** The clock offset of the exchange that the timestamp assumes. */
  readonly offsetMs: number;
  /** How often the key had been changed. */
  readonly keyChanges: number;
}

/** More than a slow response can shift the measured offset of an unchanged clock. */
const CLOCK_WAS_SET_MS = 5_000;

/**
 * One attempt at a read. It may send more than one request: to learn the exchange's clock before the first signature, to
 * sign again after a clock was set or the key changed, and to find out what a rejection means. Each takes its own permit.
 */
export async function attempt(
  parts: AttemptParts,
  request: VenueRequest,
  options: ReadOptions,
): Promise<VenueResponse> {
  const first = await sendSynced(parts, request, options);
  const sent = isToBeSignedAgain(parts, first) ? await send(parts, request, options) : first;
  const { received } = sent;
  if (received.status === 200) return toResponse(parts, received);
  const problem = await classify(parts, request, sent, options);
  if (REJECTIONS.includes(received.status)) parts.onRejection(problem);
  backOff(parts, problem);
  throw isTransient(received.status, problem) ? new TransientFailure(problem) : new VenueFailure(problem);
}

/** A clock was set since the last response, as the `Date` of this very rejection shows; or the key was changed meanwhile. */
function isToBeSignedAgain({ clock, signer }: AttemptParts, { received, stamp }: Sent): boolean {
  if (stamp === null || !AUTH_REJECTIONS.includes(received.status)) return false;
  if (stamp.keyChanges !== signer?.changes()) return true;
  return Math.abs((clock.offsetMs() ?? 0) - stamp.offsetMs) > CLOCK_WAS_SET_MS;
}

async function classify(
  parts: AttemptParts,
  request: VenueRequest,
  sent: Sent,
  options: ReadOptions,
): Promise<Problem> {
  const { status } = sent.received;
  if (!AUTH_REJECTIONS.includes(status)) return classifyStatus(request, sent.received);
  return diagnose(parts.rateLimiter, {
    received: sent.received,
    timestamp: sent.stamp?.timestamp ?? null,
    statusOfSelfTest: () => statusOf(parts, toVenueRequest(parts.profile, 'orders', {}, [['limit', '1']]), options),
    statusOfPublic: () => statusOf(parts, toPublicRequest(parts.profile, request.name), options),
    statusOfSame: () => statusOf(parts, request, options),
  });
}

function backOff({ rateLimiter, authBackoff }: AttemptParts, problem: Problem): void {
  const { type, retryAfterSeconds } = problem;
  if (retryAfterSeconds === undefined) return;
  if (type === 'budget-spent') rateLimiter.pauseFor(retryAfterSeconds);
  if (type === 'key-refused') authBackoff.rejected(problem, retryAfterSeconds);
}

/** A response that an intermediate cache has held is already that old. */
function toResponse({ now, nextTag }: AttemptParts, { body, headers }: UpstreamResponse): VenueResponse {
  const heldMs = ageMsOf(headers);
  return { body, contentType: checkJson(body, headers), answeredAt: now() - heldMs, heldMs, tag: nextTag() };
}

async function sendSynced(parts: AttemptParts, request: VenueRequest, options: ReadOptions): Promise<Sent> {
  const isSigned = request.endpoint.access === 'signed';
  // The exchange would report a wrong timestamp as a wrong key, so the first one must already be right.
  if (isSigned && !parts.clock.hasSynced()) await send(parts, toPublicRequest(parts.profile), options);
  return send(parts, request, options);
}

async function send(parts: AttemptParts, request: VenueRequest, options: ReadOptions): Promise<Sent> {
  const { clock, rateLimiter, now, transport, signer } = parts;
  const { purpose, signal } = options;
  const permit = await rateLimiter.acquire(options, signal);
  try {
    let sentAt = now();
    let stamp: Stamp | null = null;
    const headers = (): Readonly<Record<string, string>> => {
      sentAt = now();
      stamp =
        request.endpoint.access === 'signed' ? toStamp(sentAt, clock.offsetMs() ?? 0, signer?.changes() ?? 0) : null;
      return { ...HEADERS, ...sign(parts, request, stamp) };
    };
    const received = await transport.send({
      target: parts.basePath + request.target,
      endpoint: request.name,
      purpose,
      headers,
      signal,
    });
    clock.learn(dateOf(received), sentAt, now());
    return { received, stamp };
  } finally {
    permit.settle();
  }
}

function sign(
  { basePath, signer }: AttemptParts,
  { path, rawQuery }: VenueRequest,
  stamp: Stamp | null,
): Readonly<Record<string, string>> {
  if (stamp === null || signer === null) return {};
  return signer.sign({ path: basePath + path, rawQuery, timestamp: stamp.timestamp });
}

function toStamp(sentAt: number, offsetMs: number, keyChanges: number): Stamp {
  return { timestamp: new Date(sentAt + offsetMs).toISOString(), offsetMs, keyChanges };
}

/** When the exchange responded. Unknown if an intermediate cache did, which keeps the date of the cached response. */
function dateOf({ headers }: UpstreamResponse): string | undefined {
  return Number(headers['age'] ?? 0) === 0 ? optional(headers, 'date') : undefined;
}

/** Not with the share of whoever met the rejection: what it means concerns all. */
async function statusOf(parts: AttemptParts, request: VenueRequest, { signal }: ReadOptions): Promise<number> {
  const { received } = await sendSynced(parts, request, { purpose: 'interactive', payers: DESK_ITSELF, signal });
  return received.status;
}
