import type { AccountExposure } from '../../orders/account-exposure.ts';
import type { Decimal } from '../../units/decimal.ts';
import { toCsv, type Cell } from '../../format/csv.ts';

const HEADING = [
  'account_id',
  'orders',
  'bid_underlying_notional_usd',
  'ask_underlying_notional_usd',
  'bid_less_ask_usd',
  'gross_usd',
  'orders_without_value',
  'read_at',
  'set',
  'filters',
] as const;

interface CsvContext {
  readonly readAt: string;
  /** Whether the list was complete. */
  readonly set: string;
  readonly filters: readonly string[];
}

/** One line per account, with what the figures are of: a file outlives the screen that it was saved from. */
export function toExposureCsv(rows: readonly AccountExposure[], { readAt, set, filters }: CsvContext): string {
  return toCsv(
    HEADING,
    rows.map(({ account, orders, bid, ask, net, gross, unvalued }) => [
      { opaqueId: account },
      orders,
      ...[bid, ask, net, gross].map(toDigits),
      unvalued,
      readAt,
      set,
      filters.join('; '),
    ]),
  );
}

function toDigits(figure: Decimal | null): Cell {
  return figure === null ? null : { digits: figure.toFixed() };
}
