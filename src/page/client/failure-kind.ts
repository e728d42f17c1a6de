import { PROBLEMS, type ProblemType } from '#contract/desk/problems.ts';
import { ProblemError } from './errors.ts';

/** `forbidden`: someone must grant access. `refused`: the request itself is wrong. `failed`: it may work later. */
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

/** Why the gateway served an old response, by the type of the problem that made it do so. */
export function describeStale(staleBecause: string): string {
  return isKnown(staleBecause)
    ? `${PROBLEMS[staleBecause].title}.`
    : `The exchange could not be read (${staleBecause}).`;
}

export function isKnown(type: string): type is ProblemType {
  return Object.hasOwn(PROBLEMS, type);
}
