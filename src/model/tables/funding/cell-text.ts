import { formatRate } from '../../format/number.ts';
import { nameFault } from '../../funding/funding-faults.ts';
import { findFaultsAt, type HeatmapCell, type HeatmapGap, type PrintFault } from '../../funding/heatmap-cells.ts';
import { type FundingSide, toSide } from '../../funding/funding-side.ts';
import { describeFunding, namePayer } from '../../funding/payer.ts';
import { asRate } from '../../units/conversions.ts';
import { describeProvenance, type ProvenanceLine } from '../../format/provenance.ts';
import { toQuantity } from '../../units/quantity.ts';
import type { Source } from '../../source.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { type PerpetualSeries, withReadTime } from './perpetual-series.ts';

const GAP_WORDS: Readonly<Record<HeatmapGap, string>> = {
  'gap': 'missing: the exchange reports no settled rate',
  'fault': 'no valid settled rate',
  'not listed': 'not listed yet',
  'not read': 'not read yet',
  'not settled': 'not settled yet',
};

function nameFaults({ series }: PerpetualSeries, end: number): string {
  return [...new Set(findFaultsAt(series, end).map(nameFault))].join(', ');
}

/** Why there is no rate, in a word or two. */
export function formatGap(perpetual: PerpetualSeries, kind: HeatmapGap, end: number): string {
  if (kind === 'fault') return nameFaults(perpetual, end);
  return kind === 'gap' ? 'missing' : kind;
}

/** A cell in words, for screen readers and for the line above the heatmap. */
export function describeCell(perpetual: PerpetualSeries, cell: HeatmapCell, end: number, side: FundingSide): string {
  const faults = nameFaults(perpetual, end);
  const faulty = faults === '' ? '' : ` (${faults})`;
  if (cell.kind !== 'print') return `${GAP_WORDS[cell.kind]}${faulty}`;
  const rate = perpetual.series.rate(cell.index);
  const clipped = cell.clipped ? ', beyond ±10 bp' : '';
  return `${formatRate(toSide(rate, side))} % per 8 h, ${describeFunding(rate)}${clipped}${faulty}`;
}

/** As short as a table cell needs; the rate comes last, so that decimal points align. */
export function formatCell(perpetual: PerpetualSeries, cell: HeatmapCell, end: number, side: FundingSide): string {
  if (cell.kind !== 'print') return formatGap(perpetual, cell.kind, end);
  const faults = nameFaults(perpetual, end);
  const rate = perpetual.series.rate(cell.index);
  return `${faults === '' ? '' : `${faults}: `}${namePayer(rate)} ${formatRate(toSide(rate, side))}`;
}

/** Where a rate comes from or why there is none, with faulty settled rates as received. */
export function explainCell(
  perpetual: PerpetualSeries,
  cell: HeatmapCell,
  end: number,
  source: Source,
): readonly ProvenanceLine[] {
  const faults = [
    { name: 'Funding time', value: formatInAllZones(end) },
    ...findFaultsAt(perpetual.series, end).flatMap(explainFault),
  ];
  const row = cell.kind === 'print' ? perpetual.series.prints[cell.index]?.row : undefined;
  if (row === undefined)
    return [
      { name: 'No rate', value: describeCell(perpetual, cell, end, 'market') },
      ...faults,
      { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    ];
  const rate = toQuantity(
    { source: withReadTime(source, perpetual.row.read_at), dataTime: row.interval_end, prefix: 'prints.' },
    row,
    'funding_rate',
    asRate,
  );
  return [...faults, ...describeProvenance(rate, formatInAllZones)];
}

function explainFault(fault: PrintFault): readonly ProvenanceLine[] {
  return fault.prints.map((print) => ({
    name: `Fault: ${nameFault(fault)}`,
    value: `${print.interval_start} to ${print.interval_end}: ${wireText(print, 'funding_rate')}`,
    code: true,
  }));
}
