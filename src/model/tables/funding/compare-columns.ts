import { countOf, formatCount } from '../../format/count.ts';
import {
  formatBasisPoints,
  formatMissing,
  formatNumber,
  formatPercent,
  formatQuantity,
  formatRate,
  NO_VALUE,
} from '../../format/number.ts';
import { findFaultsIn } from '../../funding/funding-window.ts';
import { type FundingSide, namePayer, RATE_FORM_LABELS, type RateForm } from '../../funding/funding-rate.ts';
import type { Fact } from '../../format/provenance.ts';
import { type CellTooltip, withOverdue, withReason } from '../cell-tooltip.ts';
import { explainStanding, FORM_HEADERS } from './rate-text.ts';
import type { RankBy } from './compare-params.ts';
import { type NamedWindow, type Past, PAST_LABELS } from './realised.ts';
import {
  type CompareRow,
  describeRanking,
  isOverWindow,
  type RankedRow,
  whyLastInDoubt,
  type WindowFigures,
} from './compare-row.ts';
import {
  type CompareColumn,
  figureCells,
  type FigureCells,
  quietTone,
  TINT_MEANING,
  toProvenanceTooltip,
  toRateTone,
  toWindowTone,
} from './figure-column.ts';
import { toDecimal } from '../../units/decimal.ts';
import { toPercentile } from '../../funding/rate-distribution.ts';
import { toSideZScore } from '../../funding/rolling-windows.ts';
import type { Source } from '../../response.ts';
import type { Quantity } from '../../units/quantity.ts';
import { formatDay } from '../../format/format-time.ts';
import { isBaseline } from '../../funding/funding-series.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type ComparedPredictedRates, createPredictedRateErrorColumns } from './compare-predictions.ts';
import { createPredictedColumns, type PredictedInputs } from './predicted-columns.ts';

interface WindowInputs {
  readonly form: RateForm;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly rankBy: RankBy;
}

/**
 * Creates the columns of realised rates: for each window the mean of its settled rates in the chosen rate unit, and
 * their sum.
 */
function createRealisedColumns({ form, windows, chosen }: WindowInputs): readonly CompareColumn[] {
  const all = windows.some(({ id }) => id === chosen.id) ? windows : [...windows, chosen];
  const { unit, digits } = RATE_FORM_LABELS[form];
  const read = (row: CompareRow, { id }: NamedWindow): WindowFigures | null =>
    row.windows.get(id) ?? (row.chosen.window.id === id ? row.chosen : null);
  const over = (window: NamedWindow, cells: FigureCells): Omit<CompareColumn, 'id' | 'title' | 'width'> => ({
    ...cells,
    tooltip: `◔: settled rates do not cover the whole window. ${TINT_MEANING}`,
    tone: (row) => toTone(read(row, window)),
    explain: (row) => withCoverage(cells.explain?.(row) ?? null, read(row, window)),
  });
  const sums = all.map((window): CompareColumn => ({
    id: `sum-${window.id}`,
    title: `${window.label} sum`,
    ...{ unit: '%', width: 92, hidden: true },
    ...over(
      window,
      figureCells(
        `sum over ${window.label}`,
        (row) => read(row, window)?.sum ?? null,
        ({ value }) => formatPercent(value, { digits: 4, signed: true }),
      ),
    ),
  }));
  const rates = all.map((window): CompareColumn => ({
    id: `rate-${window.id}`,
    title: `${window.label} ${FORM_HEADERS[form].mean}`,
    unit: FORM_HEADERS[form].unit,
    width: 98,
    ...over(
      window,
      figureCells(
        `mean over ${window.label}, ${unit}`,
        (row) => read(row, window)?.mean ?? null,
        ({ value }) => formatPercent(value, { digits, signed: true }),
      ),
    ),
  }));
  return [...rates, ...sums];
}

function toTone(figures: WindowFigures | null): string | undefined {
  const tint = figures === null ? undefined : toWindowTone(figures.measures);
  return isPartial(figures) ? ['partial', tint].join(' ').trimEnd() : tint;
}

