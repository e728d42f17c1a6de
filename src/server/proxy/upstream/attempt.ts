import type { VenueProfile } from '#contract/exchange/addresses.ts';
import {
  DESK_ITSELF,
  type RateLimiter,
  type ReadOptions,
  type VenueRequest,
  type VenueResponse,
} from '#server/core/ports.ts';
import { VenueFailure, VoidPermit, type Problem } from '#server/core/venue-failure.ts';
import { toPublicRequest, toVenueRequest } from '#server/core/venue-request.ts';
import type { AuthBackoff, Signer } from './signer.ts';
import { ageMsOf, checkJson, optional, TransientFailure, type UpstreamResponse } from './response.ts';
import { classifyStatus, isTransient, diagnose } from './diagnose.ts';
import type { Transport } from './transport.ts';
import type { VenueClock } from './venue-clock.ts';

export interface AttemptDeps {
  readonly profile: VenueProfile;
  readonly basePath: string;
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  readonly clock: VenueClock;
  /** Null if no key is configured; private requests are then not sent. */
  readonly signer: Signer | null;
  readonly authBackoff: AuthBackoff;
  /** Returns a unique tag for each response. */
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
  /** Null if the request was not signed. */
  readonly stamp: Stamp | null;
}

interface Stamp {
  readonly timestamp: string;
  /** The clock offset of the exchange that the timestamp assumes. */
  readonly offsetMs: number;
  /** How often the key had been changed before. */
  readonly keyChanges: number;
}

/** More than a slow response can shift the measured offset of an unchanged clock. */
const CLOCK_WAS_SET_MS = 5_000;

/**
 * Makes one attempt at a read. It may send more than one request: to learn the exchange’s clock before the first
 * signature, to sign again after a clock was set or the key changed, and to find out what a rejection means. Each takes
 * its own permit.
 */
export async function attempt(deps: AttemptDeps, request: VenueRequest, options: ReadOptions): Promise<VenueResponse> {
  const first = await sendSynced(deps, request, options);
  const sent = isToBeSignedAgain(deps, first) ? await send(deps, request, options) : first;
  const { received } = sent;
  if (received.status === 200) return toResponse(deps, received);
  const problem = await classify(deps, request, sent, options);
  if (REJECTIONS.includes(received.status)) deps.onRejection(problem);
  backOff(deps, problem);
  throw isTransient(received.status, problem) ? new TransientFailure(problem) : new VenueFailure(problem);
}

/**
 * Whether a clock was set since the last response, as the `Date` of this rejection shows, or the key was changed
 * meanwhile.
 */
function isToBeSignedAgain({ clock, signer }: AttemptDeps, { received, stamp }: Sent): boolean {
  if (stamp === null || !AUTH_REJECTIONS.includes(received.status)) return false;
  if (stamp.keyChanges !== signer?.changes()) return true;
  return Math.abs((clock.offsetMs() ?? 0) - stamp.offsetMs) > CLOCK_WAS_SET_MS;
}

async function classify(deps: AttemptDeps, request: VenueRequest, sent: Sent, options: ReadOptions): Promise<Problem> {
  const { status } = sent.received;
  if (!AUTH_REJECTIONS.includes(status)) return classifyStatus(request, sent.received);
  return diagnose(deps.rateLimiter, {
    received: sent.received,
    timestamp: sent.stamp?.timestamp ?? null,
    statusOfSelfTest: () => statusOf(deps, toVenueRequest(deps.profile, 'orders', {}, [['limit', '1']]), options),
    statusOfPublic: () => statusOf(deps, toPublicRequest(deps.profile, request.name), options),
    statusOfSame: () => statusOf(deps, request, options),
  });
}

function backOff({ rateLimiter, authBackoff }: AttemptDeps, problem: Problem): void {
  const { type, retryAfterSeconds } = problem;
  if (retryAfterSeconds === undefined) return;
  if (type === 'budget-spent') rateLimiter.pauseFor(retryAfterSeconds);
  if (type === 'key-refused') authBackoff.rejected(problem, retryAfterSeconds);
}

/** Dates a response from an intermediate cache back by its `Age`. */
function toResponse({ now, nextTag }: AttemptDeps, { body, headers }: UpstreamResponse): VenueResponse {
  const heldMs = ageMsOf(headers);
  return { body, contentType: checkJson(body, headers), respondedAt: now() - heldMs, heldMs, tag: nextTag() };
}

async function sendSynced(deps: AttemptDeps, request: VenueRequest, options: ReadOptions): Promise<Sent> {
  const isSigned = request.endpoint.access === 'signed';
  // The exchange would report a wrong timestamp as a wrong key, so even the first one must be right.
  if (isSigned && !deps.clock.hasSynced()) await send(deps, toPublicRequest(deps.profile), options);
  return send(deps, request, options);
}

/** A connection that takes this many permits’ time does not come. */
const PERMITS = 3;

/** Sends a request, with another permit if the first one became void before it could be sent. */
async function send(deps: AttemptDeps, request: VenueRequest, options: ReadOptions, permits = PERMITS): Promise<Sent> {
  try {
    return await sendOnce(deps, request, options);
  } catch (error) {
    if (permits === 1 || !(error instanceof VoidPermit)) throw error;
    return send(deps, request, options, permits - 1);
  }
}

async function sendOnce(deps: AttemptDeps, request: VenueRequest, options: ReadOptions): Promise<Sent> {
  const { clock, rateLimiter, now, transport, signer } = deps;
  const { purpose, signal } = options;
  const permit = await rateLimiter.acquire(options, signal);
  try {
    let sentAt = now();
    let stamp: Stamp | null = null;
    const headers = (): Readonly<Record<string, string>> => {
      sentAt = now();
      stamp =
        request.endpoint.access === 'signed' ? toStamp(sentAt, clock.offsetMs() ?? 0, signer?.changes() ?? 0) : null;
      return { ...HEADERS, ...sign(deps, request, stamp) };
    };
    const received = await transport.send({
      target: deps.basePath + request.target,
      endpoint: request.name,
      purpose,
      headers,
      begin: permit.begin,
      signal,
    });
    clock.learn(dateOf(received), sentAt, now());
    return { received, stamp };
  } finally {
    permit.settle();
  }
}

function sign(
  { basePath, signer }: AttemptDeps,
  { path, rawQuery }: VenueRequest,
  stamp: Stamp | null,
): Readonly<Record<string, string>> {
  if (stamp === null || signer === null) return {};
  return signer.sign({ path: basePath + path, rawQuery, timestamp: stamp.timestamp });
}

function toStamp(sentAt: number, offsetMs: number, keyChanges: number): Stamp {
  return { timestamp: new Date(sentAt + offsetMs).toISOString(), offsetMs, keyChanges };
}

/**
 * Returns when the exchange responded; undefined for an intermediate cache, which keeps the date of the cached
 * response.
 */
function dateOf({ headers }: UpstreamResponse): string | undefined {
  return Number(headers['age'] ?? 0) === 0 ? optional(headers, 'date') : undefined;
}

/** Reads a status at the server’s own expense, because the meaning of a rejection concerns everyone. */
async function statusOf(deps: AttemptDeps, request: VenueRequest, { signal }: ReadOptions): Promise<number> {
  const { received } = await sendSynced(deps, request, { purpose: 'interactive', payers: DESK_ITSELF, signal });
  return received.status;
}
