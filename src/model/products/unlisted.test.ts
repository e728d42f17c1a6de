import { expect, it } from 'vitest';
import { describeTooEarlyExpired, describeUnlisted, findTooEarlyExpired, findUnlisted } from './unlisted.ts';

const traded = (productId: number, volume: number | null = 5) => ({ productId, volume }) as never;
const settled = (product_id: number, interval_end: string) => ({ product_id, interval_end }) as never;
const NEWEST = '2026-08-17T08:00:00Z';

it('finds what trades or settles without being listed, once each', () => {
  const data = { trailing: [traded(1), traded(2)], funding: [settled(2, NEWEST), settled(3, NEWEST)] };
  expect(findUnlisted(new Set([1]), data)).toEqual([2, 3]);
  expect(describeUnlisted([2])?.title).toBe('1 product with data is not listed.');
  expect(describeUnlisted([2, 3])).toMatchObject({
    title: '2 products with data are not listed.',
    text: expect.stringContaining('lacks product 2, product 3, so') as string,
  });
});

it('does not miss what is no longer traded, nor what has not been read', () => {
  const data = { trailing: [traded(4, null)], funding: [settled(5, '2026-02-01T08:00:00Z'), settled(1, NEWEST)] };
  expect(findUnlisted(new Set([1]), data)).toEqual([]);
  expect(findUnlisted(new Set([1]), {})).toEqual([]);
  expect(describeUnlisted([])).toBeNull();
});

const NOW = Date.parse('2026-08-17T12:00:00Z');
const expired = (product_id: number, settlesInDays?: number, product_status = 'expired') => ({
  ...{ product_id, product_status },
  ...(settlesInDays !== undefined && { final_settle_time: new Date(NOW + settlesInDays * 86_400_000).toISOString() }),
});

it('finds products that are marked as expired although they trade, or settle later', () => {
  const data = { trailing: [traded(1), traded(2), traded(3), traded(5), traded(7, null)] };
  const products = [
    ...[expired(1), expired(2, -30), expired(3, -1), expired(4, 30), expired(5, 0.5), expired(6, -30), expired(7)],
    expired(1, undefined, 'active'),
  ];
  const found = findTooEarlyExpired(products as never, data, NOW).map(({ product_id: id }) => id);
  expect(found).toEqual([1, 2, 4]);
  expect([describeTooEarlyExpired([]), describeTooEarlyExpired(['A'])?.title]).toEqual([
    null,
    '1 product marked as expired is in doubt.',
  ]);
});
