import { Decimal, sumOf } from '../units/decimal.ts';
import type { OrderRow } from './order-row.ts';
import { toOrderTotals, type SideTotals } from './order-totals.ts';

/** What the working orders of one account stand for, in USD of underlying notional. */
export interface AccountExposure {
  readonly account: string;
  readonly orders: number;
  /** Zero without orders of the side; null where none of them has a value. */
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  /** Bid less ask; null where either is unknown. */
  readonly net: Decimal | null;
  /** Of all sides together. */
  readonly gross: Decimal | null;
  /** Orders that are in no sum. */
  readonly unvalued: number;
}

/** By account, in the order in which they occur. */
export function toExposures(rows: readonly OrderRow[]): readonly AccountExposure[] {
  return [...Map.groupBy(rows, ({ order }) => order.account_id)].map(([account, own]) => toExposure(account, own));
}

const ZERO = new Decimal(0);

function toExposure(account: string, rows: readonly OrderRow[]): AccountExposure {
  const { orders, sides } = toOrderTotals(rows);
  const [bid, ask] = [toSide(sides, 'Bid'), toSide(sides, 'Ask')];
  return {
    ...{ account, orders, bid, ask },
    net: bid && ask && bid.minus(ask),
    gross: sumOf(sides.map(({ underlying }) => underlying)),
    unvalued: sides.reduce((sum, { withoutUnderlying, uncounted }) => sum + withoutUnderlying + uncounted, 0),
  };
}

function toSide(sides: readonly SideTotals[], side: SideTotals['side']): Decimal | null {
  const found = sides.find((one) => one.side === side);
  return found === undefined ? ZERO : found.underlying;
}
