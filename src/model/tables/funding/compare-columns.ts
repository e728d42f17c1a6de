import { countOf } from '../../format/count.ts';
import { toDecimal } from '../../units/decimal.ts';
import { toYearPercentile } from '../../funding/year-percentile.ts';
import type { Source } from '../../source.ts';
import type { Quantity } from '../../units/quantity.ts';
import { formatBasisPoints, formatPercent, formatRate, NO_VALUE } from '../../format/number.ts';
import { formatQuantity } from '../../format/quantity.ts';
import { formatDay } from '../../format/day.ts';
import { RATE_FORM_LABELS, type RateForm } from '../../funding/rate-form.ts';
import type { FundingSide } from '../../funding/funding-side.ts';
import { isBaseline } from '../../funding/funding-series.ts';
import { namePayer } from '../../funding/payer.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { withOverdue } from '../with-overdue.ts';
import type { Fact } from '../../format/fact.ts';
import { withReason } from '../cell-tooltip.ts';
import type { RankBy } from './compare-params.ts';
import type { CompareRow } from './compare-row.ts';
import { describeRanking, isOverWindow, type RankedRow } from './ranks.ts';
import { createPredictedColumns, type PredictedParts } from './predicted-columns.ts';
import { TINT_MEANING, toRateTone } from './rate-tone.ts';
import { type CompareColumn, figureCells, type FigureCells, quietTone, toProvenanceTooltip } from './figure-column.ts';
import { createRealisedColumns, createStatisticsColumns } from './window-columns.ts';
import type { NamedWindow } from './windows.ts';
import { FORM_HEADERS } from './form-headers.ts';
import { explainYearPercentile, formatYearPercentile } from './year-percentile.ts';

type Drawn = Pick<CompareColumn, 'draw' | 'watch'>;

export interface ColumnParts extends PredictedParts {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly rankBy: RankBy;
  /** Whether a perpetual is charted. */
  readonly isPicked: (symbol: string) => boolean;
  /** What cells are beyond text, on a page. */
  readonly drawn?: { readonly pick: Drawn; readonly symbol: Drawn };
  readonly source: Source;
}

/** The comparison's columns: settled, then predicted, then realised rates. The three are never mixed. What ranks the rows is shown. */
export function createCompareColumns(parts: ColumnParts): readonly CompareColumn[] {
  return [
    ...createNameColumns(parts),
    ...createSettledColumns(parts),
    createYearColumn(parts),
    ...createPredictedColumns(parts),
    ...createRealisedColumns(parts),
    ...createStatisticsColumns(parts),
    ...openInterestColumns,
  ];
}

/** Columns that per 8 h would repeat the ones before them. */
export const CONVERTED: readonly string[] = ['form', 'estimate-form'];

/** Figures of the latest settled rate, marked where it is overdue or other perpetuals have settled since. */
function lastSettled(
  name: string,
  read: (row: CompareRow) => Quantity | null,
  format: (value: Quantity) => string,
  tint: (last: CompareRow['last']) => string | undefined = toLastTone,
): FigureCells & Pick<CompareColumn, 'tone'> {
  const cells = figureCells(name, read, format);
  return {
    ...cells,
    tone: ({ behindBecause, overdueRate, last }) =>
      behindBecause === null && overdueRate === null ? tint(last) : 'old',
    explain: (row) => {
      const tooltip = withReason(
        toProvenanceTooltip(`${row.symbol} ${name}`, read(row), cells.text(row)),
        'Stale',
        row.behindBecause,
      );
      return withOverdue(tooltip, 'settled rate', row.overdueRate);
    },
  };
}

function toLastTone(last: CompareRow['last']): string | undefined {
  return toRateTone(last === null || isBaseline(last) ? null : toNumber(last.funding_rate));
}

function createNameColumns(parts: ColumnParts): readonly CompareColumn[] {
  return [
    {
      id: 'pick',
      title: 'Chart',
      titleHidden: true,
      unsorted: true,
      kind: 'text',
      width: 32,
      pinned: 'start',
      text: ({ symbol }) => (parts.isPicked(symbol) ? '☑' : '☐'),
      value: () => null,
      ...parts.drawn?.pick,
    },
    {
      id: 'symbol',
      title: 'Perpetual',
      kind: 'text',
      width: 84,
      pinned: 'start',
      text: ({ symbol }) => symbol,
      value: ({ symbol }) => symbol,
      ...parts.drawn?.symbol,
    },
    createRankColumn(parts),
  ];
}

