import { HEAT_STEPS_BP } from '#domain/funding/heat-cells.ts';
import type { FundingSide } from '#domain/funding/my-side.ts';
import styles from './heat-legend.module.css';

const WORDS: Readonly<Record<FundingSide, readonly [blue: string, orange: string]>> = {
  market: ['shorts pay', 'longs pay'],
  long: ['I receive', 'I pay'],
  short: ['I pay', 'I receive'],
};

/** What the colours mean: the steps are fixed, so that two views compare. */
export function HeatLegend({ side }: { readonly side: FundingSide }) {
  const [blue, orange] = WORDS[side];
  const most = HEAT_STEPS_BP.length;
  const strengths = Array.from({ length: 2 * most + 1 }, (_, index) => index - most);
  return (
    <p className={styles['legend']}>
      <span>{blue}</span>
      <span className={styles['scale']} aria-hidden="true">
        {strengths.map((strength) => (
          <i key={strength} data-strength={strength} />
        ))}
      </span>
      <span>{orange}</span>
      <span>steps {HEAT_STEPS_BP.join(' · ')} bp</span>
      <span>
        <i className={styles['clipped']} aria-hidden="true" /> over 10 bp
      </span>
      <span>
        <i className={styles['hatched']} aria-hidden="true" /> missing
      </span>
      <span>
        <i className={styles['dotted']} aria-hidden="true" /> not listed, read or settled yet
      </span>
    </p>
  );
}
