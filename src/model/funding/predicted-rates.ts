import type { DeskEstimates } from '#contract/desk/funding.ts';

export type PredictedRate = DeskEstimates['estimates'][number];

/**
 * Lists the predicted rates of one interval in the order in which they were read. Of several read in the same second,
 * it lists only the last.
 */
export function toPredictedPath(estimates: readonly PredictedRate[], endsAt: number): readonly PredictedRate[] {
  const ofInterval = estimates
    .filter(({ interval_end }) => Date.parse(interval_end) === endsAt)
    .toSorted((a, b) => Date.parse(a.read_at) - Date.parse(b.read_at));
  return ofInterval.filter((each, index) => toSecond(each) !== toSecond(ofInterval[index + 1]));
}

function toSecond(predictedRate: PredictedRate | undefined): number | null {
  return predictedRate === undefined ? null : Math.floor(Date.parse(predictedRate.read_at) / 1_000);
}
