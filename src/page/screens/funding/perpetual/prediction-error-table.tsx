import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { DeskEstimates } from '#contract/desk/funding.ts';
import { countOf } from '#model/format/count.ts';
import { formatBasisPoints } from '#model/format/number.ts';
import { toPredictionErrors, type PredictionError } from '#model/funding/prediction-error.ts';
import type { Source } from '#model/source.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { toOriginFacts } from '#model/tables/funding/origin-facts.ts';
import styles from '../perpetual.module.css';

function createColumns(source: Source): readonly Column<PredictionError>[] {
  return [
    { name: 'Elapsed', unit: '%', numeric: true, cell: ({ share }) => Math.round(share * 100) },
    { name: 'Weight so far', unit: '%', numeric: true, cell: ({ share }) => Math.round(share * share * 100) },
    {
      name: 'Median error',
      unit: 'bp per 8 h',
      numeric: true,
      cell: (miss) => <Miss name="Median" value={miss.median} miss={miss} source={source} />,
    },
    {
      name: 'Largest error',
      unit: 'bp per 8 h',
      numeric: true,
      cell: (miss) => <Miss name="Largest" value={miss.largest} miss={miss} source={source} />,
    },
    { name: 'Intervals', numeric: true, cell: ({ count }) => count },
  ];
}

interface MissProps {
  readonly name: string;
  readonly value: PredictionError['median'];
  readonly miss: PredictionError;
  readonly source: Source;
}

function Miss({ name, value, miss: { share, count }, source }: MissProps) {
  const facts = [
    {
      name: 'Computed',
      value: `${name} of |predicted − settled rate| at ${String(Math.round(share * 100))} % elapsed, of ${countOf(count, 'interval')}`,
    },
    ...toOriginFacts(source),
  ];
  return <Figure name={`${name} error`} text={formatBasisPoints(value, { digits: 2 })} provenance={() => facts} />;
}

/** How far predicted rates were off, by the share of the interval that had elapsed when they were read. */
export function PredictionErrorTable({ response }: { readonly response: ApiResponse<DeskEstimates> }) {
  const { estimates } = response.value;
  const misses = useMemo(() => toPredictionErrors(estimates), [estimates]);
  const pending = new Set(estimates.filter(({ settled }) => settled === null).map(({ interval_end }) => interval_end))
    .size;
  const settled = new Set(
    estimates.filter((estimate) => estimate.settled !== null).map(({ interval_end }) => interval_end),
  ).size;
  const middle = misses.find(({ share }) => share === 0.5);
  if (settled === 0) {
    return (
      <EmptyState title="No predicted rate settled yet">
        <p>
          Perpdesk records every predicted rate it reads and compares it with the settled rate.{' '}
          {pending > 0
            ? `${countOf(pending, 'interval')} ${pending === 1 ? 'is' : 'are'} not settled yet.`
            : 'No predicted rate has been read so far.'}
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <Table
        caption="Prediction error"
        columns={createColumns(response)}
        rows={misses}
        keyOf={({ share }) => String(share)}
      />
      <p className={styles['remark']}>
        {middle !== undefined &&
          middle.count > 0 &&
          `At 50 % elapsed, median error ${formatBasisPoints(middle.median, { digits: 1 })} bp per 8 h, n = ${String(middle.count)}. `}
        Uses the predicted rate that Perpdesk read closest to each share of the interval, within 5 percentage points.{' '}
        {countOf(settled, 'interval')} settled.
      </p>
    </>
  );
}
