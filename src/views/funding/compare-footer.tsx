import { countOf, formatCount } from '#domain/format-count.ts';
import type { CompareRow } from './compare-row.ts';
import type { NamedWindow } from './windows.ts';
import styles from './funding.module.css';

interface CompareFooterProps {
  readonly rows: readonly CompareRow[];
  readonly chosen: NamedWindow;
}

/** How much there is, how complete, and what it means. */
export function CompareFooter({ rows, chosen }: CompareFooterProps) {
  const add = (read: (row: CompareRow) => number): number => rows.reduce((sum, row) => sum + read(row), 0);
  const prints = add(({ chosen: { measures } }) => measures.prints);
  const intervals = add(({ chosen: { measures } }) => measures.intervals);
  const faults = add(({ series }) => series.faults.length);
  return (
    <p className={styles['footer']}>
      <span>
        <b>{rows.length}</b> perpetuals
      </span>
      <span>
        <b>{formatCount(prints)}</b> of {formatCount(intervals)} prints in {chosen.label}
      </span>
      <span>{faults === 0 ? 'no fault in what was read' : `${countOf(faults, 'fault')} in what was read`}</span>
      <span className={styles['buttons']}>APR, simple = mean of settled prints × 3 × 365. Estimates are in no sum.</span>
    </p>
  );
}
