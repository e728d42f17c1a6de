import { toFreshness } from '#api/freshness.ts';
import { ADVICE, toTrouble } from '#api/trouble.ts';
import { PROBLEMS } from '#contract/problems.ts';
import type { Teller } from '#ui/panel/teller.tsx';

/** Tells panels what the door to the desk knows of failures and of age. */
export function createTeller(): Teller {
  return {
    ofError: toTrouble,
    ofReason: (type) => (isKnown(type) ? PROBLEMS[type].title : `The venue failed (${type}).`),
    adviceOn: (type) => (isKnown(type) ? ADVICE[type] : ''),
    isHarmless: ({ kind }) => kind === 'unknown field',
    ofAge: (asked, everySeconds, now) => toFreshness(asked, { reuseSeconds: everySeconds }, now),
  };
}

function isKnown(type: string): type is keyof typeof PROBLEMS {
  return Object.hasOwn(PROBLEMS, type);
}