/** Creates the columns of statistics of the chosen window. */
function createStatisticsColumns({
  chosen: { label },
  rankBy,
}: Pick<WindowInputs, 'chosen' | 'rankBy'>): readonly CompareColumn[] {
  const share = (id: 'positive' | 'baseline', title: string, width: number): CompareColumn => ({
    ...{ id, title, unit: '%', width, hidden: true },
    ...figureCells(
      `${title.toLowerCase()} over ${label}`,
      ({ chosen }) => chosen[id],
      ({ value }) => formatPercent(value, { digits: 0 }),
    ),
  });
  return [
    {
      id: 'coverage',
      title: 'Coverage',
      unit: label,
      kind: 'number',
      width: 124,
      text: toCoverage,
      value: ({ chosen: { measures } }) => (measures.intervals === 0 ? null : measures.prints / measures.intervals),
      tone: quietTone,
      explain: explainCoverage,
    },
    {
      id: 'deviation',
      title: 'Sample std dev',
      unit: 'bp per 8 h',
      tooltip: 'Standard deviation of the settled rates as a sample (n − 1).',
      width: 120,
      hidden: rankBy !== 'stability',
      ...figureCells(
        `standard deviation over ${label}`,
        ({ chosen }) => chosen.deviation,
        ({ value }) => formatBasisPoints(value, { digits: 2 }),
      ),
    },
    share('positive', 'Intervals longs paid', 128),
    share('baseline', 'At interest rate', 112),
    {
      id: 'run',
      title: 'Longest streak',
      unit: 'intervals',
      kind: 'number',
      width: 104,
      hidden: true,
      tooltip: 'The most intervals in a row with the same sign and none missing.',
      text: toStreakText,
      value: toStreak,
      explain: (row) =>
        toProvenanceTooltip(`${row.symbol} longest streak over ${label}`, row.chosen.run, toStreakText(row)),
    },
    {
      id: 'gaps',
      title: 'Gaps',
      kind: 'number',
      width: 112,
      text: toGaps,
      value: ({ chosen }) => chosen.measures.missing,
      tone: (row) => (toGaps(row) === '0' ? 'quiet' : 'attention'),
      explain: explainGaps,
    },
  ];
}

function toStreak({ chosen: { measures } }: CompareRow): number | null {
  return measures.prints === 0 ? null : measures.longestStreak;
}

function toStreakText(row: CompareRow): string {
  return toStreak(row)?.toString() ?? NO_VALUE;
}

function toCoverage({
  chosen: {
    measures: { prints, intervals, notListed },
  },
}: CompareRow): string {
  return `${formatCount(prints)} of ${formatCount(intervals)}${notListed > 0 ? ', new' : ''}`;
}

function explainCoverage(row: RankedRow): CellTooltip | null {
  const facts = toCoverageFacts(row.chosen);
  return facts.length === 0 ? null : { title: `${row.symbol} coverage: ${toCoverage(row)}`, facts };
}

/** Whether a window is covered only in part: such sums do not compare with sums over all of it. */
function isPartial(figures: WindowFigures | null): boolean {
  return figures !== null && figures.measures.prints > 0 && figures.measures.prints < countIntervalsOf(figures);
}

/** Counts intervals, including those before the listing. */
function countIntervalsOf({ measures: { intervals, notListed } }: WindowFigures): number {
  return intervals + notListed;
}

function withCoverage(tooltip: CellTooltip | null, figures: WindowFigures | null): CellTooltip | null {
  if (tooltip === null || figures === null || !isPartial(figures)) return tooltip;
  const value =
    `${countOf(figures.measures.prints, 'settled rate')} in the ` +
    `${formatCount(countIntervalsOf(figures))} intervals of the window`;
  return { ...tooltip, facts: [{ name: 'Coverage', value }, ...toCoverageFacts(figures), ...tooltip.facts] };
}

/** Explains intervals that have no settled rate, but are not gaps. */
function toCoverageFacts({ measures: { notListed, notRead, notSettled } }: WindowFigures): readonly Fact[] {
  return [
    { name: 'Before listing', value: countOf(notListed, 'interval'), count: notListed },
    { name: 'Not read yet', value: countOf(notRead, 'interval'), count: notRead },
    {
      name: 'Not settled yet',
      value: `${countOf(notSettled, 'interval')} after the latest settled rate`,
      count: notSettled,
    },
  ].filter(({ count }) => count > 0);
}

