import styles from './heatmap-legend.module.css';

interface HeatmapLegendProps {
  /** What blue and orange mean. */
  readonly low: string;
  readonly high: string;
  readonly steps: string;
  readonly beyond: string;
  /** What a dot means. */
  readonly dotted: string;
}

const MOST = 4;
const STRENGTHS = Array.from({ length: 2 * MOST + 1 }, (_, index) => index - MOST);

/** The legend of a heatmap. Its steps are fixed, so that heatmaps can be compared. */
export function HeatmapLegend({ low, high, steps, beyond, dotted }: HeatmapLegendProps) {
  return (
    <p className={styles['legend']}>
      <span>{low}</span>
      <span className={styles['scale']} aria-hidden="true">
        {STRENGTHS.map((strength) => (
          <i key={strength} data-strength={strength} />
        ))}
      </span>
      <span>{high}</span>
      <span>{steps}</span>
      <span>
        <i className={styles['clipped']} aria-hidden="true" /> {beyond}
      </span>
      <span>
        <i className={styles['hatched']} aria-hidden="true" /> missing
      </span>
      <span>
        <i className={styles['dotted']} aria-hidden="true" /> {dotted}
      </span>
    </p>
  );
}
