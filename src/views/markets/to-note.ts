import { describeProvenance } from '#domain/format-provenance.ts';
import { describeQuantity } from '#domain/format-quantity.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { CellNote } from '#ui/table/sortable-column.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';

/** Where a figure of the list comes from. */
export function toNote(name: string, row: MarketRow, quantity: Quantity | null): CellNote | null {
  if (quantity === null) return null;
  const title = `${nameOf(row)} ${name}: ${describeQuantity(quantity)}`;
  return { title, facts: describeProvenance(quantity, formatInAllZones) };
}

/** What a product is called; one that was only learnt of may have no more than its number. */
export function nameOf({ product, productId }: MarketRow): string {
  return product.symbol ?? String(productId);
}
