import { VenueFailure, type Problem, withRemainingTime } from '#server/core/venue-failure.ts';
import type { Signer } from './signer.ts';

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

/** A key that was changed meanwhile is another one: it is used at once. */
export function createAuthBackoff(signer: Pick<Signer, 'changes'> | null, elapsed: () => number): AuthBackoff {
  let held: { readonly problem: Problem; readonly until: number; readonly changes: number } | null = null;
  return {
    check: () => {
      if (signer === null) throw new VenueFailure(noKey);
      if (held === null || elapsed() >= held.until || held.changes !== signer.changes()) return;
      throw new VenueFailure(withRemainingTime(held.problem, held.until, elapsed()));
    },
    rejected: (problem, seconds) => {
      held = {
        problem: { ...problem, retryAfterSeconds: seconds },
        until: elapsed() + seconds * 1_000,
        changes: signer?.changes() ?? 0,
      };
    },
  };
}
