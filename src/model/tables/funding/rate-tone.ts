import { toHeatmapStep } from '../../funding/heatmap-cells.ts';
import type { WindowMeasures } from '../../funding/funding-window.ts';

/** For headers: what the tint of a cell means. */
export const TINT_MEANING =
  'Tint as in the heatmap: orange where longs pay, blue where shorts pay, stronger from 1, 2.5, 5 and 10 bp per 8 h; none at the interest rate.';

/** `longs-1` to `longs-4` or `shorts-…`, by the steps of the heatmap; whatever the sign convention, it means who pays. */
export function toRateTone(ratePerInterval: number | null): string | undefined {
  if (ratePerInterval === null) return undefined;
  const { strength } = toHeatmapStep(ratePerInterval);
  return strength === 0 ? undefined : `${strength > 0 ? 'longs' : 'shorts'}-${String(Math.abs(strength))}`;
}

/** By the mean rate, so that windows of any length compare; none where every rate was the interest rate. */
export function toWindowTone({
  sum,
  prints,
  baseline,
}: Pick<WindowMeasures, 'sum' | 'prints' | 'baseline'>): string | undefined {
  return toRateTone(sum === null || baseline === prints ? null : sum.div(prints).toNumber());
}
