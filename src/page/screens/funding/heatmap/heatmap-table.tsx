import { useMemo } from 'react';
import { findFaultsAt, type HeatmapCell } from '#model/funding/heatmap-cells.ts';
import { type FundingSide, toSide } from '#model/funding/funding-rate.ts';
import type { Source } from '#model/response.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import type { PerpetualSeries } from '#model/funding/funding-series.ts';
import { explainCell, formatCell } from '#model/tables/funding/heatmap.ts';
import { type FigureColumn, FigureGrid } from '#page/panels/figure-grid.tsx';

export interface HeatmapTableProps {
  readonly label: string;
  readonly perpetuals: readonly PerpetualSeries[];
  /** One row of cells per perpetual. */
  readonly rows: readonly (readonly HeatmapCell[])[];
  /** Oldest first. */
  readonly fundingTimes: readonly number[];
  readonly side: FundingSide;
  readonly source: Source;
}

/** An interval, by its funding time and its index. */
interface Row {
  readonly end: number;
  readonly index: number;
}

type Column = FigureColumn<Row>;

/** The heatmap as a table of figures: one interval per row, newest first. */
export function HeatmapTable({ label, perpetuals, rows: cells, fundingTimes, side, source }: HeatmapTableProps) {
  const [zone] = useZone();
  const rows = useMemo(() => fundingTimes.map((end, index): Row => ({ end, index })).toReversed(), [fundingTimes]);
  const columns = useMemo(() => {
    const times = createTimeColumn((end) => formatInstant(end, zone));
    return [
      times,
      ...perpetuals.map((perpetual, at) => createRateColumn(perpetual, { cells: cells[at] ?? [], side, source })),
    ];
  }, [perpetuals, cells, side, source, zone]);
  return <FigureGrid label={label} columns={columns} rows={rows} keyOf={keyOf} />;
}

function keyOf({ end }: Row): string {
  return String(end);
}

function createTimeColumn(timeText: (end: number) => string): Column {
  return {
    id: 'end',
    title: 'Funding time',
    kind: 'text',
    width: 172,
    pinned: 'start',
    text: ({ end }) => timeText(end),
    value: ({ end }) => end,
    explain: ({ end }) => [{ name: 'Funding time', value: formatInAllZones(end) }],
  };
}

interface RateInputs {
  readonly cells: readonly HeatmapCell[];
  readonly side: FundingSide;
  readonly source: Source;
}

const NOT_READ: HeatmapCell = { kind: 'not read' };

function createRateColumn(perpetual: PerpetualSeries, { cells, side, source }: RateInputs): Column {
  const { symbol, series } = perpetual;
  const cellAt = ({ index }: Row): HeatmapCell => cells[index] ?? NOT_READ;
  const isFaulty = series.faults.some(({ kind }) => kind !== 'gap' && kind !== 'unreadable');
  return {
    id: symbol,
    title: symbol,
    unit: '% per 8 h',
    kind: 'number',
    width: isFaulty ? 212 : 136,
    text: (row) => formatCell(perpetual, cellAt(row), row.end, side),
    value: (row) => {
      const cell = cellAt(row);
      return cell.kind === 'print' ? toSide(series.rate(cell.index), side).toNumber() : null;
    },
    tone: (row) => toTone(cellAt(row), isFaulty && findFaultsAt(series, row.end).length > 0),
    explain: (row) => explainCell(perpetual, cellAt(row), row.end, source),
  };
}

function toTone({ kind }: HeatmapCell, faulty: boolean): string | undefined {
  if (faulty || kind === 'gap') return 'attention';
  return kind === 'print' ? undefined : 'quiet';
}
