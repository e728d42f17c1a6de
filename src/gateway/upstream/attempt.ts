import type { VenueProfile } from '#contract/venues.ts';
import { toPublicQuestion, toQuestion } from '../question.ts';
import { VenueFailure, type Ledger, type Problem, type Purpose, type Question, type ReadOptions, type VenueAnswer } from '../ports.ts';
import { ageMsOf, hint } from './answer-headers.ts';
import { checkJson } from './check-json.ts';
import { diagnose } from './diagnose.ts';
import { judgeStatus, mayPass } from './judge-status.ts';
import type { KeyHold } from './key-hold.ts';
import { PassingFailure } from './passing-failure.ts';
import type { Signer } from './signer.ts';
import type { Received } from './exchange.ts';
import type { Transport } from './transport.ts';
import type { VenueClock } from './venue-clock.ts';

export interface AttemptParts {
  readonly profile: VenueProfile;
  readonly basePath: string;
  readonly transport: Transport;
  readonly ledger: Ledger;
  readonly clock: VenueClock;
  /** Null: no key is configured, private questions are not sent. */
  readonly signer: Signer | null;
  readonly keyHold: KeyHold;
  /** For each answer a tag that no other has. */
  readonly nextTag: () => string;
  readonly now: () => number;
  /** Told what it meant that the venue refused for the budget, the clock or the key. */
  readonly onRefusal: (problem: Problem) => void;
}

const REFUSALS_OF_STAMPS: readonly number[] = [401, 403];
const REFUSALS: readonly number[] = [...REFUSALS_OF_STAMPS, 429];
const HEADERS = { accept: 'application/json', 'accept-encoding': 'br, gzip', 'user-agent': 'perpdesk' } as const;

interface Sent {
  readonly received: Received;
  /** What it was signed with; null where it was not. */
  readonly stamp: Stamp | null;
}

interface Stamp {
  readonly timestamp: string;
  /** How far the venue’s clock was then taken to be ahead of ours. */
  readonly offsetMs: number;
}

/** Beyond what an answer that was long under way can make of the same clock. */
const CLOCK_WAS_SET_MS = 5_000;

/** Asks the venue once, whatever comes of it: each request takes its permit, teaches the clock, and is judged. */
export async function attempt(parts: AttemptParts, question: Question, options: ReadOptions): Promise<VenueAnswer> {
  const first = await send(parts, question, options);
  const sent = wasStampedWrong(parts, first) ? await exchange(parts, question, options) : first;
  const { received } = sent;
  if (received.status === 200) return toAnswer(parts, received);
  const problem = await judge(parts, question, sent, options);
  if (REFUSALS.includes(received.status)) parts.onRefusal(problem);
  heed(parts, problem);
  throw mayPass(received.status, problem) ? new PassingFailure(problem) : new VenueFailure(problem);
}

/** A clock was set since the last answer: this very refusal has taught by how much. */
function wasStampedWrong({ clock }: AttemptParts, { received, stamp }: Sent): boolean {
  if (stamp === null || !REFUSALS_OF_STAMPS.includes(received.status)) return false;
  return Math.abs((clock.offsetMs() ?? 0) - stamp.offsetMs) > CLOCK_WAS_SET_MS;
}

async function judge(parts: AttemptParts, question: Question, sent: Sent, { signal }: ReadOptions): Promise<Problem> {
  const { status } = sent.received;
  if (!REFUSALS_OF_STAMPS.includes(status)) return judgeStatus(question, sent.received);
  return diagnose(parts.ledger, {
    received: sent.received,
    timestamp: sent.stamp?.timestamp ?? null,
    statusOfSelfTest: () => statusOf(parts, toQuestion(parts.profile, 'orders', {}, [['limit', '1']]), signal),
    statusOfPublic: () => statusOf(parts, toPublicQuestion(parts.profile, question.name), signal),
    statusOfSame: () => statusOf(parts, question, signal),
  });
}

/** A refusal that says how long it lasts holds whatever else it would meet. */
function heed({ ledger, keyHold }: AttemptParts, problem: Problem): void {
  const { type, retryAfterSeconds } = problem;
  if (retryAfterSeconds === undefined) return;
  if (type === 'budget-spent') ledger.hold(retryAfterSeconds);
  if (type === 'key-refused') keyHold.refused(problem, retryAfterSeconds);
}

/** What a cache before the venue has held for a while is as old as that already. */
function toAnswer({ now, nextTag }: AttemptParts, { body, headers }: Received): VenueAnswer {
  const heldMs = ageMsOf(headers);
  return { body, contentType: checkJson(body, headers), answeredAt: now() - heldMs, heldMs, tag: nextTag() };
}

async function send(parts: AttemptParts, question: Question, options: ReadOptions): Promise<Sent> {
  const isSigned = question.endpoint.access === 'signed';
  // The first stamp must be right already: a wrong one reads as a wrong key.
  if (isSigned && !parts.clock.hasHeard()) await exchange(parts, toPublicQuestion(parts.profile), options);
  return exchange(parts, question, options);
}

async function exchange(parts: AttemptParts, question: Question, { purpose, signal }: ReadOptions): Promise<Sent> {
  const { clock, ledger, now, transport } = parts;
  const permit = await ledger.take(purpose, signal);
  try {
    const path = parts.basePath + question.path;
    const sentAt = now();
    // Stamped only now: the permit may have been long in coming.
    const stamp = question.endpoint.access === 'signed' ? toStamp(sentAt, clock.offsetMs() ?? 0) : null;
    const signed = stamp && parts.signer?.sign({ path, rawQuery: question.rawQuery, timestamp: stamp.timestamp });
    const received = await transport.send({ target: parts.basePath + question.target, headers: { ...HEADERS, ...signed }, signal });
    clock.learn(dateOf(received), sentAt, now());
    return { received, stamp };
  } finally {
    permit.settle();
  }
}

function toStamp(sentAt: number, offsetMs: number): Stamp {
  return { timestamp: new Date(sentAt + offsetMs).toISOString(), offsetMs };
}

/** When the venue answered; not known where a cache in between did, which keeps the date of what it holds. */
function dateOf({ headers }: Received): string | undefined {
  return Number(headers['age'] ?? 0) === 0 ? hint(headers, 'date') : undefined;
}

async function statusOf(parts: AttemptParts, question: Question, signal: AbortSignal): Promise<number> {
  const purpose: Purpose = 'click';
  const { received } = await send(parts, question, { purpose, signal });
  return received.status;
}
