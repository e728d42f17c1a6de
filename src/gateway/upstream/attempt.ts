import { ENDPOINTS } from '#contract/endpoints.ts';
import type { VenueProfile } from '#contract/venues.ts';
import { entityTagOf } from '../entity-tag.ts';
import { toQuestion } from '../question.ts';
import { VenueFailure, type Ledger, type Problem, type Purpose, type Question, type ReadOptions, type VenueAnswer } from '../ports.ts';
import { diagnose } from './diagnose.ts';
import { judgeStatus, USUAL_PAUSE_SECONDS } from './judge-status.ts';
import type { Signer } from './signer.ts';
import { checkJson, single } from './take-whole.ts';
import type { Received, Transport } from './transport.ts';
import type { VenueClock } from './venue-clock.ts';

export interface AttemptParts {
  readonly profile: VenueProfile;
  readonly basePath: string;
  readonly transport: Transport;
  readonly ledger: Ledger;
  readonly clock: VenueClock;
  /** Null: no key is configured, private questions are not sent. */
  readonly signer: Signer | null;
  readonly now: () => number;
}

const HEADERS = { accept: 'application/json', 'accept-encoding': 'br, gzip', 'user-agent': 'perpdesk' } as const;

interface Sent {
  readonly received: Received;
  readonly timestamp: string | null;
}

/** Asks the venue once, whatever comes of it: each request takes its permit, teaches the clock, and is judged. */
export async function attempt(parts: AttemptParts, question: Question, options: ReadOptions): Promise<VenueAnswer> {
  const sent = await send(parts, question, options);
  const { received } = sent;
  if (received.status === 200) return toAnswer(received, parts.now());
  const problem = await judge(parts, question, sent, options);
  if (problem.type === 'budget-spent') parts.ledger.hold(problem.retryAfterSeconds ?? USUAL_PAUSE_SECONDS);
  throw new VenueFailure(problem);
}

async function judge(parts: AttemptParts, question: Question, sent: Sent, { signal }: ReadOptions): Promise<Problem> {
  const { status } = sent.received;
  if (status !== 401 && status !== 403) return judgeStatus(question, sent.received);
  return diagnose(parts.ledger, {
    ...sent,
    statusOfSelfTest: () => statusOf(parts, toQuestion(parts.profile, 'orders', {}, [['limit', '1']]), signal),
    statusOfPublic: () => statusOf(parts, publicQuestion(parts), signal),
  });
}

function toAnswer({ body, headers }: Received, answeredAt: number): VenueAnswer {
  return { body, contentType: checkJson(body, headers), answeredAt, tag: entityTagOf(body) };
}

async function send(parts: AttemptParts, question: Question, options: ReadOptions): Promise<Sent> {
  const isSigned = question.endpoint.access === 'signed';
  if (isSigned && parts.signer === null) throw new VenueFailure({ type: 'key-refused', detail: NO_KEY });
  // The first stamp must be right already: a wrong one reads as a wrong key.
  if (isSigned && parts.clock.offsetMs() === null) await exchange(parts, publicQuestion(parts), null, options, 'HEAD');
  const timestamp = isSigned ? new Date(parts.now() + (parts.clock.offsetMs() ?? 0)).toISOString() : null;
  return { received: await exchange(parts, question, timestamp, options), timestamp };
}

const NO_KEY = 'No key is configured: set DESK_CONNECTION_ID and DESK_AUTH_TOKEN or DESK_AUTH_TOKEN_FILE.';

async function exchange(parts: AttemptParts, question: Question, timestamp: string | null, { purpose, signal }: ReadOptions, method: 'GET' | 'HEAD' = 'GET'): Promise<Received> {
  const { clock, now } = parts;
  const permit = await parts.ledger.take(purpose, signal);
  try {
    const path = parts.basePath + question.path;
    const signed = timestamp === null ? {} : parts.signer?.sign({ path, rawQuery: question.rawQuery, timestamp });
    const target = question.rawQuery === '' ? path : `${path}?${question.rawQuery}`;
    const sentAt = now();
    const received = await parts.transport.send({ method, target, headers: { ...HEADERS, ...signed }, signal });
    clock.learn(single(received.headers, 'date'), sentAt, now());
    return received;
  } finally {
    permit.settle();
  }
}

/** The first endpoint of the table that needs neither key nor parameter. */
function publicQuestion({ profile }: AttemptParts): Question {
  return toQuestion(profile, 'trailingStatsAll', ENDPOINTS.trailingStatsAll.pathParameters, []);
}

async function statusOf(parts: AttemptParts, question: Question, signal: AbortSignal): Promise<number> {
  const purpose: Purpose = 'click';
  const { received } = await send(parts, question, { purpose, signal });
  return received.status;
}
