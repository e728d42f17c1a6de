import type { VenueProfile } from '#contract/venues.ts';
import type { Problem, Question } from '../ports.ts';
import { notInTheInterface, readQuestion } from '../question.ts';

/** Screens ask the same few questions over and over. */
const MOST_REMEMBERED = 500;
const LONGEST_REMEMBERED = 512;

export interface Questions {
  /** Reads a request target below the prefix, as sent: `/api/web/charts/price/1547?end_time=now`. */
  readonly read: (target: string) => Question | Problem;
  /**
   * It is asked again and again: from now on it is not read anew. To remember what is asked once would cost more than to
   * read it, since all that is held for a while and then let go has to be collected.
   */
  readonly remember: (target: string, question: Question) => void;
}

export function createQuestions(prefix: string, profile: VenueProfile): Questions {
  const remembered = new Map<string, Question>();
  return {
    read: (target) => remembered.get(target) ?? readTarget(prefix, target, profile),
    remember: (target, question) => {
      if (target.length > LONGEST_REMEMBERED || remembered.has(target)) return;
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(target, question);
    },
  };
}

function readTarget(prefix: string, target: string, profile: VenueProfile): Question | Problem {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  // What is not below the prefix must not pass for what is: `/xyz/orders` is as long as `/api/orders`.
  if (!path.startsWith(`${prefix}/`)) return notInTheInterface;
  return readQuestion(path.slice(prefix.length), mark === -1 ? '' : target.slice(mark + 1), profile);
}
