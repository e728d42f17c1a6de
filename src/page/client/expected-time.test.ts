import { describe, expect, it } from 'vitest';
import { type QueryState, toDueTime, toExpectedTime } from './freshness.ts';

const minute = { reuseSeconds: 60 };
const at = 1_000_000;

function stateOf(data: Partial<QueryState['data']>, error: Error | null = null): QueryState {
  return {
    data: { cache: 'hit', freshSeconds: null, ageSeconds: 0, receivedAt: at, ...data },
    error,
    errorUpdatedAt: at,
  };
}

describe('when newer data are expected', () => {
  const cadence = { everySeconds: 5, sharedBy: 2 };

  it('is one cadence after the reading of what was pushed, however long the gateway would serve it again', () => {
    expect(toExpectedTime(stateOf({ freshSeconds: 59, cadence }), minute)).toBe(at + 5_000);
    expect(toExpectedTime(stateOf({ ageSeconds: 2, cadence }), minute)).toBe(at + 3_000);
  });

  it('is when it is polled, where it is not pushed or the last reading failed', () => {
    const nothing: QueryState = { data: undefined, error: null, errorUpdatedAt: 0 };
    for (const state of [stateOf({}), nothing, stateOf({ cadence }, new Error('late'))])
      expect(toExpectedTime(state, minute)).toBe(toDueTime(state, minute));
  });
});
