import type { CountedDeviation, Reading, SetAside } from '#contract/parse.ts';
import type { Source } from '#domain/source.ts';
import { UnreadableAnswerError } from './errors.ts';
import type { TextAnswer } from './http-client.ts';

/** An answer as a screen gets it: the value, what is odd about it, and where and when it came from. */
export interface Answer<T> extends Source {
  /** The good rows, or the one object. */
  readonly value: T;
  /** Rows that are not to be believed, as they came: to be shown and counted, not computed with. */
  readonly setAside: readonly SetAside[];
  /** Every difference from the interface, counted by kind and place. */
  readonly deviations: readonly CountedDeviation[];
  /** For how long from its receipt it is not worth asking again, as the gateway told; null where it did not. */
  readonly freshSeconds: number | null;
  /** Type of the problem that made the gateway answer with an old one; null where it is as fresh as it can be. */
  readonly staleBecause: string | null;
  readonly tag: string | null;
}

/** What was asked, and how its answer is read. */
export interface Question<T> {
  readonly endpoint: string;
  readonly target: string;
  readonly read: (text: string) => Reading<T>;
  /** Somebody's own: nothing of it may stay in the browser. */
  readonly isPrivate: boolean;
  /** The desk answers out of itself, and waits for no venue. */
  readonly isOwn?: boolean;
}

/** Reads an answer tolerantly. The same text as before (by its tag) is not read again: rows keep their identity. */
export function toAnswer<T>({ endpoint, target, read }: Omit<Question<T>, 'isPrivate'>, received: TextAnswer, previous?: Answer<T>): Answer<T> {
  const { text, ...proof } = received;
  const { value, setAside, deviations } = isSame(received, previous) ? previous : read(text ?? '');
  if (value === null) throw new UnreadableAnswerError(deviations, text ?? '');
  const cache = proof.cache === 'unknown' && endpoint.startsWith('desk/') ? 'desk' : proof.cache;
  return { ...proof, cache, endpoint, target, value, setAside, deviations };
}

function isSame<T>({ text, tag }: TextAnswer, previous: Answer<T> | undefined): previous is Answer<T> {
  return previous !== undefined && (text === null || (tag !== null && tag === previous.tag));
}
