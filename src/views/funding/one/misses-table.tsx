import { useMemo } from 'react';
import type { DeskEstimates } from '#contract/desk-funding.ts';
import { formatBasisPoints } from '#domain/format-number.ts';
import { missByShare, type EstimateMiss } from '#domain/funding/estimate-miss.ts';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { Table, type Column } from '#ui/table.tsx';
import styles from './one.module.css';

const COLUMNS: readonly Column<EstimateMiss>[] = [
  { name: 'At', unit: '% elapsed', numeric: true, cell: ({ share }) => Math.round(share * 100) },
  { name: 'Weight fixed', unit: '%', numeric: true, cell: ({ share }) => Math.round(share * share * 100) },
  { name: 'Median miss', unit: 'bp', numeric: true, cell: ({ median }) => formatBasisPoints(median, { digits: 2 }) },
  { name: 'Largest', unit: 'bp', numeric: true, cell: ({ largest }) => formatBasisPoints(largest, { digits: 2 }) },
  { name: 'n', unit: 'intervals', numeric: true, cell: ({ count }) => count },
];

/** How far estimates were off in the end, by how much of the interval had passed when they were read. */
export function MissesTable({ estimates }: DeskEstimates) {
  const misses = useMemo(() => missByShare(estimates), [estimates]);
  const pending = new Set(estimates.filter(({ settled }) => settled === null).map(({ interval_end }) => interval_end)).size;
  const settled = new Set(estimates.filter((estimate) => estimate.settled !== null).map(({ interval_end }) => interval_end)).size;
  const middle = misses.find(({ share }) => share === 0.5);
  if (settled === 0) {
    return (
      <Nothing title="No estimate has settled yet">
        <p>
          The desk remembers every estimate it reads; once its interval is settled, the difference is kept. {pending > 0 ? 'One interval is in progress.' : 'None has been read so far.'}
        </p>
      </Nothing>
    );
  }
  return (
    <>
      <Table caption="How far estimates were off" columns={COLUMNS} rows={misses} keyOf={({ share }) => String(share)} />
      <p className={styles['remark']}>
        {middle !== undefined && middle.count > 0 && `At 50 % elapsed, median miss ${formatBasisPoints(middle.median, { digits: 1 })} bp, n = ${String(middle.count)}. `}
        Of each interval the estimate read nearest to the share, within 5 points, by this desk. {settled} {settled === 1 ? 'interval' : 'intervals'} settled.
      </p>
    </>
  );
}
