import { describeFunding } from '#domain/funding-rate.ts';
import { toDecimal } from '#domain/decimal.ts';
import { formatBasisPoints, formatNumber, formatPercent, formatRate, NO_VALUE } from '#domain/format-number.ts';
import { formatQuantity } from '#domain/format-quantity.ts';
import { formatDay } from '#domain/format-time.ts';
import { RATE_FORM_LOOKS, type RateForm } from '#domain/funding/rate-form.ts';
import type { Quantity } from '#domain/quantity.ts';
import { asWritten } from '#domain/wire-row.ts';
import { Link } from '#ui/navigation/link.tsx';
import type { SortableColumn } from '#ui/table/sortable-column.ts';
import { withReason } from '#ui/table/with-reason.ts';
import type { CompareRow, WindowFigures } from './compare-row.ts';
import { Elapsed, NextBoundary } from './interval-clock.tsx';
import { PickBox } from './pick-box.tsx';
import { toNote } from './to-note.ts';
import type { NamedWindow } from './windows.ts';
import styles from './funding.module.css';

type Column = SortableColumn<CompareRow>;

export interface ColumnParts {
  readonly form: RateForm;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly ranks: ReadonlyMap<string, number | null>;
}

/** The comparison's columns: settled, then the estimate, then what was realised. The three are never mixed. */
export function createCompareColumns(parts: ColumnParts): readonly Column[] {
  return [...createNaming(parts), ...createLatest(parts), ...createRealised(parts), ...createCharacter(parts), ...interestColumns];
}

/** What stands in each column's cells besides a figure: how it is told in a note. */
function figure(name: string, read: (row: CompareRow) => Quantity | null, format: (value: Quantity) => string): Pick<Column, 'numeric' | 'sortBy' | 'cell' | 'note'> {
  const text = (row: CompareRow): string => {
    const quantity = read(row);
    return quantity?.value ? format(quantity) : NO_VALUE;
  };
  return {
    numeric: true,
    sortBy: (row) => read(row)?.value ?? undefined,
    cell: text,
    note: (row) => toNote(`${row.symbol} ${name}`, read(row), text(row)),
  };
}

function createNaming({ ranks }: ColumnParts): readonly Column[] {
  return [
    { id: 'pick', name: 'Draw', nameHidden: true, cell: ({ symbol }) => <PickBox symbol={symbol} /> },
    {
      id: 'symbol',
      name: 'Perpetual',
      sortBy: ({ symbol }) => symbol,
      cell: ({ symbol }) => (
        <Link to={`/funding/${symbol}`} className={styles['symbol']} tabIndex={-1}>
          {symbol}
        </Link>
      ),
    },
    {
      id: 'rank',
      name: 'Rank',
      numeric: true,
      sortBy: ({ symbol }) => ranks.get(symbol) ?? undefined,
      cell: ({ symbol }) => <span className={styles['quiet']}>{ranks.get(symbol) ?? NO_VALUE}</span>,
    },
  ];
}

/** How a column of a form is headed: for one print, for the mean of many, and its unit. */
const FORM_HEADS: Readonly<Record<RateForm, { readonly one: string; readonly mean: string; readonly unit: string }>> = {
  interval: { one: 'As settled', mean: 'mean', unit: '% per 8 h' },
  day: { one: 'A day', mean: 'mean', unit: '% per day' },
  apr: { one: 'APR', mean: 'APR', unit: '%, simple' },
  apy: { one: 'APY', mean: 'APY', unit: '%, compounded' },
};

function createLatest({ form }: ColumnParts): readonly Column[] {
  const { unit, digits } = RATE_FORM_LOOKS[form];
  return [
    { id: 'settled', name: 'Last settled', unit: '% per 8 h', ...figure('last settled', ({ settled }) => settled, ({ value }) => formatRate(value)) },
    { id: 'pays', name: 'Who pays', cell: ({ last }) => <span className={styles['quiet']}>{last === null ? NO_VALUE : toPayer(last)}</span> },
    {
      id: 'form',
      name: FORM_HEADS[form].one,
      unit: FORM_HEADS[form].unit,
      ...figure(`last settled, ${unit}`, ({ settledForm }) => settledForm, ({ value }) => formatPercent(value, { digits, signed: true })),
    },
    { id: 'premium', name: 'Premium', unit: 'bp', ...figure('premium over the interest rate', ({ premium }) => premium, ({ value }) => formatBasisPoints(value)) },
    {
      id: 'estimate',
      name: 'Estimate',
      unit: '% per 8 h',
      ...figure(ESTIMATE, ({ estimate }) => estimate, ({ value }) => formatRate(value)),
      cell: ({ estimate, progress }) => (
        <span className={styles['estimate']} data-old={progress !== null && progress.notCurrent !== null}>
          {estimate === null ? '…' : formatQuantity(estimate)}
        </span>
      ),
      note: ({ symbol, estimate, progress }) => withReason(toNote(`${symbol} ${ESTIMATE}`, estimate, estimate === null ? '…' : formatQuantity(estimate)), progress?.notCurrent ?? null),
    },
    { id: 'elapsed', name: 'Elapsed', unit: 'weight fixed', numeric: true, cell: ({ progress }) => <Elapsed progress={progress} /> },
    { id: 'next', name: 'Next', unit: 'h:m:s', numeric: true, sortBy: ({ progress }) => progress?.value.interval_end, cell: ({ progress }) => <NextBoundary progress={progress} /> },
  ];
}

