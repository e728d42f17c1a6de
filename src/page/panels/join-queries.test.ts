import { describe, expect, it } from 'vitest';
import { joinQueries } from './join-queries.ts';
import type { PanelQuery, Stamp } from './panel-body.tsx';

const stamp = (parts: Partial<Stamp>): Stamp => ({
  receivedAt: 10_000,
  ageSeconds: 0,
  freshSeconds: null,
  cache: 'miss',
  staleBecause: null,
  ...parts,
});
const query = (parts: Partial<PanelQuery<Stamp>>): PanelQuery<Stamp> => ({
  data: undefined,
  error: null,
  errorUpdatedAt: 0,
  isFetching: false,
  refetch: () => undefined,
  ...parts,
});
const read = (parts: Partial<Stamp>): PanelQuery<Stamp> => query({ data: stamp(parts) });

describe('queries shown together', () => {
  it('are as old as the oldest', () => {
    const joined = joinQueries([read({}), read({ receivedAt: 12_000, ageSeconds: 9 }), read({ ageSeconds: 6 })]);
    expect(joined.data).toMatchObject({ receivedAt: 12_000, ageSeconds: 9 });
  });

  it('are stale where one is, however old the others', () => {
    expect(
      joinQueries([read({ ageSeconds: 900 }), read({ staleBecause: 'venue/unreachable' })]).data?.staleBecause,
    ).toBe('venue/unreachable');
  });

  it('have no data until all have, and the error of any', () => {
    const error = new Error('It refuses the connection.');
    expect(joinQueries([read({}), query({ isFetching: true })])).toMatchObject({
      data: undefined,
      error: null,
      isFetching: true,
    });
    expect(joinQueries([read({}), query({ error, errorUpdatedAt: 7 })])).toMatchObject({
      data: undefined,
      error,
      errorUpdatedAt: 7,
    });
  });
});
