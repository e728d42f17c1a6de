import { asRate } from '#domain/conversions.ts';
import { describeProvenance, type ProvenanceLine } from '#domain/format-provenance.ts';
import { findFaultsAt, type HeatCell, type PrintFault } from '#domain/funding/heat-cells.ts';
import { toQuantity } from '#domain/quantity.ts';
import type { Source } from '#domain/source.ts';
import { asWritten } from '#domain/wire-row.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import type { Perpetual } from './compare-row.ts';
import { describeHeat, nameFault } from './heat-text.ts';

/** Where a cell's rate comes from, or why it has none; prints that are faulty are told as they came. */
export function explainHeat(perpetual: Perpetual, cell: HeatCell, end: number, source: Source): readonly ProvenanceLine[] {
  const faults = [{ name: 'Interval end', value: formatInAllZones(end) }, ...findFaultsAt(perpetual.series, end).flatMap(explainFault)];
  const row = cell.kind === 'print' ? perpetual.series.prints[cell.index]?.row : undefined;
  if (row === undefined) return [{ name: 'No rate', value: describeHeat(perpetual, cell, end, 'market') }, ...faults, { name: 'Endpoint', value: `GET ${source.target}`, code: true }];
  const rate = toQuantity({ source, dataTime: row.interval_end, prefix: 'prints.' }, row, 'funding_rate', asRate);
  return [...faults, ...describeProvenance(rate, formatInAllZones)];
}

function explainFault(fault: PrintFault): readonly ProvenanceLine[] {
  return fault.prints.map((print) => ({
    name: `Fault: ${nameFault(fault)}`,
    value: `${print.interval_start} to ${print.interval_end}: ${asWritten(print, 'funding_rate')}`,
    code: true,
  }));
}
