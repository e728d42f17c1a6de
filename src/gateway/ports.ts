import type { Endpoint, EndpointName } from '#contract/endpoints.ts';
import type { ProblemType } from '#contract/problems.ts';
import type { Body } from './body.ts';

/** The gateway's nouns, and the seams between its parts: front → reader → venue. */

/** One question to the venue, already held against the table: only such a question can be sent. */
export interface Question {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Decoded, in the order in which they are sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** From base_url on, mount included, as sent. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly rawQuery: string;
  /** Both, as sent. Equal questions have equal targets. */
  readonly target: string;
}

/** What a read is for; the earlier of two comes first when requests are scarce. */
export const PURPOSES = ['click', 'working', 'trailing', 'estimates', 'history', 'prefetch'] as const;
export type Purpose = (typeof PURPOSES)[number];

export function isMoreUrgent(one: Purpose, other: Purpose): boolean {
  return PURPOSES.indexOf(one) < PURPOSES.indexOf(other);
}

/** A whole, sound answer of the venue: complete by its length, JSON by its type and ends. */
export interface VenueAnswer {
  readonly body: Body;
  readonly contentType: string;
  /** When the venue gave it, in milliseconds since 1970 by this machine's clock: before it was complete, where a cache in between had held it. */
  readonly answeredAt: number;
  /** For how long a cache in between had held it when it came, in milliseconds. */
  readonly heldMs?: number;
  /** Strong: equal tags mean equal bytes. */
  readonly tag: string;
}

/** Why there is no answer, as a person is told. */
export interface Problem {
  readonly type: ProblemType;
  /** A sentence that says what happened and what to do. */
  readonly detail: string;
  /** The parameter that is wrong, where that is known. */
  readonly parameter?: string;
  readonly retryAfterSeconds?: number;
}

export class VenueFailure extends Error {
  override readonly name = 'VenueFailure';
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.detail, { cause });
    this.problem = problem;
  }
}

/** What the desk itself did not send says nothing about the venue. */
export function isOfVenue({ problem }: VenueFailure): boolean {
  return problem.type !== 'budget-spent' && problem.type !== 'desk-cannot-write';
}

/** The venue will not have the question as it is put; another way of putting it may do. */
export function isRefusedQuestion(error: unknown): boolean {
  return error instanceof VenueFailure && error.problem.type === 'bad-parameter';
}

/** Asks the venue itself: signs, sends, takes the answer whole, retries where that may help. Rejects with `VenueFailure`. */
export interface Venue {
  readonly read: (question: Question, options: ReadOptions) => Promise<VenueAnswer>;
  readonly state: () => VenueState;
  readonly close: () => Promise<void>;
}

export interface ReadOptions {
  readonly purpose: Purpose;
  /** Aborted when nobody waits any more: the read is dropped. */
  readonly signal: AbortSignal;
}

export interface VenueState {
  readonly baseUrl: string;
  /** How far the venue's clock is ahead of ours; null before its first answer. */
  readonly clockOffsetMs: number | null;
  readonly circuit: 'closed' | 'open' | 'half-open';
  readonly lastAnswerAt: number | null;
  /** What each endpoint last answered by, whoever asked. */
  readonly lastReads: ReadonlyMap<EndpointName, PastRead>;
  readonly lastFailure: PastFailure | null;
  /** What a 401, 403 or 429 last meant: failures of other kinds do not make it forgotten. */
  readonly lastRefusal: PastFailure | null;
}

interface PastRead {
  readonly at: number;
  /** From the question to its answer, waiting for a turn included. */
  readonly tookMs: number;
}

interface PastFailure {
  readonly at: number;
  readonly problem: Problem;
}

/**
 * The right to send one request. It counts from when it is taken until the budget's window has passed since `settle`:
 * the venue has counted the request at some moment between the two.
 */
export interface Permit {
  readonly settle: () => void;
}

/** What may still be asked of the venue. Never exceeded; survives restarts. */
export interface Ledger {
  /** Waits its turn by purpose; rejects with a `budget-spent` failure where the wait would pass the purpose's deadline. */
  readonly take: (purpose: Purpose, signal: AbortSignal) => Promise<Permit>;
  /** The venue itself says that too much was asked: nothing is sent for so long. */
  readonly hold: (seconds: number) => void;
  readonly state: () => LedgerState;
  readonly close: () => void;
}

export interface LedgerState {
  /** Null: no limit. */
  readonly limit: { readonly requests: number; readonly seconds: number; readonly reserve: number } | null;
  readonly used: number;
  /** How long until the next of those used comes back, and until all are back; null where that is not known, or nothing limits. */
  readonly nextBackMs: number | null;
  readonly allBackMs: number | null;
  readonly waiting: number;
  readonly byPurpose: Readonly<Record<Purpose, number>>;
}

/** Answers questions with as few reads of the venue as the table allows. Rejects with `VenueFailure`. */
export interface Reader {
  /** What needs no waiting: held in memory and still good. Throws a `VenueFailure` that would be given again. */
  readonly find: (question: Question) => Served | undefined;
  readonly ask: (question: Question, options: AskOptions) => Promise<Served>;
  readonly state: () => ReaderState;
  readonly close: () => Promise<void>;
}

interface AskOptions extends ReadOptions {
  /** What is remembered, an answer or a refusal, is too old for what it is to prove: the venue is asked again. */
  readonly again?: boolean;
}

export interface Served {
  readonly answer: VenueAnswer;
  /** `kept`: from disk, for good; `joined`: another asked the same at that moment. */
  readonly how: 'hit' | 'kept' | 'joined' | 'miss' | 'stale';
  /** Seconds for which it is still fresh; negative when stale. */
  readonly freshSeconds: number;
  /** Why a stale answer is given instead of a new one. */
  readonly staleBecause: Problem | null;
}

export interface ReaderState {
  readonly answers: number;
  readonly bytes: number;
  readonly kept: { readonly answers: number; readonly bytes: number };
  readonly asked: Readonly<Record<Served['how'], number>>;
  readonly failed: number;
}
