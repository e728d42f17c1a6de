import type { EndpointName } from '#contract/endpoints.ts';
import { VenueFailure, type Problem, type VenueState } from '../ports.ts';

/** Stops asking a venue that fails, and lets one question through from time to time to see whether it is back. */
export interface Circuit {
  /** Throws at once while the venue is given time. */
  readonly enter: (endpoint: EndpointName) => Pass;
  readonly state: () => VenueState['circuit'];
}

/** A question on its way, however often it is tried: says how it ended. */
export interface Pass {
  readonly succeeded: () => void;
  readonly failed: (problem: Problem) => void;
  /** It was dropped, or never sent: nothing was learnt. */
  readonly left: () => void;
}

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export function createCircuit(elapsed: () => number): Circuit {
  const failures = createFailures();
  let pauses = 0;
  let openUntil = 0;
  let probe: Pass | null = null;
  let last: Problem | null = null;

  const isOpen = (): boolean => pauses > 0;
  const open = (): void => {
    openUntil = elapsed() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);
    pauses += 1;
  };
  const endProbe = (pass: Pass): boolean => {
    const wasProbe = probe === pass;
    if (wasProbe) probe = null;
    return wasProbe;
  };
  const createPass = (endpoint: EndpointName): Pass => {
    const pass: Pass = {
      succeeded: () => {
        endProbe(pass);
        failures.forget();
        pauses = 0;
        last = null;
      },
      failed: (problem) => {
        last = problem;
        failures.add(endpoint, problem);
        const wasProbe = endProbe(pass);
        // Many were out when it opened: they failed together, which is one reason to wait and not many.
        if (isOpen() ? wasProbe : failures.areOfTheVenue()) open();
      },
      left: () => void endProbe(pass),
    };
    return pass;
  };

  return {
    enter: (endpoint) => {
      const pass = createPass(endpoint);
      if (!isOpen()) return pass;
      if (elapsed() < openUntil || probe !== null) throw refusal(last, openUntil - elapsed());
      probe = pass;
      return pass;
    },
    state: () => (!isOpen() ? 'closed' : probe === null ? 'open' : 'half-open'),
  };
}

interface Failures {
  readonly add: (endpoint: EndpointName, problem: Problem) => void;
  readonly areOfTheVenue: () => boolean;
  readonly forget: () => void;
}

/** Those in a row. One endpoint that fails is no reason not to ask the others; a venue that is out of reach is. */
function createFailures(): Failures {
  const endpoints = new Set<EndpointName>();
  let all = 0;
  let unreached = 0;
  return {
    add: (endpoint, { type }) => {
      endpoints.add(endpoint);
      all += 1;
      if (type === 'venue-unreachable') unreached += 1;
    },
    areOfTheVenue: () => unreached >= FAILURES_TO_OPEN || (all >= FAILURES_TO_OPEN && endpoints.size > 1),
    forget: () => {
      endpoints.clear();
      all = 0;
      unreached = 0;
    },
  };
}

function refusal(last: Problem | null, waitMs: number): VenueFailure {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const { type, detail } = last ?? { type: 'venue-unreachable', detail: 'The venue cannot be reached.' };
  // The seconds stand beside it and are counted there: the words stay the same as long as the trouble does.
  return new VenueFailure({ type, detail: `${detail} The desk pauses before it asks again.`, retryAfterSeconds });
}
