import { MEASURES, type About } from '#contract/desk/rule-measures.ts';

export const ABOUT_NAMES: Readonly<Record<About, string>> = {
  orders: 'Working orders',
  activity: 'Order activity',
  market: 'Products',
  funding: 'Funding',
  desk: 'Perpdesk and the exchange',
};

/** All measures by what they are about. */
export const MEASURE_GROUPS = (Object.keys(MEASURES) as About[]).map((about) => ({
  about,
  measures: Object.entries<{ readonly name: string }>(MEASURES[about]).map(([measure, { name }]) => ({
    measure,
    name,
  })),
}));

export const COMPARISON_NAMES: Readonly<Record<string, string>> = {
  over: 'over',
  under: 'under',
  beyond: 'over, or under its negative',
};

export const EACH_NAMES = [
  ['all', 'all orders together'],
  ['account', 'each account'],
  ['product', 'each product'],
  ['firm', 'each clearing firm'],
  ['connection', 'each connection'],
] as const;

export const DATA_NAMES = [
  ['working-orders', 'working orders'],
  ['product-data', 'trading data'],
  ['funding', 'funding rates'],
] as const;

export const ORDER_FILTERS = [
  ['account_id', 'Account'],
  ['clearing_member_code', 'Clearing firm'],
  ['connection_id', 'Connection'],
] as const;

export const ORDER_TYPES = [
  ['', 'any'],
  ['Future', 'Future'],
  ['Spread', 'Spread'],
  ['Option', 'Option'],
] as const;

export const PRODUCT_TYPES = [
  ['', 'any'],
  ['future', 'future'],
  ['perpetual', 'perpetual'],
  ['spread', 'spread'],
  ['option', 'option'],
] as const;
