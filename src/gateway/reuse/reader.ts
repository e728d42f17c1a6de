import { VenueFailure, type Problem, type Question, type Reader, type ReaderState, type ReadOptions, type Served, type Venue, type VenueAnswer } from '../ports.ts';
import { createFlights } from './flights.ts';
import type { Kept } from './kept.ts';
import type { Memory, Remembered } from './memory.ts';
import { isSettled } from './settled.ts';

export interface ReaderParts {
  readonly venue: Venue;
  readonly memory: Memory;
  readonly kept: Kept;
  readonly now: () => number;
  /** Whose answers these are: the venue's address, and for private ones the connection that may see them. */
  readonly venueId: string;
  readonly identity: string;
}

/** Public answers older than this are not shown in place of new ones, however they are marked. */
const MOST_STALE_MS = 24 * 3_600_000;
/** The venue would say the same again: asking anew would only spend the budget. */
const LASTING_REFUSALS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

/** Answers from memory while fresh, from disk what is settled, and else by one read shared by all who ask. */
export function createReader(parts: ReaderParts): Reader {
  const { venue, memory, kept, now } = parts;
  const flights = createFlights<VenueAnswer>();
  const asked: Record<Served['how'], number> = { hit: 0, kept: 0, joined: 0, miss: 0, stale: 0 };
  let failed = 0;

  const serve = (question: Question, answer: VenueAnswer, how: Served['how'], staleBecause: Problem | null = null): Served => {
    asked[how] += 1;
    return { answer, how, freshSeconds: freshSeconds(question, answer.answeredAt, now()), staleBecause };
  };

  const fromMemory = (key: string, question: Question): Served | undefined => {
    const known = findGood(memory, key, question, now());
    if (known === undefined) return undefined;
    if ('refusal' in known) throw new VenueFailure(known.refusal);
    return serve(question, known.answer, known.isSettled === true ? 'kept' : 'hit');
  };

  const fromDisk = (key: string, question: Question): Served | undefined => {
    const answer = isSettled(question, now()) ? kept.find(key) : undefined;
    if (answer === undefined) return undefined;
    memory.remember(key, { answer, isSettled: true });
    return serve(question, answer, 'kept');
  };

  const read = async (key: string, question: Question, options: ReadOptions): Promise<VenueAnswer> => {
    try {
      const answer = withKnownBytes(await venue.read(question, options), memory.find(key));
      memory.remember(key, { answer });
      if (isSettled(question, now())) kept.keep(key, answer);
      return answer;
    } catch (error) {
      if (isLasting(error)) memory.remember(key, { refusal: error.problem, answeredAt: now() });
      throw error;
    }
  };

  const inPlaceOfNew = (key: string, question: Question, error: unknown): Served => {
    const stale = mayBeStale(question, error) ? memory.find(key) : undefined;
    if (error instanceof VenueFailure && stale !== undefined && 'answer' in stale && now() - stale.answer.answeredAt < MOST_STALE_MS) {
      return serve(question, stale.answer, 'stale', error.problem);
    }
    if (error instanceof VenueFailure) failed += 1;
    throw error;
  };

  return {
    find: (question) => fromMemory(keyOf(parts, question), question),
    ask: async (question, { purpose, signal }) => {
      const key = keyOf(parts, question);
      const stock = fromMemory(key, question) ?? fromDisk(key, question);
      if (stock !== undefined) return stock;
      const underWay = flights.find(key);
      const flight = underWay ?? flights.start(key, (dropped) => read(key, question, { purpose, signal: dropped }));
      try {
        return serve(question, await flight.join(signal), underWay === undefined ? 'miss' : 'joined');
      } catch (error) {
        return inPlaceOfNew(key, question, error);
      }
    },
    state: (): ReaderState => ({ ...memory.size(), kept: kept.size(), asked: { ...asked }, failed }),
    close: () => venue.close(),
  };
}

function keyOf({ venueId, identity }: ReaderParts, { endpoint, path, rawQuery }: Question): string {
  const owner = endpoint.access === 'signed' ? `${venueId} ${identity}` : venueId;
  return `${owner} ${path}?${rawQuery}`;
}

function freshSeconds({ endpoint }: Question, answeredAt: number, now: number): number {
  return endpoint.reuseSeconds - (now - answeredAt) / 1_000;
}

/** Bytes that came again take no memory twice, and need not be compressed again. */
function withKnownBytes(answer: VenueAnswer, known: Remembered | undefined): VenueAnswer {
  return known !== undefined && 'answer' in known && known.answer.tag === answer.tag ? { ...answer, body: known.answer.body } : answer;
}

function findGood(memory: Memory, key: string, question: Question, now: number): Remembered | undefined {
  const known = memory.find(key);
  if (known === undefined || ('answer' in known && known.isSettled === true)) return known;
  const answeredAt = 'answer' in known ? known.answer.answeredAt : known.answeredAt;
  return freshSeconds(question, answeredAt, now) > 0 ? known : undefined;
}

function isLasting(error: unknown): error is VenueFailure {
  return error instanceof VenueFailure && LASTING_REFUSALS.includes(error.problem.type);
}

/** A refusal is the truth of now; a failure only hides it. Private data is never shown in place of new. */
function mayBeStale({ endpoint }: Question, error: unknown): boolean {
  return endpoint.access === 'public' && error instanceof VenueFailure && !isLasting(error);
}
