import { toDecimal } from '#domain/decimal.ts';
import { formatBasisPoints, formatPercent, formatRate, NO_VALUE } from '#domain/format-number.ts';
import { formatQuantity } from '#domain/format-quantity.ts';
import { countOf, formatCount } from '#domain/format-count.ts';
import { formatDay } from '#domain/format-time.ts';
import { findFaultsIn } from '#domain/funding/funding-window.ts';
import { RATE_FORM_LOOKS, type RateForm } from '#domain/funding/rate-form.ts';
import { namePayer } from '#domain/funding/who-pays.ts';
import type { Quantity } from '#domain/quantity.ts';
import { asWritten } from '#domain/wire-row.ts';
import { withReason, type CellNote } from '#ui/grid/cell-note.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { linkCells } from '#ui/grid/link-cells.ts';
import { toggleCells } from '#ui/grid/toggle-cells.ts';
import type { ExplainCell } from '#ui/grid/use-grid-notes.tsx';
import type { Navigator } from '#ui/navigation/navigator.ts';
import type { Clock } from '#ui/time/clock.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { isPicked, togglePicked } from './compare-params.ts';
import type { CompareRow, WindowFigures } from './compare-row.ts';
import { isPartial, toCoverageFacts, withCoverage } from './coverage-note.ts';
import { toBoundaryText, toElapsedText } from './interval-text.ts';
import type { RankedRow } from './ranks.ts';
import { toNote } from './to-note.ts';
import type { NamedWindow } from './windows.ts';

interface CompareColumn extends GridColumn<RankedRow> {
  readonly explain?: (row: RankedRow) => CellNote | null;
}

export interface ColumnParts {
  readonly form: RateForm;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly navigator: Navigator;
  readonly clock: Clock;
  readonly toVenueTime: (browserNow: number) => number;
}

/** The comparison's columns: settled, then the estimate, then what was realised. The three are never mixed. */
export function createCompareColumns(parts: ColumnParts): readonly CompareColumn[] {
  return [...createNaming(parts), ...createSettled(parts), ...createEstimated(parts), ...createRealised(parts), ...createCharacter(parts), ...interestColumns];
}

/** What explains the cells of these columns. */
export function createExplain(columns: readonly CompareColumn[]): ExplainCell<RankedRow> {
  return ({ row, column: { id } }) => columns.find((column) => column.id === id)?.explain?.(row) ?? null;
}

type Figure = Pick<CompareColumn, 'kind' | 'text' | 'value' | 'explain'>;

/** What stands in each column's cells besides a figure: how it is told in a note. */
function figure(name: string, read: (row: CompareRow) => Quantity | null, format: (value: Quantity) => string): Figure {
  const text = (row: CompareRow): string => {
    const quantity = read(row);
    return quantity?.value ? format(quantity) : NO_VALUE;
  };
  return {
    kind: 'number',
    text,
    value: (row) => read(row)?.value?.toNumber() ?? null,
    explain: (row) => toNote(`${row.symbol} ${name}`, read(row), text(row)),
  };
}

/** Of the last print: one that is older than that of others says so. */
function lastSettled(...[name, read, format]: Parameters<typeof figure>): Figure & Pick<CompareColumn, 'tone'> {
  const told = figure(name, read, format);
  return {
    ...told,
    tone: ({ settledBefore }) => (settledBefore === null ? undefined : 'old'),
    explain: (row) => withReason(toNote(`${row.symbol} ${name}`, read(row), told.text(row)), row.settledBefore),
  };
}

function createNaming({ navigator }: ColumnParts): readonly CompareColumn[] {
  const isOn = ({ symbol }: CompareRow): boolean => isPicked(navigator, symbol);
  return [
    {
      id: 'pick',
      title: 'Draw',
      titleHidden: true,
      unsorted: true,
      kind: 'text',
      width: 32,
      pinned: 'start',
      text: (row) => (isOn(row) ? '☑' : '☐'),
      value: () => null,
      ...toggleCells<CompareRow>({
        says: 'aria-checked',
        isOn,
        label: ({ symbol }) => `Draw ${symbol}`,
        toggle: ({ symbol }) => {
          togglePicked(navigator, symbol);
        },
        watch: navigator.subscribe,
      }),
    },
    {
      id: 'symbol',
      title: 'Perpetual',
      kind: 'text',
      width: 84,
      pinned: 'start',
      text: ({ symbol }) => symbol,
      value: ({ symbol }) => symbol,
      ...linkCells<CompareRow>(navigator, { to: toPath }),
    },
    { id: 'rank', title: 'Rank', kind: 'number', width: 52, text: ({ rank }) => (rank === null ? NO_VALUE : String(rank)), value: ({ rank }) => rank, tone: quiet },
  ];
}