const ESTIMATE = 'estimate of the interval in progress';

function toPayer(last: NonNullable<CompareRow['last']>): string {
  return describeFunding(toDecimal(asWritten(last, 'funding_rate'))).replace(/ (longs|shorts)$/, '');
}

function createRealised({ form, windows, chosen }: ColumnParts): readonly Column[] {
  const all = windows.some(({ id }) => id === chosen.id) ? windows : [...windows, chosen];
  const { unit, digits } = RATE_FORM_LOOKS[form];
  const read = (row: CompareRow, { id }: NamedWindow): WindowFigures | null => row.windows.get(id) ?? (row.chosen.window.id === id ? row.chosen : null);
  const sums = all.map((window): Column => ({
    id: `sum-${window.id}`,
    name: `${window.label} sum`,
    unit: '%',
    ...figure(`realised over ${window.label}`, (row) => read(row, window)?.sum ?? null, ({ value }) => formatPercent(value, { digits: 4, signed: true })),
  }));
  const rates = all.map((window): Column => ({
    id: `rate-${window.id}`,
    name: `${window.label} ${FORM_HEADS[form].mean}`,
    unit: FORM_HEADS[form].unit,
    ...figure(`mean over ${window.label}, ${unit}`, (row) => read(row, window)?.rate ?? null, ({ value }) => formatPercent(value, { digits, signed: true })),
  }));
  return [...sums, ...rates];
}

/** How the chosen window was: each of these is of that one alone. */
function createCharacter({ chosen: { label } }: ColumnParts): readonly Column[] {
  const of = ({ chosen: { measures } }: CompareRow) => measures;
  const share = (count: number, all: number): string => (all === 0 ? NO_VALUE : formatPercent(toDecimal(String(count)).div(all), { digits: 0 }));
  return [
    { id: 'coverage', name: 'Coverage', unit: label, numeric: true, sortBy: (row) => (of(row).intervals === 0 ? undefined : of(row).prints / of(row).intervals), cell: (row) => <Coverage row={row} /> },
    { id: 'deviation', name: 'Deviation', unit: 'bp', ...figure(`standard deviation over ${label}`, ({ deviation }) => deviation, ({ value }) => formatBasisPoints(value, { digits: 2 })) },
    { id: 'positive', name: 'Positive', unit: '%', numeric: true, sortBy: (row) => toShare(of(row).positive, of(row).prints), cell: (row) => share(of(row).positive, of(row).prints) },
    { id: 'baseline', name: 'Baseline', unit: '%', numeric: true, sortBy: (row) => toShare(of(row).baseline, of(row).prints), cell: (row) => share(of(row).baseline, of(row).prints) },
    { id: 'run', name: 'Run', unit: 'prints', numeric: true, sortBy: (row) => (of(row).prints === 0 ? undefined : of(row).longestRun), cell: (row) => (of(row).prints === 0 ? NO_VALUE : of(row).longestRun) },
    { id: 'gaps', name: 'Gaps', numeric: true, sortBy: (row) => of(row).missing, cell: (row) => <Gaps row={row} /> },
  ];
}

function toShare(count: number, all: number): number | undefined {
  return all === 0 ? undefined : count / all;
}

function Coverage({ row: { chosen: { measures } } }: { readonly row: CompareRow }) {
  const { prints, intervals, notListed, notRead } = measures;
  const remarks = [notListed > 0 && `not listed yet for ${String(notListed)} intervals before`, notRead > 0 && `${String(notRead)} not read yet`].filter((remark) => remark !== false);
  return (
    <span className={styles['quiet']} title={remarks.join('; ') || undefined}>
      {formatNumber(toDecimal(String(prints)))} of {formatNumber(toDecimal(String(intervals)))}
      {notListed > 0 && ' new'}
    </span>
  );
}

function Gaps({ row: { chosen: { measures }, series } }: { readonly row: CompareRow }) {
  const faults = series.faults.filter(({ kind }) => kind !== 'hole').length;
  if (measures.missing === 0 && faults === 0) return <span className={styles['quiet']}>0</span>;
  return (
    <span className={styles['attention']} title={faults > 0 ? `${String(faults)} prints that are duplicates, overlap, or are not eight hours` : undefined}>
      {measures.missing}
      {faults > 0 && ` · ${String(faults)} faults`}
    </span>
  );
}

const interestColumns: readonly Column[] = [
  { id: 'oi', name: 'OI', unit: 'contracts', ...figure('open interest', ({ openInterest }) => openInterest, (quantity) => formatQuantity(quantity)) },
  { id: 'oiDate', name: 'OI of', cell: ({ openInterestDate: day }) => <span className={styles['quiet']}>{day === null ? NO_VALUE : formatDay(day).slice(0, -5)}</span> },
];
