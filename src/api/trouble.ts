import type { ProblemType } from '#contract/problems.ts';
import { NetworkError, ProblemError, StrangeAnswerError, UnreadableAnswerError } from './errors.ts';

/** A failure as people are told of it. */
export interface Trouble {
  /** `forbidden`: somebody has to allow it. `refused`: the question itself cannot be answered. `failed`: it may work later. */
  readonly kind: 'forbidden' | 'refused' | 'failed';
  readonly title: string;
  readonly detail: string;
  /** What to do, in a sentence. */
  readonly advice: string;
  /** When the page asks again by itself, in epoch milliseconds; null: at its usual pace or not at all. */
  readonly retryAt: number | null;
  /** What helps to find out more: the name of the request in the desk's log, or what came. */
  readonly evidence: { readonly name: string; readonly text: string } | null;
}

const waiting = 'The page asks again by itself; what it has already read stays in view.';

/** What to do, by what happened. */
export const ADVICE: Readonly<Record<ProblemType, string>> = {
  'budget-spent': 'Wait: the page asks again as soon as the venue allows it. Close other tabs or tools that use the same key.',
  'clock-skew': 'Set this machine’s clock by a time server, then try again.',
  'key-refused': 'Check the desk’s connection id and token, and that they belong to this environment of the venue.',
  'venue-unreachable': waiting,
  'venue-timeout': waiting,
  'venue-fault': waiting,
  'venue-answer-unreadable': waiting,
  'too-many-working-orders': 'Narrow the question by account or product.',
  'bad-parameter': 'Correct the address or the filter named above.',
  'not-found': 'Check the product: it may have another number at this venue.',
  'not-in-the-interface': 'Go back to a screen of the desk; this address is none.',
  'method-not-allowed': 'Reload the page: it may be of another version than the desk.',
  'address-too-long': 'Use fewer or shorter filters.',
  'cross-site': 'Open the desk at its own address.',
  'desk-cannot-write': 'Make room on the disk of the desk’s folder, or give the desk another folder; the page asks again by itself.',
  'desk-fault': 'Look for the request’s id in the desk’s log, and report it.',
};

const KINDS: Partial<Readonly<Record<ProblemType, Trouble['kind']>>> = {
  'key-refused': 'forbidden',
  'cross-site': 'forbidden',
  'bad-parameter': 'refused',
  'not-found': 'refused',
  'not-in-the-interface': 'refused',
  'address-too-long': 'refused',
  'too-many-working-orders': 'refused',
};

/** What happened and what to do, for any error that a query ends with. */
export function toTrouble(error: Error): Trouble {
  const base = { kind: 'failed', detail: error.message, retryAt: null, evidence: null } as const;
  if (error instanceof ProblemError) return toTroubleOfProblem(error);
  if (error instanceof NetworkError) return { ...base, title: 'The desk does not answer.', advice: waiting };
  if (error instanceof StrangeAnswerError) {
    return { ...base, title: 'Something else answered for the desk.', advice: 'Look at what stands between this browser and the desk.' };
  }
  if (error instanceof UnreadableAnswerError) {
    const advice = 'What came is below, as it came. Its fields may have been renamed.';
    return { ...base, title: 'The answer has another shape than the interface promises.', advice, evidence: { name: 'What came', text: error.received } };
  }
  return { ...base, title: 'The page itself failed.', advice: 'Reload the page; if it happens again, report it.' };
}

function toTroubleOfProblem({ type, document, retryAt }: ProblemError): Trouble {
  const { title, detail, instance } = document;
  const kind = (type && KINDS[type]) ?? 'failed';
  return { kind, title, detail, advice: type === null ? 'Try again, or reload the page.' : ADVICE[type], retryAt, evidence: { name: 'For the log', text: `request ${instance}` } };
}