/** Where a perpetual is told at length. */
export function toPath({ symbol }: CompareRow): string {
  return `/funding/${symbol}`;
}

function quiet(): string {
  return 'quiet';
}

/** How a column of a form is headed: for one print, for the mean of many, and its unit. */
const FORM_HEADS: Readonly<Record<RateForm, { readonly one: string; readonly mean: string; readonly unit: string }>> = {
  interval: { one: 'As settled', mean: 'mean', unit: '% per 8 h' },
  day: { one: 'A day', mean: 'mean', unit: '% per day' },
  apr: { one: 'APR', mean: 'APR', unit: '%, simple' },
  apy: { one: 'APY', mean: 'APY', unit: '%, compounded' },
};

const RATE = { unit: '% per 8 h', width: 88 };

function createSettled({ form }: ColumnParts): readonly CompareColumn[] {
  const { unit, digits } = RATE_FORM_LOOKS[form];
  return [
    { id: 'settled', title: 'Last settled', ...RATE, ...lastSettled('last settled', ({ settled }) => settled, ({ value }) => formatRate(value)) },
    { id: 'pays', title: 'Who pays', unsorted: true, kind: 'text', width: 92, text: toPayer, value: toPayer, tone: quiet },
    {
      id: 'form',
      title: FORM_HEADS[form].one,
      unit: FORM_HEADS[form].unit,
      width: 94,
      ...lastSettled(`last settled, ${unit}`, ({ settledForm }) => settledForm, ({ value }) => formatPercent(value, { digits, signed: true })),
    },
    { id: 'premium', title: 'Mark over index', unit: 'bp', width: 106, note: 'At the last print', ...lastSettled('mark over index', ({ premium }) => premium, ({ value }) => formatBasisPoints(value)) },
  ];
}

function createEstimated({ clock, toVenueTime }: ColumnParts): readonly CompareColumn[] {
  const venueNow = (): number => toVenueTime(clock.read());
  const text = ({ estimate }: CompareRow): string => (estimate === null ? '…' : formatQuantity(estimate));
  return [
    {
      id: 'estimate',
      title: 'Estimate',
      ...RATE,
      ...figure(ESTIMATE, ({ estimate }) => estimate, ({ value }) => formatRate(value)),
      text,
      tone: ({ progress }) => (progress !== null && progress.notCurrent !== null ? 'old' : 'quiet'),
      explain: (row) => withReason(toNote(`${row.symbol} ${ESTIMATE}`, row.estimate, text(row)), row.progress?.notCurrent ?? null),
    },
    {
      id: 'elapsed',
      title: 'Elapsed',
      unit: 'weight fixed',
      unsorted: true,
      kind: 'number',
      width: 116,
      text: (row) => toElapsedText(row, venueNow()),
      value: ({ interval }) => interval?.interval_end ?? null,
      watch: clock.subscribe,
      tone: quiet,
    },
    {
      id: 'next',
      title: 'Next',
      unit: 'h:m:s',
      kind: 'number',
      width: 76,
      text: (row) => toBoundaryText(row, venueNow()),
      value: ({ interval }) => interval?.interval_end ?? null,
      watch: clock.subscribe,
      tone: quiet,
      explain: toBoundaryNote,
    },
  ];
}

function toBoundaryNote({ symbol, interval }: CompareRow): CellNote | null {
  if (interval === null) return null;
  return { title: `${symbol}: the interval in progress ends`, facts: [{ name: 'Clocks', value: formatInAllZones(interval.interval_end) }] };
}

const ESTIMATE = 'estimate of the interval in progress';

function toPayer({ last }: CompareRow): string {
  return last === null ? NO_VALUE : namePayer(toDecimal(asWritten(last, 'funding_rate')));
}

