import { countOf, formatCount } from '#domain/format/count.ts';
import type { RateForm } from '#domain/funding/rate-form.ts';
import type { NamedWindow } from '../windows.ts';
import type { CompareRow } from './compare-row.ts';
import styles from '../funding.module.css';

interface CompareFooterProps {
  readonly rows: readonly CompareRow[];
  readonly chosen: NamedWindow;
  readonly form: RateForm;
}

const FORMULAS: Readonly<Record<RateForm, string>> = {
  interval: 'Mean = arithmetic mean of the settled rates, per 8 h.',
  day: 'Daily rate = mean of the settled rates × 3.',
  apr: 'APR = mean of the settled rates × 3 × 365, not compounded.',
  apy: 'APY = (1 + mean of the settled rates)^1,095 − 1.',
};

export function CompareFooter({ rows, chosen, form }: CompareFooterProps) {
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
        <b>{formatCount(prints)}</b> of {formatCount(intervals)} settled rates in {chosen.id === 'custom' ? 'the range chosen' : chosen.label}
      </span>
      <span>{faults === 0 ? 'No data faults' : countOf(faults, 'data fault')}</span>
      <span className={styles['buttons']}>{FORMULAS[form]} Predicted rates are excluded from sums.</span>
    </p>
  );
}
