import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { toDay } from '#model/time/calendar.ts';
import { toHeatmapCells } from '#model/funding/heatmap-cells.ts';
import { listFundingTimes } from '#model/funding/funding-window.ts';
import { INTERVAL_MS } from '#model/funding/interval-times.ts';
import { type FundingSide, SIDE_LABELS } from '#model/funding/funding-side.ts';
import { describeOrigin, findEnds, toFileName } from '#page/kit/chart/picture-origin.ts';
import { savePicture } from '#page/kit/chart/save-picture.ts';
import { ViewToggle } from '#page/kit/chart/view-toggle.tsx';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { CsvButtons } from '#page/kit/csv-button.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { formatDayIn, formatInstant } from '#model/format/format-time.ts';
import { withOldestRead, type PerpetualSeries } from '#model/tables/funding/perpetual-series.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { nameSide } from '#model/tables/funding/signs.ts';
import { toHeatmapCsv } from '#model/tables/funding/heatmap-csv.ts';
import { HeatmapLegend } from './heatmap-legend.tsx';
import { paintHeatmapPicture } from './heatmap-picture.ts';
import { HeatmapTable } from './heatmap-table.tsx';
import { Heatmap } from './heatmap.tsx';
import { summariseHeatmap } from '#model/tables/funding/summarise-heatmap.ts';
import styles from '../funding.module.css';

interface HeatmapPanelProps {
  readonly perpetuals: readonly PerpetualSeries[];
  /** The newest funding time that has settled or should have. */
  readonly endsAt: number;
  readonly side: FundingSide;
  readonly response: ApiResponse<unknown>;
}

/** Ranges by their number of intervals. */
export const HEATMAP_LABELS = { 90: '30 d', 270: '90 d', 540: '180 d' } as const;

const COUNTS = [
  ['90', '30d'],
  ['270', '90d'],
  ['540', '180d'],
] as const;

const LABEL = 'Funding heatmap';

export function HeatmapPanel({ perpetuals, endsAt, side, response }: HeatmapPanelProps) {
  const [zone] = useZone();
  const [count, setCount] = useUrlState(COMPARE_PARAMS.heat);
  const [view, setView] = useUrlState(COMPARE_PARAMS.heatView);
  const fundingTimes = useMemo(
    () => listFundingTimes({ from: endsAt - Number(count) * INTERVAL_MS, to: endsAt }, endsAt),
    [endsAt, count],
  );
  const rows = useMemo(
    () => perpetuals.map(({ series }) => toHeatmapCells(series, fundingTimes)),
    [perpetuals, fundingTimes],
  );
  const summary = useMemo(
    () => summariseHeatmap({ perpetuals, rows, fundingTimes, side, timeText: (at) => formatInstant(at, zone) }),
    [perpetuals, rows, fundingTimes, side, zone],
  );
  const origin = usePictureOrigin(withOldestRead(response, perpetuals));
  const fileName = `funding-heatmap-${nameSide(side)}${toDay(endsAt)}`;
  return (
    <>
      <div className={styles['tools']}>
        <span className={styles['named']}>
          <span className={styles['quiet']}>Heatmap range</span>
          <Segmented label="Heatmap range" choices={COUNTS} value={count} onChange={setCount} />
        </span>
        {view === 'chart' ? (
          <HeatmapLegend side={side} />
        ) : (
          <span className={styles['quiet']}>{SIDE_LABELS[side]}</span>
        )}
        <span className={styles['buttons']}>
          <CsvButtons
            fileName={fileName}
            write={(form) => toHeatmapCsv({ perpetuals, rows, fundingTimes, side, source: response }, form)}
          />
          <button
            type="button"
            onClick={() => {
              const picture = paintHeatmapPicture(document.body, {
                perpetuals,
                fundingTimes,
                side,
                dayOf: (at) => formatDayIn(at, zone),
              });
              const title = `Funding heatmap, ${String(perpetuals.length)} perpetuals, ${String(fundingTimes.length)} intervals to ${formatInstant(endsAt, zone)}`;
              const ends = findEnds(
                null,
                fundingTimes.map((at) => at / 1_000),
              );
              const summary = `${SIDE_LABELS[side]}. Steps of ±1, 2.5, 5 and 10 bp per 8 h; hatched = missing.`;
              savePicture(
                picture,
                { title, origin: describeOrigin(origin, ends), summary },
                `${toFileName(`funding-heatmap-${nameSide(side)}${count}`, origin, ends)}.png`,
              );
            }}
          >
            PNG
          </button>
          <ViewToggle picture="Heatmap" view={view} onView={setView} />
        </span>
      </div>
      {view === 'table' ? (
        <HeatmapTable label={LABEL} {...{ perpetuals, rows, fundingTimes, side }} source={response} />
      ) : (
        <Heatmap label={LABEL} {...{ summary, perpetuals, rows, fundingTimes, side }} source={response} />
      )}
    </>
  );
}
