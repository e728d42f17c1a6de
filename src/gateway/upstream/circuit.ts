import { VenueFailure, type Problem, type VenueState } from '../ports.ts';

/** Stops asking a venue that fails, and lets one question through from time to time to see whether it is back. */
export interface Circuit {
  /** Rejects at once while the venue is given time. */
  readonly enter: () => void;
  readonly succeeded: () => void;
  readonly failed: (problem: Problem) => void;
  /** The question was dropped: nothing was learnt. */
  readonly left: () => void;
  readonly state: () => VenueState['circuit'];
}

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export function createCircuit(now: () => number): Circuit {
  let failures = 0;
  let openUntil = 0;
  let probing = false;
  let last: Problem | null = null;

  const isOpen = (): boolean => failures >= FAILURES_TO_OPEN;
  return {
    enter: () => {
      if (!isOpen()) return;
      if (now() >= openUntil && !probing) {
        probing = true;
        return;
      }
      const seconds = Math.max(1, Math.ceil((openUntil - now()) / 1_000));
      const type = last?.type ?? 'venue-unreachable';
      throw new VenueFailure({ type, detail: `${last?.detail ?? ''} It is asked again in ${String(seconds)} s.`, retryAfterSeconds: seconds });
    },
    succeeded: () => {
      failures = 0;
      probing = false;
      last = null;
    },
    failed: (problem) => {
      failures += 1;
      probing = false;
      last = problem;
      if (isOpen()) openUntil = now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - FAILURES_TO_OPEN));
    },
    left: () => {
      probing = false;
    },
    state: () => (!isOpen() ? 'closed' : probing ? 'half-open' : 'open'),
  };
}
