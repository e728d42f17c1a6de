import { VenueFailure, type Problem, withRemainingTime } from '../venue-failure.ts';

/** Stops sending a rejected key for a while: repeating it would spend the budget and look like an attack. */
export interface AuthBackoff {
  /** Throws while the pause lasts; always, if no key is configured. */
  readonly check: () => void;
  readonly rejected: (problem: Problem, seconds: number) => void;
}

const noKey: Problem = {
  type: 'key-refused',
  detail: 'No key is configured: set DESK_CONNECTION_ID and DESK_AUTH_TOKEN or DESK_AUTH_TOKEN_FILE.',
};

export function createAuthBackoff(hasKey: boolean, elapsed: () => number): AuthBackoff {
  let held: { readonly problem: Problem; readonly until: number } | null = null;
  return {
    check: () => {
      if (!hasKey) throw new VenueFailure(noKey);
      if (held === null || elapsed() >= held.until) return;
      throw new VenueFailure(withRemainingTime(held.problem, held.until, elapsed()));
    },
    rejected: (problem, seconds) => {
      held = { problem: { ...problem, retryAfterSeconds: seconds }, until: elapsed() + seconds * 1_000 };
    },
  };
}
