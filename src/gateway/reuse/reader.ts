import { isMoreUrgent, isOfVenue, VenueFailure, type Problem, type Question, type Reader, type ReaderState, type ReadOptions, type Served, type Venue, type VenueAnswer } from '../ports.ts';
import { createFailures } from './failures.ts';
import { createFlights } from './flights.ts';
import type { Kept } from './kept.ts';
import type { Memory } from './memory.ts';
import { createStock, freshSeconds, type Held } from './stock.ts';

export interface ReaderParts {
  readonly venue: Venue;
  readonly memory: Memory;
  readonly kept: Kept;
  readonly now: () => number;
  /** Goes on evenly, however `now` is set. */
  readonly elapsed: () => number;
  /** Whose answers these are: the venue's address, and for private ones the connection that may see them. */
  readonly venueId: string;
  readonly identity: string;
}

/** Public answers older than this, or of an age that nobody knows, are not shown in place of new ones, however they are marked. */
const MOST_STALE_MS = 24 * 3_600_000;
/** The venue would say the same again: asking anew would only spend the budget. */
const LASTING_REFUSALS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

/** Answers from memory while fresh, from disk what is settled, and else by one read shared by all who ask. */
export function createReader(parts: ReaderParts): Reader {
  const { venue, memory, kept, now, elapsed } = parts;
  const stock = createStock({ memory, kept, keyOf: (question) => keyOf(parts, question), now, toVenueTime: (at) => toVenueTime(parts, at) });
  const flights = createFlights<VenueAnswer>();
  const failures = createFailures(elapsed);
  const asked: Record<Served['how'], number> = { hit: 0, kept: 0, joined: 0, miss: 0, stale: 0 };
  let failed = 0;

  const serve = (question: Question, answer: VenueAnswer, how: Served['how'], staleBecause: Problem | null = null): Served => {
    asked[how] += 1;
    return { answer, how, freshSeconds: freshSeconds(question, answer, now()), staleBecause };
  };

  const serveHeld = (question: Question, held: Held | undefined): Served | undefined =>
    held && serve(question, held.answer, held.isSettled ? 'kept' : 'hit');

  const read = async (question: Question, options: ReadOptions): Promise<VenueAnswer> => {
    try {
      const answer = stock.put(question, await venue.read(question, options));
      failures.forget(question.target);
      return answer;
    } catch (error) {
      if (isLasting(error)) stock.putRefusal(question, error.problem);
      else if (error instanceof VenueFailure && isOfVenue(error)) failures.note(question.target, options.purpose, error);
      throw error;
    }
  };

  const inPlaceOfNew = (question: Question, error: unknown): Served => {
    if (!(error instanceof VenueFailure)) throw error;
    const stale = mayBeStale(question, error) ? stock.findOld(question) : undefined;
    if (stale !== undefined && isShowable(stale, now())) return serve(question, stale, 'stale', error.problem);
    failed += 1;
    throw error;
  };

  const ask: Reader['ask'] = async (question, options) => {
    const { purpose, signal, again = false } = options;
    const held = again ? undefined : serveHeld(question, stock.find(question) ?? stock.findOnDisk(question));
    if (held !== undefined) return held;
    const underWay = flights.find(question.target);
    const failure = underWay === undefined ? failures.find(question.target, purpose) : undefined;
    if (failure !== undefined) return inPlaceOfNew(question, failure);
    const flight = underWay ?? flights.start(question.target, purpose, (dropped) => read(question, { purpose, signal: dropped }));
    try {
      return serve(question, await flight.join(signal), underWay === undefined ? 'miss' : 'joined');
    } catch (error) {
      // It was begun for less: it did not wait or try as long as this one may.
      if (isPassing(error) && isMoreUrgent(purpose, flight.purpose)) return ask(question, options);
      return inPlaceOfNew(question, error);
    }
  };

  return {
    find: (question) => serveHeld(question, stock.find(question)),
    ask,
    state: (): ReaderState => ({ ...memory.size(), kept: kept.size(), asked: { ...asked }, failed }),
    close: () => venue.close(),
  };
}

function isShowable({ answeredAt }: VenueAnswer, now: number): boolean {
  return answeredAt <= now && now - answeredAt < MOST_STALE_MS;
}

/** As far as it is known. */
function toVenueTime({ venue }: ReaderParts, at: number): number {
  return at + (venue.state().clockOffsetMs ?? 0);
}

/** On disk, where another venue or identity may have left answers. */
function keyOf({ venueId, identity }: ReaderParts, { endpoint, path, rawQuery }: Question): string {
  const owner = endpoint.access === 'signed' ? `${venueId} ${identity}` : venueId;
  return `${owner} ${path}?${rawQuery}`;
}

function isLasting(error: unknown): error is VenueFailure {
  return error instanceof VenueFailure && LASTING_REFUSALS.includes(error.problem.type);
}

/** A refusal is the truth of now; a failure only hides it. */
function isPassing(error: unknown): boolean {
  return error instanceof VenueFailure && !isLasting(error);
}

/** Private data is never shown in place of new. */
function mayBeStale({ endpoint }: Question, error: unknown): boolean {
  return endpoint.access === 'public' && isPassing(error);
}
