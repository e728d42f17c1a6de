import { useMemo } from 'react';
import type { Answer } from '#api/answer.ts';
import { asRate } from '#domain/conversions.ts';
import { describeProvenance } from '#domain/format-provenance.ts';
import { toHeatCells } from '#domain/funding/heat-cells.ts';
import { listBoundaries } from '#domain/funding/funding-window.ts';
import { INTERVAL_MS } from '#domain/funding/interval-times.ts';
import { SIDE_WORDS, type FundingSide } from '#domain/funding/my-side.ts';
import { toQuantity } from '#domain/quantity.ts';
import type { Fact } from '#ui/fact-list.tsx';
import { savePicture } from '#ui/chart/save-picture.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { formatDayIn, formatInAllZones, formatInstant } from '#ui/time/format-time.ts';
import type { Perpetual } from './compare-row.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import { HeatLegend } from './heat-legend.tsx';
import { paintWhole } from './heat-picture.ts';
import { Heatmap } from './heatmap.tsx';
import styles from './funding.module.css';

interface HeatPanelProps {
  readonly perpetuals: readonly Perpetual[];
  /** The newest settled boundary. */
  readonly settledTo: number;
  readonly side: FundingSide;
  readonly answer: Answer<unknown>;
}

const COUNTS = [
  ['90', '30 d'],
  ['270', '90 d'],
  ['540', '180 d'],
] as const;

/** Who paid whom, interval by interval. */
export function HeatPanel({ perpetuals, settledTo, side, answer }: HeatPanelProps) {
  const [zone] = useZone();
  const [count, setCount] = useUrlState(COMPARE_PARAMS.heat);
  const boundaries = useMemo(() => listBoundaries({ from: settledTo - Number(count) * INTERVAL_MS, to: settledTo }, settledTo), [settledTo, count]);
  const explain = ({ series }: Perpetual, index: number): readonly Fact[] => {
    const row = series.prints[index]?.row;
    if (row === undefined) return [];
    return describeProvenance(toQuantity({ source: answer, dataTime: row.interval_end, prefix: 'prints.' }, row, 'funding_rate', asRate), formatInAllZones);
  };
  const fileName = `funding-heatmap-${new Date(settledTo).toISOString().slice(0, 10)}`;
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Intervals" choices={COUNTS} value={count} onChange={setCount} />
        <HeatLegend side={side} />
        <span className={styles['buttons']}>
          <button
            type="button"
            onClick={() => {
              download(`${fileName}.csv`, toHeatCsv(perpetuals, boundaries));
            }}
          >
            CSV
          </button>
          <button
            type="button"
            onClick={() => {
              const title = `Funding of ${String(perpetuals.length)} perpetuals, ${String(boundaries.length)} intervals up to ${formatInstant(settledTo, zone)}`;
              const dayOf = (at: number): string => formatDayIn(at, zone);
              savePicture(paintWhole(document.body, { perpetuals, boundaries, side, dayOf }), { title, summary: `${SIDE_WORDS[side]}. Steps of 1, 2.5, 5 and 10 bp; hatched is missing.` }, `${fileName}.png`);
            }}
          >
            PNG
          </button>
        </span>
      </div>
      <Heatmap {...{ perpetuals, boundaries, side, explain }} />
    </>
  );
}

/** A line for each perpetual: the rate as it was settled, or in a word why there is none. */
function toHeatCsv(perpetuals: readonly Perpetual[], boundaries: readonly number[]): string {
  const heading = ['base_symbol', 'sign', ...boundaries.map((end) => new Date(end).toISOString())];
  const rows = perpetuals.map(({ symbol, series }): readonly Cell[] => {
    const cells = toHeatCells(series, boundaries).map((cell): Cell => (cell.kind === 'print' ? { digits: series.rate(cell.index).toFixed() } : cell.kind));
    return [symbol, 'positive: longs pay shorts', ...cells];
  });
  return toCsv(heading, rows);
}
