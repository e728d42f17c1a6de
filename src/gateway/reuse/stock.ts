import { VenueFailure, type Problem, type Question, type VenueAnswer } from '../ports.ts';
import type { Kept } from './kept.ts';
import type { Memory, Remembered } from './memory.ts';
import { isLongOver, isSettled } from './settled.ts';

export interface Held {
  readonly answer: VenueAnswer;
  /** Good however old it is. */
  readonly isSettled: boolean;
}

/** The answers that are held: in memory for as long as the table allows, on disk for good what can never change again. */
export interface Stock {
  /** In memory and still good. Throws a refusal that would be given again. */
  readonly find: (question: Question) => Held | undefined;
  /** Good for ever, and from then on in memory. */
  readonly findOnDisk: (question: Question) => Held | undefined;
  /** However old it is. */
  readonly findOld: (question: Question) => VenueAnswer | undefined;
  /** Gives the answer to use: with the bytes and the tag that are held already, where the bytes came again. */
  readonly put: (question: Question, answer: VenueAnswer) => VenueAnswer;
  readonly putRefusal: (question: Question, refusal: Problem) => void;
}

export interface StockParts {
  readonly memory: Memory;
  readonly kept: Kept;
  readonly keyOf: (question: Question) => string;
  readonly now: () => number;
  /** A time of ours by the venue's clock, as far as it is known. */
  readonly toVenueTime: (at: number) => number;
}

/** The venue may think again. */
const MOST_REFUSED_SECONDS = 60;

/** Memory lasts as long as the desk, which has one venue and one identity; the disk may see others, and `keyOf` tells them apart. */
export function createStock({ memory, kept, keyOf, now, toVenueTime }: StockParts): Stock {
  const isForGood = (question: Question, answer: VenueAnswer): boolean => isSettled(question, answer, toVenueTime(answer.answeredAt));
  const findOld = ({ target }: Question): VenueAnswer | undefined => {
    const known = memory.find(target);
    return known !== undefined && 'answer' in known ? known.answer : undefined;
  };
  return {
    findOld,
    find: (question) => {
      const [known, refused] = [memory.find(question.target), memory.find(refusalKeyOf(question))];
      if (refused !== undefined && 'refusal' in refused && isLater(refused, known) && isGood(refused, question, now())) throw new VenueFailure(refused.refusal);
      return known !== undefined && 'answer' in known && isGood(known, question, now()) ? known : undefined;
    },
    findOnDisk: (question) => {
      const answer = isLongOver(question, toVenueTime(now())) ? kept.find(keyOf(question)) : undefined;
      if (answer === undefined || !isForGood(question, answer)) return undefined;
      const held = { answer, isSettled: true };
      memory.remember(question.target, held);
      return held;
    },
    put: (question, fresh) => {
      const old = findOld(question);
      // They take no memory twice, need not be packed again, and who has them need not be sent them again.
      const answer = old?.body.equals(fresh.body) === true ? { ...fresh, body: old.body, tag: old.tag } : fresh;
      const held = { answer, isSettled: isForGood(question, answer) };
      memory.remember(question.target, held);
      if (held.isSettled) kept.keep(keyOf(question), answer);
      return answer;
    },
    putRefusal: (question, refusal) => {
      memory.remember(refusalKeyOf(question), { refusal, answeredAt: now() });
    },
  };
}

/** Beside the last answer, which may be all there is when the venue is away. */
function refusalKeyOf({ target }: Question): string {
  return `refused ${target}`;
}

function isLater(refused: Extract<Remembered, { readonly refusal: Problem }>, known: Remembered | undefined): boolean {
  return known === undefined || !('answer' in known) || known.answer.answeredAt + (known.answer.heldMs ?? 0) < refused.answeredAt;
}

/** Seconds for which an answer may still be used; negative when it may not. */
export function freshSeconds({ endpoint: { reuseSeconds } }: Question, { answeredAt, heldMs = 0 }: VenueAnswer, now: number): number {
  // A cache in between had held it for longer than that: it gives no newer one, however often it is asked.
  const isHeldTooLong = heldMs >= reuseSeconds * 1_000;
  return secondsLeft(reuseSeconds, isHeldTooLong ? answeredAt + heldMs : answeredAt, now);
}

function secondsLeft(reuseSeconds: number, answeredAt: number, now: number): number {
  // The clock has been set back since: how old the answer is, nobody knows.
  if (answeredAt > now) return -1;
  return reuseSeconds - (now - answeredAt) / 1_000;
}

function isGood(known: Remembered, question: Question, now: number): boolean {
  const { reuseSeconds } = question.endpoint;
  if ('refusal' in known) return secondsLeft(Math.min(reuseSeconds, MOST_REFUSED_SECONDS), known.answeredAt, now) > 0;
  return known.isSettled || freshSeconds(question, known.answer, now) > 0;
}
