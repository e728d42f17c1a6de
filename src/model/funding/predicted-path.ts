import type { DeskEstimates } from '#contract/desk/funding.ts';

export type StoredPrediction = DeskEstimates['estimates'][number];

/** The predictions of one interval in the order they were read; of those read in one second, the last. */
export function toPredictedPath(estimates: readonly StoredPrediction[], endsAt: number): readonly StoredPrediction[] {
  const ofInterval = estimates
    .filter(({ interval_end }) => Date.parse(interval_end) === endsAt)
    .toSorted((a, b) => Date.parse(a.read_at) - Date.parse(b.read_at));
  return ofInterval.filter((each, index) => toSecond(each) !== toSecond(ofInterval[index + 1]));
}

function toSecond(prediction: StoredPrediction | undefined): number | null {
  return prediction === undefined ? null : Math.floor(Date.parse(prediction.read_at) / 1_000);
}