function countFaults({ series, chosen }: CompareRow): number {
  return findFaultsIn(series, chosen.window).filter(({ kind }) => kind !== 'gap').length;
}

function toGaps(row: CompareRow): string {
  const faults = countFaults(row);
  return `${formatCount(row.chosen.measures.missing)}${faults > 0 ? ` · ${countOf(faults, 'fault')}` : ''}`;
}

function explainGaps(row: RankedRow): CellTooltip | null {
  const faults = countFaults(row);
  const facts = [
    {
      name: 'Faults',
      value:
        `${countOf(faults, 'fault')}: duplicate, overlapping, implausible or revised settled rates, or intervals that ` +
        'are not 8 h long or not aligned with funding times',
    },
  ];
  return faults === 0 ? null : { title: `${row.symbol} gaps: ${toGaps(row)}`, facts };
}

type Drawn = Pick<CompareColumn, 'draw' | 'watch'>;

export interface ColumnInputs extends PredictedInputs {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly past: Past;
  readonly rankBy: RankBy;
  readonly predictedRates: ComparedPredictedRates;
  /** Whether open interest is still being read. */
  readonly awaitsInterest: boolean;
  /** Returns the underlying of a perpetual; empty while unknown. */
  readonly underlyingOf: (symbol: string) => string;
  /** Whether a perpetual is charted. */
  readonly isPicked: (symbol: string) => boolean;
  /** Draws the content of cells beyond text; only present on a page. */
  readonly drawn?: { readonly pick: Drawn; readonly symbol: Drawn };
  readonly source: Source;
}

/**
 * Creates the columns of the comparison: settled, then predicted, then realised rates, which are never mixed. The
 * column that ranks the rows is always shown.
 */
export function createCompareColumns(inputs: ColumnInputs): readonly CompareColumn[] {
  return [
    ...createNameColumns(inputs),
    ...createSettledColumns(inputs),
    ...createStandingColumns(inputs),
    ...createPredictedColumns(inputs),
    ...createRealisedColumns(inputs),
    ...createStatisticsColumns(inputs),
    ...createPredictedRateErrorColumns(inputs),
    ...createInterestColumns(inputs),
  ];
}

/** Shows figures of the latest settled rate, marked if it is overdue or other perpetuals have settled since. */
function lastSettled(
  name: string,
  read: (row: CompareRow) => Quantity | null,
  format: (value: Quantity) => string,
  tint: (last: CompareRow['last']) => string | undefined = toLastTone,
): FigureCells & Pick<CompareColumn, 'tone'> {
  const cells = figureCells(name, read, format);
  return {
    ...cells,
    tone: (row) => {
      if (typeof read(row)?.withheld === 'string' || whyLastInDoubt(row) !== null) return 'attention';
      return row.behindBecause === null && row.overdueRate === null ? tint(row.last) : 'old';
    },
    explain: (row) => {
      const known = toProvenanceTooltip(`${row.symbol} ${name}`, read(row), cells.text(row));
      const tooltip = withReason(withReason(known, 'In doubt', whyLastInDoubt(row)), 'Stale', row.behindBecause);
      return withOverdue(tooltip, 'settled rate', row.overdueRate);
    },
  };
}

function toLastTone(last: CompareRow['last']): string | undefined {
  return toRateTone(last === null || isBaseline(last) ? null : toNumber(last.funding_rate));
}

function createNameColumns(inputs: ColumnInputs): readonly CompareColumn[] {
  return [
    {
      id: 'pick',
      title: 'Chart',
      titleHidden: true,
      unsorted: true,
      kind: 'text',
      width: 32,
      pinned: 'start',
      text: ({ symbol }) => (inputs.isPicked(symbol) ? '☑' : '☐'),
      value: () => null,
      ...inputs.drawn?.pick,
    },
    {
      id: 'underlying',
      title: 'Underlying',
      kind: 'text',
      width: 84,
      pinned: 'start',
      text: ({ symbol }) => inputs.underlyingOf(symbol) || NO_VALUE,
      value: ({ symbol }) => inputs.underlyingOf(symbol) || null,
    },
    {
      id: 'symbol',
      title: 'Perpetual',
      kind: 'text',
      width: 84,
      pinned: 'start',
      text: ({ symbol }) => symbol,
      value: ({ symbol }) => symbol,
      ...inputs.drawn?.symbol,
    },
    createRankColumn(inputs),
  ];
}

