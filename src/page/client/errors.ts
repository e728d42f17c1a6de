import type { CountedDeviation } from '#contract/parse/parse.ts';
import { toProblemType, type ProblemDocument, type ProblemType } from '#contract/desk/problems.ts';

/** The desk returned a problem document. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** Null for a type that this page does not know; its title and detail are shown as received. */
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

/** No response, or an incomplete one: the desk is not running or out of reach. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** An error status without a problem document: something between browser and desk responded. */
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
