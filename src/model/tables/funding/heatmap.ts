import type { HeatCell, HeatmapMark } from '../../charts/heatmap.ts';
import {
  describeFunding,
  type FundingSide,
  INTERVAL_MS,
  isInverted,
  namePayer,
  toSide,
} from '../../funding/funding-rate.ts';
import { formatRate } from '../../format/number.ts';
import { nameFault } from '../../funding/funding-faults.ts';
import { findFaultsAt, type HeatmapCell, type HeatmapGap, type PrintFault } from '../../funding/heatmap-cells.ts';
import { asRate, toQuantity } from '../../units/quantity.ts';
import { describeProvenance, type ProvenanceLine } from '../../format/provenance.ts';
import type { Source } from '../../response.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { type PerpetualSeries, withReadTime } from '../../funding/funding-series.ts';
import { countOf, formatCount } from '../../format/count.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { type Cell, type CsvForm, SOURCE_HEADING, toCsvInForm, toFileTime, toSourceCells } from '../../format/csv.ts';
import { SIGNS } from './rate-text.ts';

/**
 * Lists the days that begin within the heatmap. A day above the last column is left out, because its name would not
 * fit.
 */
export function listHeatmapDays(
  fundingTimes: readonly number[],
  dayOf: (epochMs: number) => string,
): readonly HeatmapMark[] {
  return fundingTimes.slice(0, -1).flatMap((end, column) => {
    const day = dayOf(end);
    return day === dayOf(end - INTERVAL_MS) ? [] : [{ column, name: day.slice('2026-'.length) }];
  });
}

/** Returns a cell as painted. The sign is that of the chosen side. */
export function toHeatCell(cell: HeatmapCell, side: FundingSide): HeatCell {
  if (cell.kind !== 'print') return { kind: cell.kind === 'gap' || cell.kind === 'fault' ? 'hatched' : 'dotted' };
  const { strength, clipped } = cell;
  return { kind: 'filled', strength, clipped, isNegative: isInverted(side) ? strength > 0 : strength < 0 };
}

const GAP_WORDS: Readonly<Record<HeatmapGap, string>> = {
  'gap': 'missing: the exchange reports no settled rate',
  'fault': 'no valid settled rate',
  'not listed': 'not listed yet',
  'not read': 'not read yet',
  'not settled': 'not settled yet',
};

function nameFaults({ series }: PerpetualSeries, end: number): string {
  return [...new Set(findFaultsAt(series, end).map(nameFault))].join(', ');
}

/** Explains in a word or two why there is no rate. */
function formatGap(perpetual: PerpetualSeries, kind: HeatmapGap, end: number): string {
  if (kind === 'fault') return nameFaults(perpetual, end);
  return kind === 'gap' ? 'missing' : kind;
}

/** Describes a cell for screen readers and for the line above the heatmap. */
export function describeCell(perpetual: PerpetualSeries, cell: HeatmapCell, end: number, side: FundingSide): string {
  const faults = nameFaults(perpetual, end);
  const faulty = faults === '' ? '' : ` (${faults})`;
  if (cell.kind !== 'print') return `${GAP_WORDS[cell.kind]}${faulty}`;
  const rate = perpetual.series.rate(cell.index);
  const clipped = cell.clipped ? ', beyond ±10 bp' : '';
  return `${formatRate(toSide(rate, side))} % per 8 h, ${describeFunding(rate)}${clipped}${faulty}`;
}

/** Formats a table cell as briefly as possible. The rate comes last, so that decimal points align. */
export function formatCell(perpetual: PerpetualSeries, cell: HeatmapCell, end: number, side: FundingSide): string {
  if (cell.kind !== 'print') return formatGap(perpetual, cell.kind, end);
  const faults = nameFaults(perpetual, end);
  const rate = perpetual.series.rate(cell.index);
  return `${faults === '' ? '' : `${faults}: `}${namePayer(rate)} ${formatRate(toSide(rate, side))}`;
}

