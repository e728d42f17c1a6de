import { describeProvenance } from '#model/format/provenance.ts';
import { formatPercent, formatRate } from '#model/format/number.ts';
import type { Estimate, Estimates } from '#model/funding/estimate.ts';
import { toAprOfSum } from '#model/funding/funding-rate.ts';
import { asRate } from '#model/units/conversions.ts';
import { deriveQuantity, type Quantity, toQuantity } from '#model/units/quantity.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import styles from '../funding.module.css';

interface PredictedSpreadProps {
  readonly estimates: Estimates;
  /** Symbols of the legs. */
  readonly long: string;
  readonly short: string;
}

/** What the position would receive in the current interval at the predicted rates; nothing where they are not both current. */
export function PredictedSpread({ estimates, long, short }: PredictedSpreadProps) {
  const spread = toPredictedSpread(estimates.get(long), estimates.get(short));
  if (spread === null) return null;
  const apr = deriveQuantity('fraction', 'APR, simple: predicted spread × 3 × 365.', [spread], ([value]) =>
    value ? toAprOfSum(value, 1) : null,
  );
  const explain = (quantity: Quantity) => () => describeProvenance(quantity, formatInAllZones);
  return (
    <p className={styles['summary']} data-testid="predicted-spread">
      ◇ Predicted for the current interval, not settled: spread received{' '}
      <Figure name="Predicted spread received" text={formatRate(spread.value)} provenance={explain(spread)} /> % per 8 h
      (
      <Figure
        name="Predicted spread received, APR"
        text={formatPercent(apr.value, { digits: 2, signed: true })}
        provenance={explain(apr)}
      />{' '}
      % APR, simple).
    </p>
  );
}

/** @internal Exported for its test. */
export function toPredictedSpread(long: Estimate | undefined, short: Estimate | undefined): Quantity | null {
  if (
    long === undefined ||
    short === undefined ||
    long.notCurrent !== null ||
    short.notCurrent !== null ||
    long.value.interval_end !== short.value.interval_end
  )
    return null;
  const read = (estimate: Estimate): Quantity =>
    toQuantity({ source: estimate, dataTime: estimate.answeredAt }, estimate.value, 'funding_rate', asRate);
  return deriveQuantity(
    'per interval',
    'Predicted rate of the short leg, which it receives, − predicted rate of the long leg, which it pays.',
    [read(short), read(long)],
    ([one, other]) => (one && other ? one.minus(other) : null),
  );
}