/** Its header names the window that it rests on. */
function createRankColumn({ rankBy, chosen }: ColumnParts): CompareColumn {
  const basis = describeRanking(rankBy, chosen);
  return {
    ...{ id: 'rank', title: 'Rank', kind: 'number', width: 60, tone: quietTone },
    ...(isOverWindow(rankBy) && { unit: chosen.label }),
    tooltip: `By ${basis}. =: tied; ties are listed by premium.`,
    text: toRankText,
    value: ({ rank }) => rank,
    explain: (row) => ({ title: `${row.symbol} rank: ${toRankText(row)}`, facts: toRankFacts(row, basis) }),
  };
}

function toRankText({ rank, tiedWith }: RankedRow): string {
  if (rank === null) return NO_VALUE;
  return `${tiedWith > 0 ? '=' : ''}${String(rank)}`;
}

function toRankFacts({ rank, tiedWith, behindBecause }: RankedRow, basis: string): readonly Fact[] {
  const facts = [{ name: 'Ranked by', value: basis }];
  if (rank === null) return [...facts, { name: 'Not ranked', value: behindBecause ?? 'No value in this window.' }];
  return tiedWith === 0
    ? facts
    : [...facts, { name: 'Tied with', value: `${countOf(tiedWith, 'other perpetual')}; listed by premium` }];
}

const RATE = { unit: '% per 8 h', width: 112 };

function createSettledColumns({ form, rankBy }: ColumnParts): readonly CompareColumn[] {
  const { unit, digits } = RATE_FORM_LABELS[form];
  return [
    {
      id: 'settled',
      title: 'Last settled rate',
      ...RATE,
      tooltip: TINT_MEANING,
      ...lastSettled(
        'settled rate',
        ({ settled }) => settled,
        ({ value }) => formatRate(value),
      ),
    },
    {
      id: 'pays',
      title: 'Who pays',
      unsorted: true,
      kind: 'text',
      width: 92,
      text: toPayer,
      value: toPayer,
      tone: ({ last }) => toLastTone(last) ?? 'quiet',
    },
    {
      id: 'form',
      title: FORM_HEADERS[form].one,
      unit: FORM_HEADERS[form].unit,
      width: 94,
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

function createYearColumn({ source, side }: Pick<ColumnParts, 'source' | 'side'>): CompareColumn {
  return {
    ...{ id: 'percentile', title: 'Percentile', unit: '%, 1 year', kind: 'number', width: 96 },
    tooltip:
      'Share of the last year’s settled rates that are below the latest, by the sign convention chosen; equal rates count half.',
    text: ({ row }) => formatYearPercentile(row.year_rank, side),
    value: ({ row }) => toYearPercentile(row.year_rank, side)?.toNumber() ?? null,
    tone: ({ behindBecause, overdueRate }) => (behindBecause === null && overdueRate === null ? undefined : 'old'),
    explain: ({ symbol, row }) => ({
      title: `${symbol} percentile in 1 year: ${formatYearPercentile(row.year_rank, side)}`,
      facts: explainYearPercentile(row.year_rank, side, source),
    }),
  };
}

function toPayer({ last }: CompareRow): string {
  return last === null ? NO_VALUE : namePayer(toDecimal(wireText(last, 'funding_rate')));
}

function toOpenInterestDay({ openInterestDate: day }: CompareRow): string {
  return day === null ? NO_VALUE : formatDay(day).slice(0, -5);
}

const interest = figureCells(
  'open interest',
  ({ openInterest }) => openInterest,
  (quantity) => formatQuantity(quantity),
);

const openInterestColumns: readonly CompareColumn[] = [
  {
    ...{
      id: 'oi',
      title: 'OI',
      unit: 'contracts',
      width: 92,
      tooltip: 'Contract sizes differ: do not compare contracts between perpetuals.',
      ...interest,
    },
    tone: ({ overdueInterest }) => (overdueInterest === null ? undefined : 'old'),
    explain: (row) => withOverdue(interest.explain?.(row) ?? null, 'open interest', row.overdueInterest),
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
