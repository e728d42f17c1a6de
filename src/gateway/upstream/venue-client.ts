import { isOfVenue, VenueFailure, type Problem, type Purpose, type Question, type ReadOptions, type Venue, type VenueAnswer } from '../ports.ts';
import { attempt, type AttemptParts } from './attempt.ts';
import { createCircuit, type Pass } from './circuit.ts';
import { createKeyHold } from './key-hold.ts';
import { PassingFailure } from './passing-failure.ts';
import { createVenueRecord } from './venue-record.ts';

export interface VenueParts extends Omit<AttemptParts, 'keyHold' | 'nextTag' | 'onRefusal'> {
  /** Resolves after so many milliseconds, or rejects when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1: spreads the retries of many desks. */
  readonly random: () => number;
  readonly baseUrl: string;
  /** Goes on evenly, however `now` is set. */
  readonly elapsed: () => number;
}

const MOST_RETRIES: Readonly<Record<Purpose, number>> = { click: 2, working: 2, trailing: 2, estimates: 2, history: 2, prefetch: 0 };
const FIRST_PAUSE_MS = 200;
/** No new try begins after this: who asked would have given up. */
const DEADLINE_MS = 20_000;
/** The venue is at fault, and not the question, the key or the budget. */
const OUTAGES: readonly Problem['type'][] = ['venue-fault', 'venue-unreachable', 'venue-answer-unreadable', 'venue-timeout'];

/** The venue, asked with patience: few retries with a pause in between, none while it is down or says that it is too much. */
export function createVenueClient(parts: VenueParts): Venue {
  const { now, elapsed, clock } = parts;
  const record = createVenueRecord(now);
  const keyHold = createKeyHold(parts.signer !== null, elapsed);
  const attemptParts: AttemptParts = { ...parts, keyHold, nextTag: createTags(now()), onRefusal: record.refused };
  const circuit = createCircuit(elapsed);

  const persist = async (question: Question, options: ReadOptions): Promise<VenueAnswer> => {
    const begunAt = elapsed();
    const deadline = begunAt + DEADLINE_MS;
    for (let retries = 0; ; retries++) {
      try {
        const answer = await attempt(attemptParts, question, options);
        record.answered(question.name, elapsed() - begunAt);
        return answer;
      } catch (error) {
        if (error instanceof VenueFailure && isOfVenue(error)) record.failed(error.problem);
        const pauseMs = FIRST_PAUSE_MS * 2 ** retries * (0.5 + parts.random());
        const isOver = retries >= MOST_RETRIES[options.purpose] || elapsed() + pauseMs > deadline;
        if (isOver || !(error instanceof PassingFailure) || circuit.state() !== 'closed') throw error;
        await parts.pause(pauseMs, options.signal);
      }
    }
  };

  const read: Venue['read'] = async (question, options) => {
    // Before the circuit: what is not sent says nothing about the venue.
    if (question.endpoint.access === 'signed') keyHold.check();
    const pass = circuit.enter(question.name);
    try {
      const answer = await persist(question, options);
      pass.succeeded();
      return answer;
    } catch (error) {
      leave(pass, error);
      throw error;
    }
  };

  return {
    read,
    state: () => ({ baseUrl: parts.baseUrl, clockOffsetMs: clock.offsetMs(), circuit: circuit.state(), ...record.state() }),
    close: () => parts.transport.close(),
  };
}

/** By how the last of its tries ended: the tries of one question are one failure. */
function leave(pass: Pass, error: unknown): void {
  if (!(error instanceof VenueFailure) || !isOfVenue(error)) pass.left();
  else if (OUTAGES.includes(error.problem.type)) pass.failed(error.problem);
  else pass.succeeded();
}

/** Unique among those of all starts. Telling equal bytes by a digest of them would cost more than to compare them. */
function createTags(startedAt: number): () => string {
  const prefix = startedAt.toString(36);
  let count = 0;
  return () => `"${prefix}-${(count += 1).toString(36)}"`;
}
