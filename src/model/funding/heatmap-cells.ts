import type { FundingFault } from './funding-faults.ts';
import type { FundingSeries } from './funding-series.ts';
import { INTERVAL_MS } from './funding-rate.ts';

/** Thresholds of the colours, in basis points. They are fixed and symmetric, so that views can be compared. */
export const HEATMAP_STEPS_BP = [1, 2.5, 5, 10] as const;
const HEATMAP_STEPS = HEATMAP_STEPS_BP.map((basisPoints) => basisPoints / 10_000);
/** Larger rates have the strongest colour and a mark. */
const CLIPPED_OVER = 0.001;

/** A strength from −4 to 4 with the sign of the rate; 0: below the first threshold, or equal to the interest rate. */
interface HeatmapStep {
  readonly strength: number;
  readonly clipped: boolean;
}

/** Returns the strength of a rate per interval. */
export function toHeatmapStep(rate: number): HeatmapStep {
  const size = Math.abs(rate);
  const strength = HEATMAP_STEPS.filter((least) => size >= least).length;
  // Exactly ten basis points is still within the scale.
  const shown = size === CLIPPED_OVER ? strength - 1 : strength;
  return { strength: Math.sign(rate) * shown + 0, clipped: size > CLIPPED_OVER };
}

/** Why a funding time has no rate. */
export type HeatmapGap = 'gap' | 'fault' | 'not listed' | 'not read' | 'not settled';

/** The cell of a funding time: the index of its rate, or why it has none. */
export type HeatmapCell =
  | (HeatmapStep & { readonly kind: 'print'; readonly index: number })
  | { readonly kind: HeatmapGap };

/** Makes the row of a perpetual: one cell for each funding time, oldest first. */
export function toHeatmapCells(series: FundingSeries, fundingTimes: readonly number[]): readonly HeatmapCell[] {
  let at = 0;
  return fundingTimes.map((end) => {
    while ((series.prints[at]?.end ?? Infinity) < end) at += 1;
    if (series.prints[at]?.end !== end) return { kind: findGap(series, end) };
    return { kind: 'print', index: at, ...(isAtRest(series, at) ? AT_REST : toHeatmapStep(series.drawn[at] ?? 0)) };
  });
}

/** Most rates equal the interest rate. A tint would make the ordinary look like an event. */
const AT_REST: HeatmapStep = { strength: 0, clipped: false };

function isAtRest({ baselines }: FundingSeries, at: number): boolean {
  return (baselines[at + 1] ?? 0) > (baselines[at] ?? 0);
}

function findGap(series: FundingSeries, end: number): HeatmapGap {
  const { listedFrom, knownFrom, expectedTo, isBehind } = series;
  const start = end - INTERVAL_MS;
  if (listedFrom !== null && end <= listedFrom + INTERVAL_MS - 1) return 'not listed';
  if (knownFrom !== null && start < knownFrom) return 'not read';
  if (expectedTo === null || start >= expectedTo) return isBehind ? 'not read' : 'not settled';
  return findFaultsAt(series, end).length > 0 ? 'fault' : 'gap';
}

/** A fault of settled rates whose times are readable. */
export type PrintFault = Exclude<FundingFault, { readonly kind: 'gap' | 'unreadable' }>;

/** Lists the faults that overlap the interval before a funding time, even if that has a valid rate. */
export function findFaultsAt({ faults }: Pick<FundingSeries, 'faults'>, end: number): readonly PrintFault[] {
  return faults.filter(
    (fault): fault is PrintFault =>
      fault.kind !== 'gap' && fault.kind !== 'unreadable' && fault.start < end && fault.end > end - INTERVAL_MS,
  );
}
