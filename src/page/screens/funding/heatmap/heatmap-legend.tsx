import { HEATMAP_STEPS_BP } from '#model/funding/heatmap-cells.ts';
import type { FundingSide } from '#model/funding/funding-side.ts';
import styles from './heatmap-legend.module.css';

const WORDS: Readonly<Record<FundingSide, readonly [blue: string, orange: string]>> = {
  market: ['shorts pay', 'longs pay'],
  long: ['received', 'paid'],
  short: ['paid', 'received'],
};

/** The steps are fixed, so that two heatmaps compare. */
export function HeatmapLegend({ side }: { readonly side: FundingSide }) {
  const [blue, orange] = WORDS[side];
  const most = HEATMAP_STEPS_BP.length;
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
      <span>steps ±{HEATMAP_STEPS_BP.join(' · ')} bp per 8 h; grey: less, or the interest rate</span>
      <span>
        <i className={styles['clipped']} aria-hidden="true" /> beyond ±10 bp
      </span>
      <span>
        <i className={styles['hatched']} aria-hidden="true" /> missing
      </span>
      <span>
        <i className={styles['dotted']} aria-hidden="true" /> not listed, not read or not settled
      </span>
    </p>
  );
}
