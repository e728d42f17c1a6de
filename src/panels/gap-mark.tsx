import styles from './time-bar.module.css';

interface GapMarkProps {
  /** Where it is on its bar, as shares of the whole. */
  readonly start: number;
  readonly end: number;
}

/** A stretch of a time bar in which nothing was read. */
export function GapMark({ start, end }: GapMarkProps) {
  return <i data-part="gap" className={styles['gap']} style={{ insetInlineStart: toPercent(start), inlineSize: toPercent(end - start) }} />;
}

/** The same in a legend. */
export function GapSample() {
  return <i data-part="gap" className={styles['sample']} />;
}

export function toPercent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
