import { describe, expect, it } from 'vitest';
import type { OrderId } from '#contract/exchange/ids.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { estimateRows, toRequests } from './request-cost.ts';

const at = (time: string) => ({ time: time as Instant, id: '1' as OrderId });
const newest = at('2026-08-17T10:00:00Z');
const oldest = at('2026-08-17T00:00:00Z');

describe('the cost of loading more', () => {
  it('follows the rate of the rows read, in either direction', () => {
    expect(estimateRows({ first: newest, last: oldest, rows: 1_001 }, '2026-08-16T14:00:00Z' as Instant)).toBe(1_000);
    expect(estimateRows({ first: oldest, last: newest, rows: 1_001 }, '2026-08-17T15:00:00Z' as Instant)).toBe(500);
  });

  it('is zero for a range that is loaded', () => {
    expect(estimateRows({ first: newest, last: oldest, rows: 1_001 }, '2026-08-17T05:00:00Z' as Instant)).toBe(0);
  });

  it('is unknown if all rows have the same time', () => {
    expect(estimateRows({ first: newest, last: newest, rows: 500 }, '2026-08-16T00:00:00Z' as Instant)).toBeNull();
  });

  it('is a request a page, and one that finds the end', () => {
    expect([toRequests(0, 500), toRequests(500, 500), toRequests(501, 500)]).toEqual([1, 2, 3]);
  });
});