/** Creates the rank column, whose header names the window behind the ranking. */
function createRankColumn({ rankBy, chosen, missingBecause }: ColumnInputs): CompareColumn {
  const basis = describeRanking(rankBy, chosen);
  const text = (row: RankedRow): string =>
    row.rank === null
      ? formatMissing(rankBy === 'predicted' && row.estimate === null && missingBecause === null)
      : `${row.tiedWith > 0 ? '=' : ''}${String(row.rank)}`;
  return {
    ...{ id: 'rank', title: 'Rank', kind: 'number', width: 56, pinned: 'start', tone: quietTone },
    ...(isOverWindow(rankBy) && { unit: chosen.label }),
    tooltip: `By ${basis}. =: tied; ties are listed by premium.`,
    text,
    value: ({ rank }) => rank,
    explain: (row) => ({ title: `${row.symbol} rank: ${text(row)}`, facts: toRankFacts(row, basis) }),
  };
}

function toRankFacts({ rank, tiedWith, behindBecause }: RankedRow, basis: string): readonly Fact[] {
  const facts = [{ name: 'Ranked by', value: basis }];
  if (rank === null) return [...facts, { name: 'Not ranked', value: behindBecause ?? 'No value in this window.' }];
  return tiedWith === 0
    ? facts
    : [...facts, { name: 'Tied with', value: `${countOf(tiedWith, 'other perpetual')}; listed by premium` }];
}

const RATE = { unit: '% per 8 h', width: 112 };

function createSettledColumns({ form, rankBy }: ColumnInputs): readonly CompareColumn[] {
  const { unit, digits } = RATE_FORM_LABELS[form];
  return [
    {
      id: 'settled',
      title: 'Last settled rate',
      ...RATE,
      hidden: form !== 'interval',
      tooltip: TINT_MEANING,
      ...lastSettled(
        'settled rate',
        ({ settled }) => settled,
        ({ value }) => formatRate(value),
      ),
    },
    {
      id: 'pays',
      title: 'Who pays the last settled rate',
      unsorted: true,
      kind: 'text',
      width: 112,
      text: toPayer,
      value: toPayer,
      tone: ({ last }) => toLastTone(last) ?? 'quiet',
    },
    {
      id: 'form',
      title: `Last settled ${FORM_HEADERS[form].one}`,
      unit: FORM_HEADERS[form].unit,
      width: 112,
      tooltip: `The last settled rate alone: one interval, not an average. ${TINT_MEANING}`,
      ...lastSettled(
        `settled rate, ${unit}`,
        ({ settledInForm }) => settledInForm,
        ({ value }) => formatPercent(value, { digits, signed: true }),
      ),
    },
    {
      id: 'excess',
      title: 'Rate − interest',
      unit: 'bp per 8 h',
      width: 108,
      hidden: rankBy !== 'excess',
      tooltip: 'The last settled rate minus its interest rate: zero while the premium is too small to change the rate.',
      ...lastSettled(
        'settled rate minus interest rate',
        ({ excess }) => excess,
        ({ value }) => formatBasisPoints(value),
        () => undefined,
      ),
    },
    {
      id: 'premium',
      title: 'Premium',
      unit: 'bp',
      width: 84,
      hidden: rankBy !== 'premium',
      tooltip: 'Mark ÷ index − 1 at the last funding time; positive: mark above index.',
      ...lastSettled(
        'premium',
        ({ premium }) => premium,
        ({ value }) => formatBasisPoints(value),
        () => undefined,
      ),
    },
  ];
}

