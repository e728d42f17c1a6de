import type { Instant } from '#contract/instant.ts';
import type { Order } from '#contract/order.ts';
import { toMillis } from '../time/session.ts';
import { compareNewest } from './working-set.ts';

const SECOND = 1_000;

/**
 * The request to the order history that returns as many of some orders as one page has room for, the newest first. It has
 * every filter that they share, so that few others are in between.
 */
export function toOutcomeRequest(orders: readonly Order[]) {
  const [newest, ...others] = orders.toSorted(compareNewest);
  if (newest === undefined) return null;
  const times = orders.map(({ time }) => toMillis(time));
  const isShared = (field: keyof Order): boolean => others.every((order) => order[field] === newest[field]);
  return {
    order: 'desc',
    begin_time: toInstant(Math.min(...times) - SECOND),
    end_time: toInstant(Math.max(...times) + SECOND),
    ...(isShared('product_id') && { product_id: newest.product_id }),
    ...(isShared('account_id') && { account_id: newest.account_id }),
  } as const;
}

function toInstant(millis: number): Instant {
  return new Date(millis).toISOString() as Instant;
}
