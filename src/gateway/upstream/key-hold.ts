import { VenueFailure, type Problem } from '../ports.ts';
import { withTimeLeft } from '../time-left.ts';

/** A key found to be refused is not sent again and again: that would spend the budget and look like an attack. */
export interface KeyHold {
  /** Throws the refusal while it holds; always, where there is no key. */
  readonly check: () => void;
  readonly refused: (problem: Problem, seconds: number) => void;
}

const noKey: Problem = {
  type: 'key-refused',
  detail: 'No key is configured: set DESK_CONNECTION_ID and DESK_AUTH_TOKEN or DESK_AUTH_TOKEN_FILE.',
};

export function createKeyHold(hasKey: boolean, elapsed: () => number): KeyHold {
  let held: { readonly problem: Problem; readonly until: number } | null = null;
  return {
    check: () => {
      if (!hasKey) throw new VenueFailure(noKey);
      if (held === null || elapsed() >= held.until) return;
      throw new VenueFailure(withTimeLeft(held.problem, held.until, elapsed()));
    },
    refused: (problem, seconds) => {
      held = { problem: { ...problem, retryAfterSeconds: seconds }, until: elapsed() + seconds * 1_000 };
    },
  };
}
