import type { OrdersRule } from '#contract/desk/rules.ts';

/** A rule that fires for each account with more than one working order. */
export const MANY_ORDERS: OrdersRule = {
  id: 'many',
  name: 'Many orders',
  enabled: true,
  severity: 'warning',
  channels: ['ops'],
  for_seconds: 0,
  about: 'orders',
  measure: 'count',
  filter: {},
  each: 'account',
  comparison: 'over',
  value: 1,
  unit: 'orders',
};
