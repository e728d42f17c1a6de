import { useMemo } from 'react';
import { findFaultsAt, type HeatCell } from '#domain/funding/heat-cells.ts';
import { toSide, type FundingSide } from '#domain/funding/my-side.ts';
import type { Source } from '#domain/source.ts';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInAllZones, formatInstant } from '#ui/time/format-time.ts';
import type { Perpetual } from './compare-row.ts';
import { explainHeat } from './explain-heat.ts';
import { FigureGrid, type FigureColumn } from './figure-grid.tsx';
import { writeHeat } from './heat-text.ts';

export interface HeatTableProps {
  readonly label: string;
  readonly perpetuals: readonly Perpetual[];
  /** A row of cells for each perpetual. */
  readonly rows: readonly (readonly HeatCell[])[];
  /** Ends of intervals, oldest first. */
  readonly boundaries: readonly number[];
  readonly side: FundingSide;
  readonly source: Source;
}

/** An interval: where it ends, and its place among them. */
interface Row {
  readonly end: number;
  readonly index: number;
}

type Column = FigureColumn<Row>;

/** The heatmap's rates as figures: an interval a row, newest first. */
export function HeatTable({ label, perpetuals, rows: cells, boundaries, side, source }: HeatTableProps) {
  const [zone] = useZone();
  const rows = useMemo(() => boundaries.map((end, index): Row => ({ end, index })).toReversed(), [boundaries]);
  const columns = useMemo(() => {
    const ends = createEndColumn((end) => formatInstant(end, zone));
    return [ends, ...perpetuals.map((perpetual, at) => createRateColumn(perpetual, { cells: cells[at] ?? [], side, source }))];
  }, [perpetuals, cells, side, source, zone]);
  return <FigureGrid label={label} columns={columns} rows={rows} keyOf={keyOf} />;
}

function keyOf({ end }: Row): string {
  return String(end);
}

function createEndColumn(timeText: (end: number) => string): Column {
  return {
    id: 'end',
    title: 'Interval end',
    kind: 'text',
    width: 172,
    pinned: 'start',
    text: ({ end }) => timeText(end),
    value: ({ end }) => end,
    explain: ({ end }) => [{ name: 'Clocks', value: formatInAllZones(end) }],
  };
}

interface RateParts {
  readonly cells: readonly HeatCell[];
  readonly side: FundingSide;
  readonly source: Source;
}

const NOT_READ: HeatCell = { kind: 'not read' };

function createRateColumn(perpetual: Perpetual, { cells, side, source }: RateParts): Column {
  const { symbol, series } = perpetual;
  const cellAt = ({ index }: Row): HeatCell => cells[index] ?? NOT_READ;
  const isFaulty = series.faults.some(({ kind }) => kind !== 'hole' && kind !== 'unreadable');
  return {
    id: symbol,
    title: symbol,
    unit: '% per 8 h',
    kind: 'number',
    width: isFaulty ? 212 : 136,
    text: (row) => writeHeat(perpetual, cellAt(row), row.end, side),
    value: (row) => {
      const cell = cellAt(row);
      return cell.kind === 'print' ? toSide(series.rate(cell.index), side).toNumber() : null;
    },
    tone: (row) => toTone(cellAt(row), isFaulty && findFaultsAt(series, row.end).length > 0),
    explain: (row) => explainHeat(perpetual, cellAt(row), row.end, source),
  };
}

function toTone({ kind }: HeatCell, faulty: boolean): string | undefined {
  if (faulty || kind === 'hole') return 'attention';
  return kind === 'print' ? undefined : 'quiet';
}
