import type { VenueProfile } from '#contract/venues.ts';
import type { Problem, Question } from '../ports.ts';
import { notInTheInterface, readQuestion } from '../question.ts';

/** Screens ask the same few questions over and over: each is read once. */
const MOST_REMEMBERED = 500;
const LONGEST_REMEMBERED = 512;

export type QuestionReader = (target: string) => Question | Problem;

/** Reads request targets below a prefix, as sent: `/api/web/charts/price/1547?end_time=now`. */
export function createQuestionReader(prefix: string, profile: VenueProfile): QuestionReader {
  const remembered = new Map<string, Question | Problem>();
  return (target) => {
    const known = remembered.get(target);
    if (known !== undefined) return known;
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    // What is not below the prefix must not pass for what is: `/xyz/orders` is as long as `/api/orders`.
    const read = path.startsWith(`${prefix}/`)
      ? readQuestion(path.slice(prefix.length), mark === -1 ? '' : target.slice(mark + 1), profile)
      : notInTheInterface;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    if (target.length <= LONGEST_REMEMBERED) remembered.set(target, read);
    return read;
  };
}
