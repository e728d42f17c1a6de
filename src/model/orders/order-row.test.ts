import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import type { Source } from '../response.ts';
import type { OrderTerms } from './order-terms.ts';
import { toAgeSeconds, toOrderRows, toProductKind } from './order-row.ts';

const HOUR_MS = 3_600_000;
const source: Source = {
  endpoint: 'desk/working',
  target: '/',
  respondedAt: '2026-08-17T12:00:00Z' as Instant,
  receivedAt: 0,
  ageSeconds: 0,
  cache: 'computed',
  requestId: null,
};
const terms = {} as OrderTerms;

function ageOf(time: string, aheadMs: number): number | null | undefined {
  const [row] = toOrderRows(readOrders([{ time }]), source, () => terms, aheadMs);
  return row && toAgeSeconds(row);
}

describe('the age of an order', () => {
  it('is measured by the exchange’s clock, which sets the order’s time', () => {
    expect(ageOf('2026-08-17T11:59:00Z', 0)).toBe(60);
    expect(ageOf('2026-08-17T13:59:00Z', 2 * HOUR_MS)).toBe(60);
    expect(ageOf('2026-08-17T09:59:00Z', -2 * HOUR_MS)).toBe(60);
  });

  it('is zero within the tolerated difference of the clocks', () => {
    expect(ageOf('2026-08-17T12:00:00.900Z', 0)).toBe(0);
  });

  it('of a closed order ends with its last change', () => {
    const [row] = toOrderRows(
      readOrders([{ status: 'Closed', time: '2026-08-17T10:00:00Z', last_modified: '2026-08-17T11:30:00Z' }]),
      source,
      () => terms,
      0,
    );
    expect(row && toAgeSeconds(row)).toBe(5_400);
  });

  it('is unknown where the order was accepted after the response', () => {
    expect(ageOf('2026-08-17T12:00:02Z', 0)).toBeNull();
  });
});

describe('the product type of an order', () => {
  it.each([
    [5, 'Future', 'Perpetual'],
    [5, 'Spread', 'Spread'],
    [1, 'Future', 'Future'],
    [9, 'Future', 'Future'],
  ])('of product %i with the type %s is %s', (productId, type, kind) => {
    expect(toRows(readOrders([{ product_id: productId, product_type: type }])).map(toProductKind)).toEqual([kind]);
  });
});
