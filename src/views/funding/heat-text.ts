import { describeFunding } from '#domain/funding-rate.ts';
import { formatRate } from '#domain/format-number.ts';
import type { HeatCell, HeatGap } from '#domain/funding/heat-cells.ts';
import { toSide, type FundingSide } from '#domain/funding/my-side.ts';
import type { Perpetual } from './compare-row.ts';

const GAP_WORDS: Readonly<Record<HeatGap, string>> = {
  hole: 'missing: the venue has no print, and none is made up',
  fault: 'no print that counts: a duplicate that contradicts, an overlap, or another length than eight hours',
  'not listed': 'not listed yet',
  'not read': 'not read yet',
  'not settled': 'not settled yet',
};

/** A cell in words: what a screen reader says of it, and what stands above the map. */
export function describeHeat({ series }: Perpetual, cell: HeatCell, side: FundingSide): string {
  if (cell.kind !== 'print') return GAP_WORDS[cell.kind];
  const rate = series.rate(cell.index);
  const clipped = cell.clipped ? ', past the scale' : '';
  return `${formatRate(toSide(rate, side))} % per 8 h, ${describeFunding(rate)}${clipped}`;
}
