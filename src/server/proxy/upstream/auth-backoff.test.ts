import { describe, expect, it } from 'vitest';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import { createAuthBackoff, type AuthBackoff } from './auth-backoff.ts';

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
