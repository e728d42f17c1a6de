import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  AUTH_TIMESTAMP_HEADER,
  CONNECTION_ID_HEADER,
  type RequestToSign,
  SIGNATURE_HEADER,
} from '#contract/exchange/signing.ts';
import { type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import { type AuthBackoff, createAuthBackoff, createSigner } from './signer.ts';

interface Vector {
  readonly title: string;
  readonly request: RequestToSign;
  readonly token: string;
  readonly signature: string;
}

const file = readFileSync(new URL('../../../contract/exchange/signing.vectors.json', import.meta.url), 'utf8');
const vectors = (JSON.parse(file) as { readonly vectors: readonly Vector[] }).vectors.filter(
  ({ request }) => request.method === 'GET',
);

describe('the headers of a private request', () => {
  it.each(vectors)('match the test vector: $title', ({ request, token, signature }) => {
    expect(createSigner(request.connectionId, token).sign(request)).toEqual({
      [CONNECTION_ID_HEADER]: request.connectionId,
      [AUTH_TIMESTAMP_HEADER]: request.timestamp,
      [SIGNATURE_HEADER]: signature,
    });
  });

  it('are tested with several vectors', () => {
    expect(vectors.length).toBeGreaterThan(2);
  });

  it('are refused for a path that would not be sent as it was signed', () => {
    const signer = createSigner('3f', 'ab'.repeat(32));
    expect(() => signer.sign({ path: '/orders?x', rawQuery: '', timestamp: '2026-08-17T23:45:21.496Z' })).toThrow(
      RangeError,
    );
    expect(() =>
      signer.sign({ path: '/orders', rawQuery: 'cursor=a b', timestamp: '2026-08-17T23:45:21.496Z' }),
    ).toThrow(RangeError);
  });

  it('come from a signer that never prints its key', () => {
    const token = 'c0ffee'.padEnd(64, '7');
    const signer = createSigner('3f', token);
    const printed = [
      inspect(signer, { depth: 9, showHidden: true }),
      JSON.stringify(signer),
      Object.values(signer).join(),
    ].join();
    expect(printed).not.toContain('c0ffee');
  });
});

const rejected: Problem = { type: 'key-refused', detail: 'No.', retryAfterSeconds: 30 };

function problemOf(backoff: AuthBackoff): Problem | null {
  try {
    backoff.check();
    return null;
  } catch (error) {
    return error instanceof VenueFailure ? error.problem : null;
  }
}

describe('a key', () => {
  it('that was rejected is not used until the pause is over', () => {
    let now = 0;
    const backoff = createAuthBackoff({ changes: () => 0 }, () => now);
    expect(problemOf(backoff)).toBeNull();
    backoff.rejected(rejected, 30);
    now = 29_500;
    expect(problemOf(backoff)).toEqual({ ...rejected, retryAfterSeconds: 1 });
    now = 30_000;
    expect(problemOf(backoff)).toBeNull();
  });

  it('that was changed is used at once', () => {
    let changes = 0;
    const backoff = createAuthBackoff({ changes: () => changes }, () => 0);
    backoff.rejected(rejected, 30);
    expect(problemOf(backoff)).not.toBeNull();
    changes = 1;
    expect(problemOf(backoff)).toBeNull();
  });

  it('that is missing is named in the problem', () => {
    expect(problemOf(createAuthBackoff(null, () => 0))).toMatchObject({
      type: 'key-refused',
      detail: expect.stringContaining('DESK_CONNECTION_ID') as string,
    });
  });
});
