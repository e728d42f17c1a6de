import { useMemo } from 'react';
import type { Answer } from '#api/answer.ts';
import type { DeskEstimates } from '#contract/desk-funding.ts';
import { countOf } from '#domain/format-count.ts';
import { formatBasisPoints } from '#domain/format-number.ts';
import { missByShare, type EstimateMiss } from '#domain/funding/estimate-miss.ts';
import type { Source } from '#domain/source.ts';
import { Figure } from '#ui/figure.tsx';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import styles from './one.module.css';

function createColumns(source: Source): readonly Column<EstimateMiss>[] {
  return [
    { name: 'At', unit: '% elapsed', numeric: true, cell: ({ share }) => Math.round(share * 100) },
    { name: 'Weight fixed', unit: '%', numeric: true, cell: ({ share }) => Math.round(share * share * 100) },
    { name: 'Median miss', unit: 'bp', numeric: true, cell: (miss) => <Miss name="Median" value={miss.median} miss={miss} source={source} /> },
    { name: 'Largest', unit: 'bp', numeric: true, cell: (miss) => <Miss name="Largest" value={miss.largest} miss={miss} source={source} /> },
    { name: 'n', unit: 'intervals', numeric: true, cell: ({ count }) => count },
  ];
}

interface MissProps {
  readonly name: string;
  readonly value: EstimateMiss['median'];
  readonly miss: EstimateMiss;
  readonly source: Source;
}

function Miss({ name, value, miss: { share, count }, source }: MissProps) {
  const facts = [
    { name: 'Computed', value: `${name} of |estimate − settled rate| at ${String(Math.round(share * 100))} % elapsed, of ${countOf(count, 'interval')}` },
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
  return <Figure name={`${name} miss`} text={formatBasisPoints(value, { digits: 2 })} provenance={() => facts} />;
}

/** How far estimates were off in the end, by how much of the interval had passed when they were read. */
export function MissesTable({ answer }: { readonly answer: Answer<DeskEstimates> }) {
  const { estimates } = answer.value;
  const misses = useMemo(() => missByShare(estimates), [estimates]);
  const pending = new Set(estimates.filter(({ settled }) => settled === null).map(({ interval_end }) => interval_end)).size;
  const settled = new Set(estimates.filter((estimate) => estimate.settled !== null).map(({ interval_end }) => interval_end)).size;
  const middle = misses.find(({ share }) => share === 0.5);
  if (settled === 0) {
    return (
      <Nothing title="No estimate has settled yet">
        <p>
          The desk remembers every estimate it reads; once its interval is settled, the difference is kept. {pending > 0 ? `${countOf(pending, 'interval')} ${pending === 1 ? 'is' : 'are'} not settled yet.` : 'None has been read so far.'}
        </p>
      </Nothing>
    );
  }
  return (
    <>
      <Table caption="How far estimates were off" columns={createColumns(answer)} rows={misses} keyOf={({ share }) => String(share)} />
      <p className={styles['remark']}>
        {middle !== undefined && middle.count > 0 && `At 50 % elapsed, median miss ${formatBasisPoints(middle.median, { digits: 1 })} bp, n = ${String(middle.count)}. `}
        Of each interval the estimate read nearest to the share, within 5 points, by this desk. {countOf(settled, 'interval')} settled.
      </p>
    </>
  );
}
