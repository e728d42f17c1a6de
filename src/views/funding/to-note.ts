import { describeProvenance } from '#domain/format-provenance.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { CellNote } from '#ui/grid/cell-note.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';

/** Where a figure comes from. */
export function toNote(name: string, quantity: Quantity | null, text: string): CellNote | null {
  if (quantity === null) return null;
  return { title: `${name}: ${text}`, facts: describeProvenance(quantity, formatInAllZones) };
}
