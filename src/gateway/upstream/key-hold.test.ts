import { describe, expect, it } from 'vitest';
import { VenueFailure, type Problem } from '../ports.ts';
import { createKeyHold, type KeyHold } from './key-hold.ts';

const refused: Problem = { type: 'key-refused', detail: 'No.', retryAfterSeconds: 30 };

function problemOf(hold: KeyHold): Problem | null {
  try {
    hold.check();
    return null;
  } catch (error) {
    return error instanceof VenueFailure ? error.problem : null;
  }
}

describe('a key', () => {
  it('that was refused is not used until the time is over', () => {
    let now = 0;
    const hold = createKeyHold(true, () => now);
    expect(problemOf(hold)).toBeNull();
    hold.refused(refused, 30);
    now = 29_500;
    expect(problemOf(hold)).toEqual({ ...refused, retryAfterSeconds: 1 });
    now = 30_000;
    expect(problemOf(hold)).toBeNull();
  });

  it('that is not there is asked for by name', () => {
    expect(problemOf(createKeyHold(false, () => 0))).toMatchObject({ type: 'key-refused', detail: expect.stringContaining('DESK_CONNECTION_ID') as string });
  });
});
