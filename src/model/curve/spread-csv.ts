import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import {
  type Cell,
  type CsvForm,
  SOURCE_HEADING,
  toCsvInForm,
  toExactNumber,
  toSourceCells,
  toSpreadsheetNumber,
} from '../format/csv.ts';
import { nameProduct } from '../products/product-directory.ts';
import type { Source } from '../response.ts';
import { nameLegs, type SpreadRow } from './spread-rows.ts';

const HEADING: readonly CsvColumn[] = [
  'product_id',
  'symbol',
  'legs',
  'final_settlement_at',
  'settlement_usd',
  'settlement_at',
  'legs_difference_usd',
  'settlement_minus_legs_usd',
  'settlement_minus_legs_ticks',
  'last_price_usd',
  'last_price_at',
  'legs_last_difference_usd',
  'last_price_minus_legs_usd',
  'last_price_minus_legs_ticks',
  'oldest_trade_at',
  'legs_missing_because',
  'legs_last_missing_because',
  ...SOURCE_HEADING,
];

/** Writes the calendar spreads with the differences of their legs. All prices are of one response. */
export function toSpreadRowsCsv(rows: readonly SpreadRow[], source: Source, form: CsvForm = 'full'): string {
  return toCsvInForm(
    form,
    { heading: HEADING, provenance: SOURCE_HEADING },
    rows.map((row): readonly Cell[] => [
      toNumber(row.product.product_id),
      nameProduct(row.product),
      nameLegs(row.legs),
      row.product.final_settle_time ?? null,
      toExactNumber(row.settlement?.value),
      row.settledAt,
      toExactNumber(row.legsUsd?.value),
      toExactNumber(row.settlementGap?.usd.value),
      toSpreadsheetNumber(row.settlementGap?.ticks.value ?? null),
      toExactNumber(row.last?.value),
      row.lastAt,
      toExactNumber(row.lastPrices.legsUsd?.value),
      toExactNumber(row.lastPrices.gap?.usd.value),
      toSpreadsheetNumber(row.lastPrices.gap?.ticks.value ?? null),
      row.lastPrices.oldestAt,
      row.missingBecause,
      row.lastPrices.missingBecause,
      ...toSourceCells(source),
    ]),
  );
}