/** Explains where a rate comes from or why there is none. Faulty settled rates are shown as received. */
export function explainCell(
  perpetual: PerpetualSeries,
  cell: HeatmapCell,
  end: number,
  source: Source,
): readonly ProvenanceLine[] {
  const faults = [
    { name: 'Funding time', value: formatInAllZones(end) },
    ...findFaultsAt(perpetual.series, end).flatMap(explainFault),
  ];
  const row = cell.kind === 'print' ? perpetual.series.prints[cell.index]?.row : undefined;
  if (row === undefined)
    return [
      { name: 'No rate', value: describeCell(perpetual, cell, end, 'market') },
      ...faults,
      { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    ];
  const rate = toQuantity(
    { source: withReadTime(source, perpetual.row.read_at), dataTime: row.interval_end, prefix: 'prints.' },
    row,
    'funding_rate',
    asRate,
  );
  return [...faults, ...describeProvenance(rate, formatInAllZones)];
}

function explainFault(fault: PrintFault): readonly ProvenanceLine[] {
  return fault.prints.map((print) => ({
    name: `Fault: ${nameFault(fault)}`,
    value: `${print.interval_start} to ${print.interval_end}: ${wireText(print, 'funding_rate')}`,
    code: true,
  }));
}

interface SummaryInputs {
  readonly perpetuals: readonly PerpetualSeries[];
  /** A row for each perpetual, a cell for each funding time. */
  readonly rows: readonly (readonly HeatmapCell[])[];
  /** Oldest first. */
  readonly fundingTimes: readonly number[];
  readonly side: FundingSide;
  readonly timeText: (epochMillis: number) => string;
}

/** Describes the heatmap in sentences for screen readers. */
export function summariseHeatmap(inputs: SummaryInputs): string {
  const { perpetuals, rows, fundingTimes, timeText } = inputs;
  const [from, to] = [fundingTimes[0], fundingTimes.at(-1)];
  if (from === undefined || to === undefined) return 'No intervals.';
  const size =
    `${countOf(perpetuals.length, 'perpetual')} over ` +
    `${countOf(fundingTimes.length, 'interval')}, funding times ${timeText(from)} to ` +
    `${timeText(to)}.`;
  const prints = listPrints(inputs);
  return [size, describePayers(prints), describeGaps(rows.flat()), describeEnds(prints, inputs)].join(' ');
}

interface Print {
  readonly perpetual: PerpetualSeries;
  readonly end: number;
  readonly index: number;
  /** A float for counting and ordering only. */
  readonly drawn: number;
}

function listPrints({ perpetuals, rows, fundingTimes }: SummaryInputs): readonly Print[] {
  return perpetuals.flatMap((perpetual, row) =>
    (rows[row] ?? []).flatMap((cell, column): readonly Print[] =>
      cell.kind === 'print'
        ? [
            {
              perpetual,
              index: cell.index,
              end: fundingTimes[column] ?? 0,
              drawn: perpetual.series.drawn[cell.index] ?? 0,
            },
          ]
        : [],
    ),
  );
}

function describePayers(prints: readonly Print[]): string {
  const count = (sign: number): string => formatCount(prints.filter(({ drawn }) => Math.sign(drawn) === sign).length);
  return (
    `Longs paid in ${count(1)} of ${countOf(prints.length, 'settled interval')}, shorts in ` +
    `${count(-1)}; the rate was zero in ${count(0)}.`
  );
}

function describeGaps(cells: readonly HeatmapCell[]): string {
  const count = (...kinds: readonly HeatmapCell['kind'][]): number =>
    cells.filter(({ kind }) => kinds.includes(kind)).length;
  const gaps = [
    ['missing', count('gap')],
    ['without a valid rate', count('fault')],
    ['not yet listed, not yet read or not yet settled', count('not listed', 'not read', 'not settled')],
  ] as const;
  const counts = gaps.filter(([, many]) => many > 0).map(([what, many]) => `${formatCount(many)} ${what}`);
  return counts.length === 0 ? 'No intervals missing.' : `Other intervals: ${counts.join(', ')}.`;
}

function describeEnds(prints: readonly Print[], { side, timeText }: SummaryInputs): string {
  const ordered = prints.toSorted((a, b) => (isInverted(side) ? b.drawn - a.drawn : a.drawn - b.drawn));
  const [lowest, highest] = [ordered[0], ordered.at(-1)];
  if (lowest === undefined || highest === undefined) return 'No settled rates.';
  const describe = ({ perpetual: { symbol, series }, index, end }: Print): string =>
    `${formatRate(toSide(series.rate(index), side))} % per 8 h, ${symbol} at ${timeText(end)}`;
  return `Highest ${describe(highest)}; lowest ${describe(lowest)}.`;
}

interface HeatmapCsvInputs {
  readonly perpetuals: readonly PerpetualSeries[];
  /** A row of cells for each perpetual. */
  readonly rows: readonly (readonly HeatmapCell[])[];
  readonly fundingTimes: readonly number[];
  readonly side: FundingSide;
  readonly source: Source;
}

/** Writes a row for each perpetual: its settled rates with the sign of the side or, in a word, why there is none. */
export function toHeatmapCsv(
  { perpetuals, rows, fundingTimes, side, source }: HeatmapCsvInputs,
  form: CsvForm = 'full',
): string {
  const times = fundingTimes.map((end) => toFileTime(new Date(end).toISOString()) as `${string}T${string}Z`);
  const heading: readonly CsvColumn[] = ['base_symbol', 'sign', ...times, ...SOURCE_HEADING];
  const lines = perpetuals.map((perpetual, row): readonly Cell[] => {
    const cells = rows[row] ?? [];
    const texts = cells.map((cell, at): Cell =>
      cell.kind === 'print'
        ? { digits: toSide(perpetual.series.rate(cell.index), side).toFixed() }
        : formatGap(perpetual, cell.kind, fundingTimes[at] ?? 0),
    );
    return [perpetual.symbol, SIGNS[side], ...texts, ...toSourceCells(withReadTime(source, perpetual.row.read_at))];
  });
  return toCsvInForm(form, { heading, provenance: SOURCE_HEADING }, lines);
}