/** Where the mean of the chosen window stands among those of all windows of its length in the past. */
function createStandingColumns({ chosen, past, rankBy, side, source }: ColumnInputs): readonly CompareColumn[] {
  const percentile = (row: CompareRow): string =>
    row.standing() !== null && isAtInterest(row.chosen)
      ? AT_INTEREST
      : formatPercent(toPercentile(row.standing(), side), { digits: 1 });
  const score = (row: CompareRow): string =>
    formatNumber(toSideZScore(row.standing(), side), { digits: 2, signed: true });
  const basis = `of the ${chosen.label} mean in ${PAST_LABELS[past]}`;
  const column = (
    id: string,
    title: string,
    text: (row: CompareRow) => string,
  ): Pick<CompareColumn, 'id' | 'title' | 'kind' | 'text' | 'tone' | 'explain'> => ({
    ...{ id, title, kind: 'number', text },
    tone: ({ behindBecause, overdueRate }) => (behindBecause === null && overdueRate === null ? undefined : 'old'),
    explain: (row) => ({
      title: `${row.symbol} ${title.toLowerCase()} ${basis}: ${text(row)}`,
      facts: explainStanding(row, side, source),
    }),
  });
  return [
    {
      ...column('percentile', 'Percentile', percentile),
      ...{ unit: `${chosen.label} mean, ${PAST_LABELS[past]}`, width: 112 },
      tooltip:
        `Share of the windows of ${chosen.label} in the past (${PAST_LABELS[past]}) with a lower mean, by the sign ` +
        'convention chosen; equal means count half. Near 0 and near 100 are extreme.',
      value: (row) => toPercentile(row.standing(), side)?.toNumber() ?? null,
    },
    {
      ...column('zscore', 'Z-score', score),
      ...{ unit: `${chosen.label} mean, ${PAST_LABELS[past]}`, width: 112, hidden: rankBy !== 'zscore' },
      tooltip:
        `(Mean − mean of all windows of ${chosen.label} in the past) ÷ their sample standard deviation (n − 1). ` +
        'The windows overlap.',
      value: (row) => toSideZScore(row.standing(), side)?.toNumber() ?? null,
    },
  ];
}

const AT_INTEREST = 'at interest rate';

/** Whether every rate of a window was the interest rate, so that its percentile says nothing. */
function isAtInterest({ measures: { prints, baseline } }: WindowFigures): boolean {
  return prints > 0 && baseline === prints;
}

function toPayer({ last }: CompareRow): string {
  return last === null ? NO_VALUE : namePayer(toDecimal(wireText(last, 'funding_rate')));
}

function toOpenInterestDay({ openInterestDate: day }: CompareRow): string {
  return day === null ? NO_VALUE : formatDay(day).slice(0, -5);
}

function createInterestColumns({ awaitsInterest }: ColumnInputs): readonly CompareColumn[] {
  const column = (
    id: string,
    unit: string,
    read: (row: CompareRow) => Quantity | null,
    format: (quantity: Quantity) => string,
  ) => {
    const cells = figureCells(`open interest, ${unit}`, read, format);
    return {
      ...{ id, title: 'OI', unit, ...cells },
      text: (row) => (read(row) === null ? formatMissing(awaitsInterest) : cells.text(row)),
      tone: ({ overdueInterest }) => (overdueInterest === null ? undefined : 'old'),
      explain: (row) => withOverdue(cells.explain?.(row) ?? null, 'open interest', row.overdueInterest),
    } satisfies Partial<CompareColumn>;
  };
  return [
    {
      ...column(
        'oiUsd',
        'USD',
        ({ openInterestUsd }) => openInterestUsd,
        ({ value }) => formatNumber(value, { digits: 0 }),
      ),
      width: 112,
    },
    {
      ...column(
        'oi',
        'contracts',
        ({ openInterest }) => openInterest,
        (quantity) => formatQuantity(quantity),
      ),
      width: 92,
      tooltip: 'Contract sizes differ: do not compare contracts between perpetuals.',
    },
    {
      id: 'oiDate',
      title: 'OI date',
      unsorted: true,
      kind: 'text',
      width: 68,
      text: toOpenInterestDay,
      value: ({ openInterestDate }) => openInterestDate,
      tone: quietTone,
    },
  ];
}
