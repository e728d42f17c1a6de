import { type ChartData, type Ink, type Readout, SERIES_INKS, tagNewest } from '../../charts/chart-data.ts';
import { formatDay, formatInAllZones } from '../../format/format-time.ts';
import { countOf } from '../../format/count.ts';
import { formatNumber, formatQuantity, NO_VALUE } from '../../format/number.ts';
import { describeProvenance, type ProvenanceLine } from '../../format/provenance.ts';
import { toDecimal } from '../../units/decimal.ts';
import type { BasisHistory, HistoryLine } from './basis-history.ts';
import { type CurveRow, whyMissing } from '../curve-rows.ts';
import type { HistoryFigure } from './history-params.ts';

const UNITS: Readonly<Record<HistoryFigure, string>> = { aYear: '% a year', usd: 'USD', fraction: '%' };

interface ChartOptions {
  readonly figure: HistoryFigure;
  /** Names of lines that are not drawn. */
  readonly hidden: readonly string[];
}

/** Draws a line for each month and constant maturity. A session without a figure is a gap. */
export function toHistoryChartData(history: BasisHistory, { figure, hidden }: ChartOptions): ChartData {
  const { sessions, lines, digits } = history;
  const factor = figure === 'usd' ? 1 : 100;
  const looks = lookOfLines(lines);
  const decimals = figure === 'usd' ? digits : 2;
  const format = (value: number): string => formatNumber(toDecimal(String(value)), { digits: decimals });
  const toDrawn = (line: HistoryLine): readonly (number | null)[] =>
    line.drawn[figure].map((value) => (value === null ? null : value * factor));
  return {
    times: sessions,
    timeName: 'Session',
    timeText: (index) => formatDay(sessions[index] ?? history.until),
    panes: [
      {
        name: 'Basis',
        unit: UNITS[figure],
        share: 1,
        format: figure === 'usd' ? format : (value) => `${format(value)} %`,
        levels: [{ name: '', value: 0, ink: 'faint' }],
        // The newest values of all months would cover the axis.
        tags: lines.flatMap((line, at) =>
          line.kind === 'constant' && !hidden.includes(line.name)
            ? tagNewest(line.name, looks[at]?.ink ?? 'muted', toDrawn(line))
            : [],
        ),
        // Constant maturities are drawn over the months.
        series: lines
          .map((line, at) => ({
            kind: 'line' as const,
            ...(looks[at] ?? PLAIN),
            hidden: hidden.includes(line.name),
            values: toDrawn(line),
          }))
          .toReversed(),
      },
    ],
    readouts: lines.map((line, at): Readout => ({
      name: line.name,
      unit: UNITS[figure],
      ...(looks[at] ?? PLAIN),
      text: (index) => formatHistoryFigure(history, line, index, figure),
      explain: (index) => explainHistoryFigure(history, line, index, figure),
    })),
  };
}

interface Look {
  readonly ink: Ink;
  readonly stroke: 'solid' | 'dashed' | 'dotted';
}

const PLAIN: Look = { ink: 'muted', stroke: 'solid' };
const STROKES = ['solid', 'dotted'] as const;
const CONSTANT_INKS = ['accent', 'muted', 'faint'] as const;

/** The newest months are solid, as far as there are colours, and then dotted. Only constant maturities are dashed. */
function lookOfLines(lines: readonly HistoryLine[]): readonly Look[] {
  const constants = lines.filter(({ kind }) => kind === 'constant').length;
  return lines.map(({ kind }, at): Look => {
    if (kind === 'constant') return { ink: CONSTANT_INKS[at] ?? 'faint', stroke: 'dashed' };
    const place = at - constants;
    const stroke = STROKES[Math.floor(place / SERIES_INKS.length) % STROKES.length] ?? 'solid';
    return { ink: SERIES_INKS[place % SERIES_INKS.length] ?? 'muted', stroke };
  });
}

function findRow({ curveAt }: BasisHistory, { key }: HistoryLine, index: number): CurveRow | undefined {
  return curveAt(index).rows.find((row) => row.key === key);
}

