import type { ProblemType } from '#contract/desk/problems.ts';
import {
  describeStale,
  type FailureKind,
  InvalidResponseError,
  isKnown,
  NetworkError,
  ProblemError,
  toFailureKind,
  UnexpectedResponseError,
} from './errors.ts';

/** A failure, described for the person who uses the page. */
export interface PresentedError {
  readonly kind: FailureKind;
  readonly title: string;
  readonly detail: string;
  /** What to do about it, in a sentence. */
  readonly advice: string;
  /** When the page retries by itself, in epoch milliseconds; null: at its usual interval, or not at all. */
  readonly retryAt: number | null;
  /** Details for an investigation: the request's id in Perpdesk's log, or the body that arrived. */
  readonly evidence: { readonly name: string; readonly text: string } | null;
}

const RETRIES = 'Perpdesk retries automatically.';
const RELOAD = 'Reload the page: its version may differ from the server’s.';

const ADVICE: Readonly<Record<ProblemType, string>> = {
  'budget-spent': 'Perpdesk retries as soon as the exchange allows it.',
  'clock-skew': 'Synchronise this machine’s clock with a time server, then try again.',
  'key-refused':
    'Check that Perpdesk’s connection ID and token are set, belong to this environment of the exchange, ' +
    'and may read this data.',
  'venue-unreachable': RETRIES,
  'venue-timeout': RETRIES,
  'venue-fault': RETRIES,
  'venue-answer-unreadable': RETRIES,
  'too-many-working-orders': 'Filter by account or product to reduce the number of orders.',
  'bad-parameter': 'Correct the address or the filter named above.',
  'bad-body': 'Correct what is named above.',
  'body-too-large': 'Send less at a time.',
  'body-not-json': RELOAD,
  'action-not-named': RELOAD,
  'changed-meanwhile': 'Review the change, then save again.',
  'too-soon': 'Try again in a moment.',
  'not-found': 'Check the product: its ID may differ at this exchange.',
  'not-in-the-interface': 'Go back to a Perpdesk screen; this address does not exist.',
  'method-not-allowed': RELOAD,
  'address-too-long': 'Use fewer or shorter filters.',
  'not-signed-in': 'Sign in, then this page continues.',
  'not-allowed': 'Switch to a person who may see this, or have an administrator grant it.',
  'recent-sign-in-needed': 'Try again, and confirm that it is you.',
  'cross-site': 'Open Perpdesk at its own address.',
  'too-many-streams': 'Close screens you do not need; this page polls meanwhile.',
  'desk-cannot-read': RETRIES,
  'desk-cannot-write': RETRIES,
  'leader-silent': 'See whether it was done; if not, try again in a moment.',
  'desk-fault': 'Report this error with the request ID below.',
};

/** Describes what happened and what to do, for any error that a query can end with. */
export function presentError(error: Error): PresentedError {
  const base = { kind: 'failed', detail: error.message, retryAt: null, evidence: null } as const;
  if (error instanceof ProblemError) return presentProblem(error);
  if (error instanceof NetworkError)
    return { ...base, title: 'Perpdesk unreachable', advice: 'This page retries automatically.' };
  if (error instanceof UnexpectedResponseError) {
    return {
      ...base,
      title: 'Unexpected response',
      advice: 'A proxy between this browser and Perpdesk may have sent it: check that connection.',
    };
  }
  if (error instanceof InvalidResponseError) {
    const advice = `${RELOAD} If this happens again, report it with the raw response below.`;
    return {
      ...base,
      title: 'Response does not match the API',
      advice,
      evidence: { name: 'Raw response', text: error.received },
    };
  }
  return { ...base, title: 'Unexpected page error', advice: 'Reload the page; if it happens again, report it.' };
}

function presentProblem(error: ProblemError): PresentedError {
  const { type, document, retryAt } = error;
  const { title, detail, instance } = document;
  const kind = toFailureKind(error);
  const advice = type === null ? 'Try again, or reload the page.' : adviceOn(type, detail);
  return {
    kind,
    title,
    detail,
    advice,
    retryAt,
    evidence: { name: 'Technical details', text: `Request ID ${instance}` },
  };
}

/** The path of most endpoints that the exchange may lack names a product. */
function adviceOn(type: ProblemType, detail: string): string {
  return type === 'not-found' && !detail.includes('/:')
    ? 'Have the address and the environment of the exchange in DESK_VENUE checked.'
    : ADVICE[type];
}

/** Describes why the server sent a stale response, by the type of the problem that caused it. */
export function presentStale(staleBecause: string): Pick<PresentedError, 'detail' | 'advice'> {
  return { detail: describeStale(staleBecause), advice: isKnown(staleBecause) ? ADVICE[staleBecause] : '' };
}
