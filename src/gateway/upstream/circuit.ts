import { VenueFailure, type Problem, type VenueState } from '../ports.ts';

/** Stops asking a venue that fails, and lets one question through from time to time to see whether it is back. */
export interface Circuit {
  /** Throws at once while the venue is given time. */
  readonly enter: () => Pass;
  readonly state: () => VenueState['circuit'];
}

/** A question on its way: says how it ended. */
export interface Pass {
  readonly succeeded: () => void;
  readonly failed: (problem: Problem) => void;
  /** It was dropped, or never sent: nothing was learnt. */
  readonly left: () => void;
}

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export function createCircuit(now: () => number): Circuit {
  let failures = 0;
  let pauses = 0;
  let openUntil = 0;
  let probe: Pass | null = null;
  let last: Problem | null = null;

  const isOpen = (): boolean => pauses > 0;
  const open = (): void => {
    openUntil = now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);
    pauses += 1;
  };
  const endProbe = (pass: Pass): boolean => {
    const wasProbe = probe === pass;
    if (wasProbe) probe = null;
    return wasProbe;
  };
  const createPass = (): Pass => {
    const pass: Pass = {
      succeeded: () => {
        endProbe(pass);
        failures = 0;
        pauses = 0;
        last = null;
      },
      failed: (problem) => {
        last = problem;
        failures += 1;
        const wasProbe = endProbe(pass);
        // Many were out when it opened: they failed together, which is one reason to wait and not many.
        if (isOpen() ? wasProbe : failures >= FAILURES_TO_OPEN) open();
      },
      left: () => void endProbe(pass),
    };
    return pass;
  };

  return {
    enter: () => {
      const pass = createPass();
      if (!isOpen()) return pass;
      if (now() < openUntil || probe !== null) throw refusal(last, openUntil - now());
      probe = pass;
      return pass;
    },
    state: () => (!isOpen() ? 'closed' : probe === null ? 'open' : 'half-open'),
  };
}

function refusal(last: Problem | null, waitMs: number): VenueFailure {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const { type, detail } = last ?? { type: 'venue-unreachable', detail: 'The venue cannot be reached.' };
  return new VenueFailure({ type, detail: `${detail} It is asked again in ${String(seconds)} s.`, retryAfterSeconds: seconds });
}
