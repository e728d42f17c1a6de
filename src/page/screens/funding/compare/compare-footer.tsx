import { countOf, formatCount } from '#model/format/count.ts';
import { type FundingSide, isInverted } from '#model/funding/funding-side.ts';
import type { RateForm } from '#model/funding/rate-form.ts';
import type { NamedWindow } from '#model/tables/funding/windows.ts';
import type { CompareRow } from '#model/tables/funding/compare-row.ts';
import styles from '../funding.module.css';

interface CompareFooterProps {
  readonly rows: readonly CompareRow[];
  readonly chosen: NamedWindow;
  readonly form: RateForm;
  readonly side: FundingSide;
}

/** For a long position, which pays positive rates, with the sign inverted. */
function describeFormula(form: RateForm, side: FundingSide): string {
  const sign = isInverted(side) ? '−' : '';
  switch (form) {
    case 'interval':
      return `Mean = ${sign}arithmetic mean of the settled rates, per 8 h.`;
    case 'day':
      return `Daily rate = ${sign}mean of the settled rates × 3.`;
    case 'apr':
      return `APR = ${sign}mean of the settled rates × 3 × 365, not compounded.`;
    case 'apy':
      return `APY = (1 ${isInverted(side) ? '−' : '+'} mean of the settled rates)^1,095 − 1.`;
  }
}

export function CompareFooter({ rows, chosen, form, side }: CompareFooterProps) {
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
        <b>{formatCount(prints)}</b> of {formatCount(intervals)} settled rates in{' '}
        {chosen.id === 'custom' ? 'the range chosen' : chosen.label}
      </span>
      <span>{faults === 0 ? 'No data faults' : countOf(faults, 'data fault')}</span>
      <span className={styles['buttons']}>{describeFormula(form, side)} Predicted rates are excluded from sums.</span>
    </p>
  );
}
