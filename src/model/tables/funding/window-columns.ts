import { countOf, formatCount } from '../../format/count.ts';
import { formatBasisPoints, formatPercent, NO_VALUE } from '../../format/number.ts';
import { findFaultsIn } from '../../funding/funding-window.ts';
import { RATE_FORM_LABELS, type RateForm } from '../../funding/rate-form.ts';
import type { Fact } from '../../format/fact.ts';
import type { CellTooltip } from '../cell-tooltip.ts';
import { FORM_HEADERS } from './form-headers.ts';
import type { RankBy } from './compare-params.ts';
import type { NamedWindow } from './windows.ts';
import type { CompareRow, WindowFigures } from './compare-row.ts';
import { figureCells, quietTone, toProvenanceTooltip, type CompareColumn, type FigureCells } from './figure-column.ts';
import type { RankedRow } from './ranks.ts';
import { TINT_MEANING, toWindowTone } from './rate-tone.ts';

interface WindowParts {
  readonly form: RateForm;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly rankBy: RankBy;
}

/** What was realised over each window: the mean of its settled rates in the chosen rate basis, and their sum. */
export function createRealisedColumns({ form, windows, chosen }: WindowParts): readonly CompareColumn[] {
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

/** Statistics of the chosen window alone. */
export function createStatisticsColumns({
  chosen: { label },
  rankBy,
}: Pick<WindowParts, 'chosen' | 'rankBy'>): readonly CompareColumn[] {
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
      title: 'Std dev of the rate',
      unit: 'bp per 8 h',
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

/** Sums over a part of a window do not compare with sums over the whole. */
function isPartial(figures: WindowFigures | null): boolean {
  return figures !== null && figures.measures.prints > 0 && figures.measures.prints < countIntervalsOf(figures);
}

/** Intervals before the listing included. */
function countIntervalsOf({ measures: { intervals, notListed } }: WindowFigures): number {
  return intervals + notListed;
}

function withCoverage(tooltip: CellTooltip | null, figures: WindowFigures | null): CellTooltip | null {
  if (tooltip === null || figures === null || !isPartial(figures)) return tooltip;
  const value = `${countOf(figures.measures.prints, 'settled rate')} in the ${formatCount(countIntervalsOf(figures))} intervals of the window`;
  return { ...tooltip, facts: [{ name: 'Coverage', value }, ...toCoverageFacts(figures), ...tooltip.facts] };
}

/** Intervals without a settled rate that are no gaps. */
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
  return `${String(row.chosen.measures.missing)}${faults > 0 ? ` · ${countOf(faults, 'fault')}` : ''}`;
}

function explainGaps(row: RankedRow): CellTooltip | null {
  const faults = countFaults(row);
  const facts = [
    {
      name: 'Faults',
      value: `${countOf(faults, 'fault')}: duplicate or overlapping settled rates, or intervals that are not 8 h long or not aligned with funding times`,
    },
  ];
  return faults === 0 ? null : { title: `${row.symbol} gaps: ${toGaps(row)}`, facts };
}
