import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { asContracts, fromCents } from '../units/conversions.ts';
import { sumOf } from '../units/decimal.ts';
import { deriveQuantity, toQuantity, type Quantity } from '../units/quantity.ts';
import type { Source } from '../source.ts';
import type { VoiBar } from './voi-bars.ts';
import { findLatestOpenInterest, sortByDate, type VoiField } from './voi-rows.ts';

/** A figure of a bar with its provenance: volume is summed, open interest is that of the last day with one. */
export function toVoiQuantity(
  rows: readonly VOIDataPoint[],
  source: Source,
  bar: Pick<VoiBar, 'date' | 'lastDate'>,
  field: VoiField,
): Quantity | null {
  const inside = sortByDate(rows.filter(({ date }) => date >= bar.date && date <= bar.lastDate));
  const last = findLatestOpenInterest(inside) ?? inside.at(-1);
  if (last === undefined) return null;
  if (inside.length === 1 || field === 'openInterest' || field === 'notionalOpenInterest')
    return read(last, source, field);
  const parts = inside
    .map((row) => read(row, source, field))
    .filter(({ value, withheld }) => value !== null || withheld !== null);
  const how = `Sum of ${String(parts.length)} days from ${inside[0]?.date ?? ''} to ${inside.at(-1)?.date ?? ''}.`;
  return deriveQuantity(field === 'volume' ? 'contracts' : 'USD', how, parts, sumOf);
}

function read(row: VOIDataPoint, source: Source, field: VoiField): Quantity {
  const at = { source, dataTime: row.date };
  return field === 'volume' || field === 'openInterest'
    ? toQuantity(at, row, field, asContracts)
    : toQuantity(at, row, field, fromCents);
}
