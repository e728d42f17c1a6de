import { PROBLEMS, type ProblemType } from '#contract/problems.ts';
import { InvalidResponseError, NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';

/** A failure in words for a person. */
export interface PresentedError {
  /** `forbidden`: someone must grant access. `refused`: the request itself is wrong. `failed`: it may work later. */
  readonly kind: 'forbidden' | 'refused' | 'failed';
  readonly title: string;
  readonly detail: string;
  /** What to do, in a sentence. */
  readonly advice: string;
  /** When the page retries by itself, in epoch milliseconds; null: at its usual interval or not at all. */
  readonly retryAt: number | null;
  /** Details for whoever investigates: the id of the request in Perpdesk's log, or the body that arrived. */
  readonly evidence: { readonly name: string; readonly text: string } | null;
}

const RETRIES = 'Perpdesk retries automatically.';

const ADVICE: Readonly<Record<ProblemType, string>> = {
  'budget-spent': 'Wait: Perpdesk retries as soon as the exchange allows it. Close other tabs or tools that use the same key.',
  'clock-skew': 'Synchronise this machine’s clock with a time server, then try again.',
  'key-refused': 'Check Perpdesk’s connection id and token, and that they belong to this environment of the exchange.',
  'venue-unreachable': RETRIES,
  'venue-timeout': RETRIES,
  'venue-fault': RETRIES,
  'venue-answer-unreadable': RETRIES,
  'too-many-working-orders': 'Filter by account or product to reduce the number of orders.',
  'bad-parameter': 'Correct the address or the filter named above.',
  'not-found': 'Check the product: its id may differ at this exchange.',
  'not-in-the-interface': 'Go back to a Perpdesk screen; this address does not exist.',
  'method-not-allowed': 'Reload the page: its version may differ from the server’s.',
  'address-too-long': 'Use fewer or shorter filters.',
  'cross-site': 'Open Perpdesk at its own address.',
  'desk-cannot-write': 'Free disk space for Perpdesk’s data folder, or configure another folder; Perpdesk retries automatically.',
  'desk-fault': 'Find the request id in Perpdesk’s log and report it.',
};

const KINDS: Partial<Readonly<Record<ProblemType, PresentedError['kind']>>> = {
  'key-refused': 'forbidden',
  'cross-site': 'forbidden',
  'bad-parameter': 'refused',
  'not-found': 'refused',
  'not-in-the-interface': 'refused',
  'address-too-long': 'refused',
  'too-many-working-orders': 'refused',
};

/** What happened and what to do, for any error that a query can end with. */
export function presentError(error: Error): PresentedError {
  const base = { kind: 'failed', detail: error.message, retryAt: null, evidence: null } as const;
  if (error instanceof ProblemError) return presentProblem(error);
  if (error instanceof NetworkError) return { ...base, title: 'Perpdesk server unreachable', advice: RETRIES };
  if (error instanceof UnexpectedResponseError) {
    return { ...base, title: 'Unexpected response', advice: 'Check for a proxy between this browser and Perpdesk.' };
  }
  if (error instanceof InvalidResponseError) {
    const advice = 'The raw response is below. Its fields may have been renamed.';
    return { ...base, title: 'Response does not match the API', advice, evidence: { name: 'Raw response', text: error.received } };
  }
  return { ...base, title: 'Error in the page', advice: 'Reload the page; if it happens again, report it.' };
}

function presentProblem({ type, document, retryAt }: ProblemError): PresentedError {
  const { title, detail, instance } = document;
  const kind = (type && KINDS[type]) ?? 'failed';
  const advice = type === null ? 'Try again, or reload the page.' : ADVICE[type];
  return { kind, title, detail, advice, retryAt, evidence: { name: 'Technical details', text: `request ${instance}` } };
}

/** Why the gateway served an old response, by the type of the problem that made it do so. */
export function presentStale(staleBecause: string): Pick<PresentedError, 'detail' | 'advice'> {
  return isKnown(staleBecause) ? { detail: `${PROBLEMS[staleBecause].title}.`, advice: ADVICE[staleBecause] } : { detail: `The exchange could not be read (${staleBecause}).`, advice: '' };
}

function isKnown(type: string): type is ProblemType {
  return Object.hasOwn(PROBLEMS, type);
}
