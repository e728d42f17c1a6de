import { createHmac } from 'node:crypto';
import {
  AUTH_TIMESTAMP_HEADER,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  toCanonicalString,
} from '#contract/exchange/signing.ts';

interface SignedRequest {
  /** From the first slash, as sent. */
  readonly path: string;
  readonly rawQuery: string;
  readonly timestamp: string;
}

export interface Signer {
  readonly connectionId: string;
  readonly sign: (request: SignedRequest) => Readonly<Record<string, string>>;
  /** From the next request on, another token of the same connection is used. */
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
