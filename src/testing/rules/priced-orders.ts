import { readOrders, toRows } from '#testing/order-rows.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { MarketPrice } from '#model/orders/order-terms.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { toDecimal } from '#model/units/decimal.ts';
import type { WorkingReading } from '#model/rules/readings.ts';

/** An order of a test, with what a market that trades at 1,000 ticks says about it. */
export interface PricedOrder {
  readonly id: string;
  readonly account_id?: string;
  readonly product_type?: 'Future' | 'Option' | 'Spread';
  readonly side?: 'Bid' | 'Ask';
  readonly price?: number;
  readonly minutes?: number;
  readonly quantity_requested?: number;
  /** Whether the market price is known; the default. */
  readonly isPriced?: boolean;
}

const NOW = Date.parse('2026-08-18T00:00:00Z');
const MARKET_TICKS = 1_000;

/** A complete reading of these orders. Each contract has an underlying notional of 10 USD. */
export function toPricedReading(orders: readonly PricedOrder[], parts: Partial<WorkingReading> = {}): WorkingReading {
  const read = readOrders(
    orders.map(({ minutes = 0, ...fields }) => ({
      side: 'Bid',
      price: MARKET_TICKS,
      product_id: 1,
      quantity_filled: 0,
      avg_price: null,
      ...fields,
      time: new Date(NOW - minutes * 60_000).toISOString(),
      last_modified: new Date(NOW - minutes * 60_000).toISOString(),
    })),
  );
  const rows = toRows(read).map((row, index) => (orders[index]?.isPriced === false ? row : withMarket(row)));
  return { rows, complete: true, unreadable: 0, pricesMissing: null, ...parts };
}

function withMarket(row: OrderRow): OrderRow {
  const price: Quantity = { value: toDecimal('1000'), unit: 'ticks', withheld: null } as Quantity;
  const market: MarketPrice = { is: 'last trade', price, ticks: MARKET_TICKS };
  const usd = { ...price, value: toDecimal('10'), unit: 'USD' } as Quantity;
  const underlying = { of: 'product GOOD', units: toDecimal('1'), price: usd, usdPerContract: 10 };
  return { ...row, terms: { ...row.terms, market, underlying } };
}
