import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/instant.ts';
import { readOrders } from '#testing/order-rows.ts';
import type { Source } from '../source.ts';
import type { OrderTerms } from './order-terms.ts';
import { toAgeSeconds, toOrderRows } from './order-row.ts';

const HOUR_MS = 3_600_000;
const source: Source = { endpoint: 'desk/working', target: '/', answeredAt: '2026-08-17T12:00:00Z' as Instant, receivedAt: 0, ageSeconds: 0, cache: 'desk', requestId: null };
const terms = {} as OrderTerms;

function ageOf(time: string, aheadMs: number): number | null | undefined {
  const [row] = toOrderRows(readOrders([{ time }]), source, () => terms, aheadMs);
  return row && toAgeSeconds(row);
}

describe('the age of an order', () => {
  it('is counted by the venue’s clock, which gave it its time', () => {
    expect(ageOf('2026-08-17T11:59:00Z', 0)).toBe(60);
    expect(ageOf('2026-08-17T13:59:00Z', 2 * HOUR_MS)).toBe(60);
    expect(ageOf('2026-08-17T09:59:00Z', -2 * HOUR_MS)).toBe(60);
  });

  it('is none within the second that clocks may be in doubt by', () => {
    expect(ageOf('2026-08-17T12:00:00.900Z', 0)).toBe(0);
  });

  it('is not told where the order would be accepted after it was read', () => {
    expect(ageOf('2026-08-17T12:00:02Z', 0)).toBeNull();
  });
});
