import type { RuleOrderFilter } from '#contract/desk/rule-filters.ts';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { formatNumber } from '../format/number.ts';
import { toSortableDistance } from '../orders/order-distance.ts';
import { toPrice, toSortableUnderlying } from '../orders/order-figures.ts';
import { type OrderRow, toAgeSeconds } from '../orders/order-row.ts';

type ValueOf = (row: OrderRow) => number | null;

/** Returns whether a working order is beyond all limits of a filter; null if that is unknown. */
export type LimitTest = (row: OrderRow) => boolean | null;

/** `figureOf` computes a figure of a row once. Returns null if the filter limits no figure. */
export function toLimitTest(
  { age_over_seconds: age, distance_over_percent: distance, notional_over_usd: notional }: RuleOrderFilter,
  figureOf: (row: OrderRow, valueOf: ValueOf) => number | null,
): LimitTest | null {
  const over = (limit: number, valueOf: ValueOf) => (row: OrderRow) => {
    const value = figureOf(row, valueOf);
    return value === null ? null : value > limit;
  };
  const isFar = distance === undefined ? null : over(distance, toSortableDistance);
  const tests: readonly LimitTest[] = [
    ...(age === undefined ? [] : [over(age, toAgeSeconds)]),
    ...(isFar === null ? [] : [(row: OrderRow) => (hasShare(row) ? isFar(row) : false)]),
    ...(notional === undefined ? [] : [over(notional, toSortableUnderlying)]),
  ];
  if (tests.length === 0) return null;
  return (row) => {
    let isBeyond: boolean | null = true;
    for (const test of tests) {
      const found = test(row);
      if (found === false) return false;
      if (found === null) isBeyond = null;
    }
    return isBeyond;
  };
}

/** The price of a spread is a difference, so its distance is no share of it. This is not missing data. */
export function hasShare({ order }: OrderRow): boolean {
  return order.product_type !== 'Spread';
}

/** Returns whether a rule needs the market prices of products. */
export function needsPrices({ measure, filter }: Pick<OrdersRule, 'measure' | 'filter'>): boolean {
  return (
    measure === 'notional' ||
    measure === 'distance' ||
    filter.distance_over_percent !== undefined ||
    filter.notional_over_usd !== undefined
  );
}

/** `PDOGUKZ50 bid 0.1131`: the price as lists of orders show it, or in ticks without a tick size. */
export function nameOrder(row: OrderRow): string {
  const { order, terms } = row;
  const { value, unit } = toPrice(row);
  const price =
    value === null ? '' : unit === 'ticks' ? ` ${formatNumber(value)} ticks` : ` ${formatNumber(value, terms)}`;
  return `${order.symbol} ${order.side.toLowerCase()}${price}`;
}

/** `HALC-105 · PDOGUKZ50 bid 0.1131`. */
export function labelOrder(row: OrderRow): string {
  return `${row.order.account_id} · ${nameOrder(row)}`;
}
