import { formatRate } from '#domain/format-number.ts';
import { findFaultsAt, type HeatCell, type HeatGap, type PrintFault } from '#domain/funding/heat-cells.ts';
import { toSide, type FundingSide } from '#domain/funding/my-side.ts';
import { describeFunding, namePayer } from '#domain/funding/who-pays.ts';
import type { Perpetual } from './compare-row.ts';

const GAP_WORDS: Readonly<Record<HeatGap, string>> = {
  hole: 'missing: the venue has no print, and none is made up',
  fault: 'no print that counts',
  'not listed': 'not listed yet',
  'not read': 'not read yet',
  'not settled': 'not settled yet',
};

/** What is wrong with prints of an interval: whether one of them counts is told by the rate beside it. */
export function nameFault(fault: PrintFault): string {
  if (fault.kind === 'duplicate') return fault.agree ? 'repeated' : 'contradictory';
  return fault.kind === 'odd length' ? 'not 8 h' : fault.kind;
}

function nameFaults({ series }: Perpetual, end: number): string {
  return [...new Set(findFaultsAt(series, end).map(nameFault))].join(', ');
}

/** Why a boundary has no rate, in a word or two. */
export function writeGap(perpetual: Perpetual, kind: HeatGap, end: number): string {
  if (kind === 'fault') return nameFaults(perpetual, end);
  return kind === 'hole' ? 'missing' : kind;
}

/** A cell in words: what a screen reader says of it, and what stands above the map. */
export function describeHeat(perpetual: Perpetual, cell: HeatCell, end: number, side: FundingSide): string {
  const faults = nameFaults(perpetual, end);
  const faulty = faults === '' ? '' : ` (${faults})`;
  if (cell.kind !== 'print') return `${GAP_WORDS[cell.kind]}${faulty}`;
  const rate = perpetual.series.rate(cell.index);
  const clipped = cell.clipped ? ', past the scale' : '';
  return `${formatRate(toSide(rate, side))} % per 8 h, ${describeFunding(rate)}${clipped}${faulty}`;
}

/** The same in as few words as a cell of a table has room for; the rate comes last, so that points stand below each other. */
export function writeHeat(perpetual: Perpetual, cell: HeatCell, end: number, side: FundingSide): string {
  if (cell.kind !== 'print') return writeGap(perpetual, cell.kind, end);
  const faults = nameFaults(perpetual, end);
  const rate = perpetual.series.rate(cell.index);
  return `${faults === '' ? '' : `${faults}: `}${namePayer(rate)} ${formatRate(toSide(rate, side))}`;
}
