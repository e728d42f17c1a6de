import type { FundingFault } from './find-faults.ts';
import type { FundingSeries } from './funding-series.ts';
import { INTERVAL_MS } from './interval-times.ts';

/** From how many basis points on a colour is the next stronger one. Fixed, and the same for both signs: two views compare. */
export const HEAT_STEPS_BP = [1, 2.5, 5, 10] as const;
const HEAT_STEPS = HEAT_STEPS_BP.map((basisPoints) => basisPoints / 10_000);
/** Over the last step: coloured like all beyond it, and marked. */
const CLIPPED_OVER = 0.001;

/** A strength of -4 to 4: the sign says who pays, 0 is below the first step. */
interface HeatStep {
  readonly strength: number;
  readonly clipped: boolean;
}

function toHeatStep(rate: number): HeatStep {
  const size = Math.abs(rate);
  const strength = HEAT_STEPS.filter((least) => size >= least).length;
  // Ten itself is the last colour of the scale that is not over it.
  const shown = size === CLIPPED_OVER ? strength - 1 : strength;
  return { strength: Math.sign(rate) * shown + 0, clipped: size > CLIPPED_OVER };
}

/** Why a boundary has no rate. */
export type HeatGap = 'hole' | 'fault' | 'not listed' | 'not read' | 'not settled';

/** What stands at a boundary: the place of its print, or why there is none. */
export type HeatCell = (HeatStep & { readonly kind: 'print'; readonly index: number }) | { readonly kind: HeatGap };

/** A perpetual's row: one cell for each boundary, oldest first. */
export function toHeatCells(series: FundingSeries, boundaries: readonly number[]): readonly HeatCell[] {
  let at = 0;
  return boundaries.map((end) => {
    while ((series.prints[at]?.end ?? Infinity) < end) at += 1;
    if (series.prints[at]?.end !== end) return { kind: findGap(series, end) };
    return { kind: 'print', index: at, ...toHeatStep(series.drawn[at] ?? 0) };
  });
}

function findGap(series: FundingSeries, end: number): HeatGap {
  const { listedFrom, knownFrom, settledTo, isBehind } = series;
  const start = end - INTERVAL_MS;
  if (listedFrom !== null && end <= listedFrom + INTERVAL_MS - 1) return 'not listed';
  if (knownFrom !== null && start < knownFrom) return 'not read';
  if (settledTo === null || start >= settledTo) return isBehind ? 'not read' : 'not settled';
  return findFaultsAt(series, end).length > 0 ? 'fault' : 'hole';
}

/** A fault of prints that there are, with their times. */
export type PrintFault = Exclude<FundingFault, { readonly kind: 'hole' | 'unreadable' }>;

/** What is wrong with prints that reach into the interval before a boundary, also where one of them counts. */
export function findFaultsAt({ faults }: Pick<FundingSeries, 'faults'>, end: number): readonly PrintFault[] {
  return faults.filter((fault): fault is PrintFault => fault.kind !== 'hole' && fault.kind !== 'unreadable' && fault.start < end && fault.end > end - INTERVAL_MS);
}
