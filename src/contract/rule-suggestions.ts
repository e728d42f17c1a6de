import type { Rule } from './desk-rules.ts';

const common: Pick<Rule, 'enabled' | 'channels'> = { enabled: false, channels: [] };
const critical = { ...common, severity: 'critical' } as const;
const warning = { ...common, severity: 'warning' } as const;
const info = { ...common, severity: 'info' } as const;
const allOrders = { filter: {}, each: 'all' } as const;

/** Rules that most desks want in one form or another, for people to adapt. */
export const RULE_SUGGESTIONS: readonly Rule[] = [
  { ...critical, id: 'venue-away', name: 'Exchange unreachable', about: 'desk', measure: 'venue_away', for_seconds: 30 },
  { ...critical, id: 'orders-out-of-date', name: 'Working orders out of date', about: 'desk', measure: 'data_age', data: 'working-orders', comparison: 'over', value: 120, unit: 'seconds', for_seconds: 0 },
  { ...warning, id: 'orders-incomplete', name: 'Working set incomplete', about: 'desk', measure: 'incomplete', for_seconds: 60 },
  { ...warning, id: 'journal-gap', name: 'Gap in the journal', about: 'desk', measure: 'journal_gap', window_seconds: 3_600, for_seconds: 0 },
  { ...warning, id: 'budget-low', name: 'Request budget low', about: 'desk', measure: 'budget_left', comparison: 'under', value: 10, unit: 'percent', for_seconds: 60 },
  { ...warning, id: 'orders-twice', name: 'Orders sent twice', about: 'orders', measure: 'twins', ...allOrders, each: 'account', comparison: 'over', value: 0, unit: 'orders', for_seconds: 0 },
  { ...warning, id: 'orders-far-away', name: 'Orders far from the market', about: 'orders', measure: 'distance', ...allOrders, each: 'account', comparison: 'over', value: 20, unit: 'percent', for_seconds: 300 },
  { ...warning, id: 'account-large', name: 'Large exposure of an account', about: 'orders', measure: 'notional', ...allOrders, each: 'account', comparison: 'over', value: 10_000_000, unit: 'USD', for_seconds: 60 },
  { ...warning, id: 'nothing-happens', name: 'No orders placed', about: 'activity', measure: 'placed', window_seconds: 1_800, ...allOrders, comparison: 'under', value: 1, unit: 'orders', for_seconds: 0 },
  { ...info, id: 'market-moved', name: 'Market moved since the settlement', about: 'market', measure: 'price_change', filter: { type: 'perpetual' }, comparison: 'beyond', value: 5, unit: 'percent', for_seconds: 0 },
];
