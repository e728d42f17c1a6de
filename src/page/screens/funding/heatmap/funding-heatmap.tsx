import { useMemo } from 'react';
import { type HeatmapMark, keepReadable } from '#model/charts/heatmap.ts';
import { formatDayIn, formatInstant, type Zone } from '#model/format/format-time.ts';
import { INTERVALS_PER_DAY } from '#model/funding/funding-rate.ts';
import { describeCell, explainCell, listHeatmapDays, toHeatCell } from '#model/tables/funding/heatmap.ts';
import { Heatmap } from '#page/kit/heatmap/heatmap.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import type { HeatmapTableProps } from './heatmap-table.tsx';

interface FundingHeatmapProps extends HeatmapTableProps {
  /** For screen readers. */
  readonly summary: string;
}

/** A heatmap of perpetuals by intervals. */
export function FundingHeatmap({ perpetuals, rows, fundingTimes, side, source, ...text }: FundingHeatmapProps) {
  const [zone] = useZone();
  const names = useMemo(() => perpetuals.map(({ symbol }) => symbol), [perpetuals]);
  const cells = useMemo(() => rows.map((row) => row.map((cell) => toHeatCell(cell, side))), [rows, side]);
  const marksOf = useMemo(() => createMarks(fundingTimes, zone), [fundingTimes, zone]);
  const read = ({ row, column }: { readonly row: number; readonly column: number }) => {
    const [perpetual, cell, end = 0] = [perpetuals[row], rows[row]?.[column], fundingTimes[column]];
    return perpetual === undefined || cell === undefined ? null : ([perpetual, cell, end] as const);
  };
  return (
    <Heatmap
      {...text}
      noun="rate"
      elsewhere="The Table button shows the same rates as a table."
      {...{ names, marksOf }}
      keys={fundingTimes}
      rows={cells}
      describe={(place) => {
        const found = read(place);
        if (found === null) return '';
        return `${found[0].symbol}, ${formatInstant(found[2], zone)}, ${describeCell(...found, side)}`;
      }}
      explain={(place) => {
        const found = read(place);
        return found === null ? [] : explainCell(...found, source);
      }}
    />
  );
}

/** Returns the days above the cells, by the width of a column. */
export function createMarks(fundingTimes: readonly number[], zone: Zone): (width: number) => readonly HeatmapMark[] {
  const days = listHeatmapDays(fundingTimes, (at) => formatDayIn(at, zone));
  return (width) => keepReadable(days, { columns: fundingTimes.length, width, every: INTERVALS_PER_DAY });
}
