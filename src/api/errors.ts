import type { CountedDeviation } from '#contract/parse.ts';
import { toProblemType, type ProblemDocument, type ProblemType } from '#contract/problems.ts';

/** The gateway answered with a problem document: the venue or the request is at fault, and it says which. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** Null for a type that this page does not know: show its title and detail as they came. */
  readonly type: ProblemType | null;
  readonly document: ProblemDocument;
  readonly receivedAt: number;
  /** When it is worth asking again, in epoch milliseconds; null where nothing was said. */
  readonly retryAt: number | null;

  constructor(document: ProblemDocument, receivedAt: number, retryAfterSeconds: number | null) {
    super(document.detail);
    this.type = toProblemType(document);
    this.document = document;
    this.receivedAt = receivedAt;
    this.retryAt = retryAfterSeconds === null ? null : receivedAt + retryAfterSeconds * 1_000;
  }
}

/** Nothing came, or not all of it: the desk itself is not running or not within reach. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** An answer with a status that is no success and a body that is no problem document: something in between spoke. */
export class StrangeAnswerError extends Error {
  override readonly name = 'StrangeAnswerError';
  readonly status: number;
  readonly contentType: string | null;

  constructor(status: number, contentType: string | null) {
    super(`The desk answered ${String(status)} with ${contentType ?? 'no content type'}, which is not its way: is a proxy in between?`);
    this.status = status;
    this.contentType = contentType;
  }
}

/** An answer that is not of the shape that the interface promises, or not JSON. What came is kept, to be shown. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly deviations: readonly CountedDeviation[];
  /** The beginning of the answer as it came. */
  readonly received: string;

  constructor(deviations: readonly CountedDeviation[], text: string) {
    const [first] = deviations;
    const what = first ? `${first.path}: expected ${first.expected}, found ${first.found}` : 'it has another shape';
    super(`The answer is not what the interface promises. ${what}`);
    this.deviations = deviations;
    this.received = text.slice(0, LONGEST_SAMPLE);
  }
}

const LONGEST_SAMPLE = 2_000;
