import { type ProblemDocument, PROBLEMS, type ProblemType, toProblemType } from '#contract/desk/problems.ts';
import type { CountedDeviation } from '#contract/parse/parse.ts';

/** The server responded with a problem document. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** Null for a type that this page does not know; its title and detail are then shown as received. */
  readonly type: ProblemType | null;
  readonly document: ProblemDocument;
  readonly receivedAt: number;
  /** When to retry, in epoch milliseconds; null without `Retry-After`. */
  readonly retryAt: number | null;

  constructor(document: ProblemDocument, receivedAt: number, retryAfterSeconds: number | null) {
    super(document.detail);
    this.type = toProblemType(document);
    this.document = document;
    this.receivedAt = receivedAt;
    this.retryAt = retryAfterSeconds === null ? null : receivedAt + retryAfterSeconds * 1_000;
  }
}

/** There was no response, or an incomplete one: the server is not running, or cannot be reached. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** An error status without a problem document: something between browser and server responded. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  readonly contentType: string | null;

  constructor(status: number, contentType: string | null) {
    super(`Received status ${String(status)} with ${contentType ?? 'no content type'}, which Perpdesk never sends.`);
    this.status = status;
    this.contentType = contentType;
  }
}

/** A response that is not JSON or does not match the schema. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
  readonly deviations: readonly CountedDeviation[];
  /** The beginning of the response, as received. */
  readonly received: string;

  constructor(deviations: readonly CountedDeviation[], text: string) {
    const [first] = deviations;
    const difference = first ? ` ${first.path}: expected ${first.expected}, found ${first.found}.` : '';
    super(`The response does not match the API.${difference}`);
    this.deviations = deviations;
    this.received = text.slice(0, MAX_SAMPLE_LENGTH);
  }
}

const MAX_SAMPLE_LENGTH = 2_000;

/** Whether newer data only wait for the request budget: nothing has failed. `cause` is an error or the type of a problem. */
export function isWaiting(cause: Error | string | null): boolean {
  return (cause instanceof ProblemError ? cause.type : cause) === 'budget-spent';
}

/** `forbidden`: someone must grant access. `refused`: the request itself is wrong. `failed`: a retry may succeed. */
export type FailureKind = 'forbidden' | 'refused' | 'failed';

const KINDS: Partial<Readonly<Record<ProblemType, FailureKind>>> = {
  'key-refused': 'forbidden',
  'cross-site': 'forbidden',
  'not-signed-in': 'forbidden',
  'not-allowed': 'forbidden',
  'recent-sign-in-needed': 'forbidden',
  'bad-parameter': 'refused',
  'not-found': 'refused',
  'not-in-the-interface': 'refused',
  'address-too-long': 'refused',
  'too-many-working-orders': 'refused',
};

export function toFailureKind(error: Error): FailureKind {
  const type = error instanceof ProblemError ? error.type : null;
  return (type && KINDS[type]) ?? 'failed';
}

/** Describes why the server sent a stale response, by the type of the problem that caused it. */
export function describeStale(staleBecause: string): string {
  return isKnown(staleBecause)
    ? `${PROBLEMS[staleBecause].title}.`
    : `The exchange could not be read (${staleBecause}).`;
}

export function isKnown(type: string): type is ProblemType {
  return Object.hasOwn(PROBLEMS, type);
}