function createRealised({ form, windows, chosen }: ColumnParts): readonly CompareColumn[] {
  const all = windows.some(({ id }) => id === chosen.id) ? windows : [...windows, chosen];
  const { unit, digits } = RATE_FORM_LOOKS[form];
  const read = (row: CompareRow, { id }: NamedWindow): WindowFigures | null => row.windows.get(id) ?? (row.chosen.window.id === id ? row.chosen : null);
  const over = (window: NamedWindow, told: Figure): Omit<CompareColumn, 'id' | 'title' | 'width'> => ({
    ...told,
    note: '◔: its prints do not cover the window',
    tone: (row) => (isPartial(read(row, window)) ? 'partial' : undefined),
    explain: (row) => withCoverage(told.explain?.(row) ?? null, read(row, window)),
  });
  const sums = all.map((window): CompareColumn => ({
    id: `sum-${window.id}`,
    title: `${window.label} sum`,
    unit: '%',
    width: 92,
    ...over(window, figure(`realised over ${window.label}`, (row) => read(row, window)?.sum ?? null, ({ value }) => formatPercent(value, { digits: 4, signed: true }))),
  }));
  const rates = all.map((window): CompareColumn => ({
    id: `rate-${window.id}`,
    title: `${window.label} ${FORM_HEADS[form].mean}`,
    unit: FORM_HEADS[form].unit,
    width: 98,
    ...over(window, figure(`mean over ${window.label}, ${unit}`, (row) => read(row, window)?.mean ?? null, ({ value }) => formatPercent(value, { digits, signed: true }))),
  }));
  return [...sums, ...rates];
}

/** How the chosen window was: each of these is of that one alone. */
function createCharacter({ chosen: { label } }: ColumnParts): readonly CompareColumn[] {
  const share = (id: 'positive' | 'baseline', title: string): CompareColumn => ({
    ...{ id, title, unit: '%', width: 78 },
    ...figure(`${title.toLowerCase()} over ${label}`, ({ chosen }) => chosen[id], ({ value }) => formatPercent(value, { digits: 0 })),
  });
  return [
    { id: 'coverage', title: 'Coverage', unit: label, kind: 'number', width: 124, text: toCoverage, value: ({ chosen: { measures } }) => (measures.intervals === 0 ? null : measures.prints / measures.intervals), tone: quiet, explain: explainCoverage },
    { id: 'deviation', title: 'Deviation', unit: 'bp', width: 84, ...figure(`standard deviation over ${label}`, ({ chosen }) => chosen.deviation, ({ value }) => formatBasisPoints(value, { digits: 2 })) },
    share('positive', 'Longs paid'),
    share('baseline', 'Baseline'),
    { id: 'run', title: 'Run', unit: 'prints', kind: 'number', width: 68, text: toRunText, value: toRun, explain: (row) => toNote(`${row.symbol} longest run over ${label}`, row.chosen.run, toRunText(row)) },
    { id: 'gaps', title: 'Gaps', kind: 'number', width: 112, text: toGaps, value: ({ chosen }) => chosen.measures.missing, tone: (row) => (toGaps(row) === '0' ? 'quiet' : 'attention'), explain: explainGaps },
  ];
}

function toRun({ chosen: { measures } }: CompareRow): number | null {
  return measures.prints === 0 ? null : measures.longestRun;
}

function toRunText(row: CompareRow): string {
  return toRun(row)?.toString() ?? NO_VALUE;
}

function toCoverage({ chosen: { measures: { prints, intervals, notListed } } }: CompareRow): string {
  return `${formatCount(prints)} of ${formatCount(intervals)}${notListed > 0 ? ' new' : ''}`;
}

function explainCoverage(row: RankedRow): CellNote | null {
  const facts = toCoverageFacts(row.chosen);
  return facts.length === 0 ? null : { title: `${row.symbol} coverage: ${toCoverage(row)}`, facts };
}

function countFaults({ series, chosen }: CompareRow): number {
  return findFaultsIn(series, chosen.window).filter(({ kind }) => kind !== 'hole').length;
}

function toGaps(row: CompareRow): string {
  const faults = countFaults(row);
  return `${String(row.chosen.measures.missing)}${faults > 0 ? ` · ${countOf(faults, 'fault')}` : ''}`;
}

function explainGaps(row: RankedRow): CellNote | null {
  const faults = countFaults(row);
  const facts = [{ name: 'Faults', value: `${countOf(faults, 'print')}: duplicates, overlaps, of another length than eight hours, or not between boundaries` }];
  return faults === 0 ? null : { title: `${row.symbol} gaps: ${toGaps(row)}`, facts };
}

function toInterestDay({ openInterestDate: day }: CompareRow): string {
  return day === null ? NO_VALUE : formatDay(day).slice(0, -5);
}

const interestColumns: readonly CompareColumn[] = [
  { id: 'oi', title: 'OI', unit: 'contracts', width: 92, ...figure('open interest', ({ openInterest }) => openInterest, (quantity) => formatQuantity(quantity)) },
  { id: 'oiDate', title: 'OI of', unsorted: true, kind: 'text', width: 68, text: toInterestDay, value: ({ openInterestDate }) => openInterestDate, tone: quiet },
];
