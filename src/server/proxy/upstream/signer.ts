import { createHmac } from 'node:crypto';
import {
  AUTH_TIMESTAMP_HEADER,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  toCanonicalString,
} from '#contract/exchange/signing.ts';
import { type Problem, VenueFailure, withRemainingTime } from '#server/core/venue-failure.ts';

interface SignedRequest {
  /** From the first slash, as sent. */
  readonly path: string;
  readonly rawQuery: string;
  readonly timestamp: string;
}

export interface Signer {
  readonly connectionId: string;
  readonly sign: (request: SignedRequest) => Readonly<Record<string, string>>;
  /** Uses another token of the same connection from the next request on. */
  readonly changeToken: (token: string) => void;
  /** How often the token was changed. */
  readonly changes: () => number;
}

/** Holds the key. No field of the result contains the token, so that nothing can print it by accident. */
export function createSigner(connectionId: string, firstToken: string): Signer {
  let token = firstToken;
  let changes = 0;
  return {
    connectionId,
    changeToken: (next) => {
      if (next === token) return;
      token = next;
      changes += 1;
    },
    changes: () => changes,
    sign: ({ path, rawQuery, timestamp }) => {
      const message = toCanonicalString({ method: 'GET', path, rawQuery, timestamp, connectionId });
      return {
        [CONNECTION_ID_HEADER]: connectionId,
        [AUTH_TIMESTAMP_HEADER]: timestamp,
        [SIGNATURE_HEADER]: createHmac('sha256', token).update(message).digest('base64'),
      };
    },
  };
}

/** Stops sending a rejected key for a while: repeating it would spend the budget and look like an attack. */
export interface AuthBackoff {
  /** Throws during the pause; always, if no key is configured. */
  readonly check: () => void;
  readonly rejected: (problem: Problem, seconds: number) => void;
}

const noKey: Problem = {
  type: 'key-refused',
  detail: 'No key is configured: set DESK_CONNECTION_ID and DESK_AUTH_TOKEN or DESK_AUTH_TOKEN_FILE.',
};

/** Ends the pause when the key is changed: the new one is used at once. */
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
