import { useMemo } from 'react';
import type { Answer } from '#api/answer.ts';
import { toDay } from '#domain/calendar.ts';
import { toHeatCells } from '#domain/funding/heat-cells.ts';
import { listBoundaries } from '#domain/funding/funding-window.ts';
import { INTERVAL_MS } from '#domain/funding/interval-times.ts';
import { SIDE_WORDS, type FundingSide } from '#domain/funding/my-side.ts';
import { savePicture } from '#ui/chart/save-picture.ts';
import { ViewToggle } from '#ui/chart/view-toggle.tsx';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { formatDayIn, formatInstant } from '#ui/time/format-time.ts';
import type { Perpetual } from './compare-row.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import { toHeatCsv } from './heat-csv.ts';
import { HeatLegend } from './heat-legend.tsx';
import { paintWhole } from './heat-picture.ts';
import { HeatTable } from './heat-table.tsx';
import { Heatmap } from './heatmap.tsx';
import { summariseHeat } from './summarise-heat.ts';
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

const LABEL = 'Who paid, by interval';

/** Who paid whom, interval by interval. */
export function HeatPanel({ perpetuals, settledTo, side, answer }: HeatPanelProps) {
  const [zone] = useZone();
  const [count, setCount] = useUrlState(COMPARE_PARAMS.heat);
  const [view, setView] = useUrlState(COMPARE_PARAMS.heatView);
  const boundaries = useMemo(() => listBoundaries({ from: settledTo - Number(count) * INTERVAL_MS, to: settledTo }, settledTo), [settledTo, count]);
  const rows = useMemo(() => perpetuals.map(({ series }) => toHeatCells(series, boundaries)), [perpetuals, boundaries]);
  const summary = useMemo(
    () => summariseHeat({ perpetuals, rows, boundaries, side, timeText: (at) => formatInstant(at, zone) }),
    [perpetuals, rows, boundaries, side, zone],
  );
  const fileName = `funding-heatmap-${toDay(settledTo)}`;
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Intervals" choices={COUNTS} value={count} onChange={setCount} />
        {view === 'chart' ? <HeatLegend side={side} /> : <span className={styles['quiet']}>{SIDE_WORDS[side]}</span>}
        <span className={styles['buttons']}>
          <button
            type="button"
            onClick={() => {
              download(`${fileName}.csv`, toHeatCsv({ perpetuals, rows, boundaries, source: answer }));
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
          <ViewToggle picture="Heatmap" view={view} onView={setView} />
        </span>
      </div>
      {view === 'table' ? (
        <HeatTable label={LABEL} {...{ perpetuals, rows, boundaries, side }} source={answer} />
      ) : (
        <Heatmap label={LABEL} {...{ summary, perpetuals, rows, boundaries, side }} source={answer} />
      )}
    </>
  );
}