/** Formats the exact figure without its unit. `n/a`: there should be one. */
function formatHistoryFigure(history: BasisHistory, line: HistoryLine, index: number, figure: HistoryFigure): string {
  const cell = line.cells[index] ?? 'not listed';
  if (cell === 'not listed' || (cell === 'too near' && figure === 'aYear')) return NO_VALUE;
  const quantity = findRow(history, line, index)?.[figure] ?? null;
  if (quantity === null || quantity.value === null) return 'n/a';
  return formatQuantity(quantity, figure === 'usd' ? { digits: history.digits, signed: true } : {});
}

/** Says where a figure comes from, or why there is none. */
export function explainHistoryFigure(
  history: BasisHistory,
  line: HistoryLine,
  index: number,
  figure: HistoryFigure,
): readonly ProvenanceLine[] {
  const row = findRow(history, line, index);
  const quantity = row?.[figure] ?? null;
  if (quantity !== null && quantity.value !== null) return describeProvenance(quantity, formatInAllZones);
  return [{ name: 'No value', value: whyWithout(history, line, index, figure) }];
}

function whyWithout(history: BasisHistory, line: HistoryLine, index: number, figure: HistoryFigure): string {
  const row = findRow(history, line, index);
  const session = formatDay(history.sessions[index] ?? history.until);
  return (row && whyMissing(row, figure)) ?? `${line.key} was not listed on ${session}, or expired then.`;
}

/** `Z26, 14 Aug 2026: +4.60 % a year`, or why there is none. */
export function describeHistoryFigure(
  history: BasisHistory,
  line: HistoryLine,
  index: number,
  figure: HistoryFigure,
): string {
  const text = formatHistoryFigure(history, line, index, figure);
  const isFigure = text !== NO_VALUE && text !== 'n/a';
  const said = isFigure ? `${text} ${UNITS[figure]}` : whyWithout(history, line, index, figure);
  return `${line.name}, ${formatDay(history.sessions[index] ?? history.until)}: ${said}`;
}

/** Says what is shown and, of each line with a newest figure, that figure; of the first, its range. */
export function summariseHistory(history: BasisHistory, figure: HistoryFigure): string {
  const { sessions, lines, baseSymbol, perpetual } = history;
  const [first, last] = [sessions[0], sessions.at(-1)];
  if (first === undefined || last === undefined) return 'No sessions.';
  const months = countOf(lines.filter(({ kind }) => kind === 'month').length, 'month');
  const newest = lines.flatMap((line) => {
    const text = formatHistoryFigure(history, line, sessions.length - 1, figure);
    return text === NO_VALUE ? [] : [`${line.name} ${text}`];
  });
  return (
    `${months} of ${baseSymbol} against ${perpetual}, ${countOf(sessions.length, 'session')} from ${formatDay(first)} to ` +
    `${formatDay(last)}, in ${UNITS[figure]}. Newest: ${newest.length === 0 ? 'none' : newest.join('; ')}.`
  );
}

/** `30 days: +5.10 % a year on 14 Aug 2026, from −1.20 % (3 Mar 2026) to +9.80 % (1 Jun 2026)`; null without figures. */
export function describeRange(history: BasisHistory, figure: HistoryFigure): string | null {
  const [line] = history.lines;
  const values = line?.drawn[figure] ?? [];
  const [low, high] = [findEnd(values, -1), findEnd(values, 1)];
  const newest = values.findLastIndex((value) => value !== null);
  if (line === undefined || low === null || high === null) return null;
  const say = (index: number): string => {
    const text = formatHistoryFigure(history, line, index, figure);
    return `${text} ${UNITS[figure]} on ${formatDay(history.sessions[index] ?? history.until)}`;
  };
  return `${line.name}: ${say(newest)}; lowest ${say(low)}, highest ${say(high)}`;
}

function findEnd(values: readonly (number | null)[], sign: 1 | -1): number | null {
  let found: number | null = null;
  values.forEach((value, index) => {
    if (value !== null && (found === null || (value - (values[found] ?? 0)) * sign > 0)) found = index;
  });
  return found;
}
