import { VenueFailure, type Problem } from '../ports.ts';

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
      throw new VenueFailure({ ...held.problem, retryAfterSeconds: Math.ceil((held.until - elapsed()) / 1_000) });
    },
    refused: (problem, seconds) => {
      held = { problem, until: elapsed() + seconds * 1_000 };
    },
  };
}
