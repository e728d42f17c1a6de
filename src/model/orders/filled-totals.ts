import type { Order } from '#contract/exchange/order.ts';
import { sumOf, type Decimal } from '../units/decimal.ts';
import { toContracts, toFilledNotional } from './order-figures.ts';
import type { OrderRow } from './order-row.ts';

/** What was filled of the orders of one side. */
export interface FilledTotals {
  readonly side: Order['side'];
  readonly orders: number;
  /** In contracts, whose size differs between products. Null if no order has a quantity. */
  readonly filled: Decimal | null;
  /** Without signs, since the price of a spread may be negative. Null if no order has a value in USD. */
  readonly value: Decimal | null;
  /** Orders with fills whose value is not known, or withheld. */
  readonly unvalued: number;
}

/** By side, in the order in which they occur. */
export function toFilledTotals(rows: readonly OrderRow[]): readonly FilledTotals[] {
  return [...Map.groupBy(rows, ({ order }) => order.side)].map(([side, own]) => {
    const filled = own.map((row) => ({
      contracts: toContracts(row, 'quantity_filled').value,
      usd: toFilledNotional(row).value?.abs() ?? null,
    }));
    return {
      side,
      orders: own.length,
      filled: sumOf(filled.map(({ contracts }) => contracts)),
      value: sumOf(filled.map(({ usd }) => usd)),
      unvalued: filled.filter(({ contracts, usd }) => usd === null && contracts?.gt(0) !== false).length,
    };
  });
}
