import { formatCount } from '#model/format/count.ts';
import { HEATMAP_STEPS_BP, toHeatmapCells } from '#model/funding/heatmap-cells.ts';
import { type FundingSide, INTERVAL_MS, SIDE_LABELS } from '#model/funding/funding-rate.ts';
import { type PerpetualSeries, withOldestRead } from '#model/funding/funding-series.ts';
import { summariseHeatmap, toHeatCell, toHeatmapCsv } from '#model/tables/funding/heatmap.ts';
import { HeatmapLegend } from '#page/kit/heatmap/heatmap-legend.tsx';
import { paintHeatmapPicture } from '#page/kit/heatmap/paint-heatmap.ts';
import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { toDay } from '#model/time/session.ts';
import { listFundingTimes } from '#model/funding/funding-window.ts';
import { describeOrigin, findEnds, savePicture, toFileName } from '#page/kit/chart/save-picture.ts';
import { BackToChart, toTableItem } from '#page/kit/chart/chart-switches.tsx';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { nameSide } from '#model/tables/funding/rate-text.ts';
import { createMarks, FundingHeatmap } from './funding-heatmap.tsx';
import { HeatmapTable } from './heatmap-table.tsx';
import styles from '../funding.module.css';

interface HeatmapPanelProps {
  readonly perpetuals: readonly PerpetualSeries[];
  /** How many intervals have been read: those chosen last, while others are being read. */
  readonly count: `${keyof typeof HEATMAP_LABELS}`;
  /** The newest funding time that has settled or should have. */
  readonly endsAt: number;
  readonly side: FundingSide;
  readonly response: ApiResponse<unknown>;
}

/** Labels of the ranges, by number of intervals. */
export const HEATMAP_LABELS = { 90: '30 d', 270: '90 d', 540: '180 d' } as const;

const COUNTS = [
  ['90', '30d'],
  ['270', '90d'],
  ['540', '180d'],
] as const;

const LABEL = 'Funding heatmap';

export function HeatmapPanel({ perpetuals, count, endsAt, side, response }: HeatmapPanelProps) {
  const [zone] = useZone();
  const [chosen, choose] = useUrlState(COMPARE_PARAMS.heat);
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
          <Segmented label="Heatmap range" choices={COUNTS} value={chosen} onChange={choose} />
        </span>
        {view === 'chart' ? (
          <FundingLegend side={side} />
        ) : (
          <span className={styles['quiet']}>{SIDE_LABELS[side]}</span>
        )}
        <span className={styles['buttons']}>
          <BackToChart name="Heatmap" view={view} onView={setView} />
          <ExportMenu
            of="heatmap"
            fileName={fileName}
            write={(form) => toHeatmapCsv({ perpetuals, rows, fundingTimes, side, source: response }, form)}
            more={[
              {
                label: 'PNG',
                remark: 'picture',
                run: () => {
                  const picture = paintHeatmapPicture(document.body, {
                    names: perpetuals.map(({ symbol }) => symbol),
                    rows: rows.map((row) => row.map((cell) => toHeatCell(cell, side))),
                    marksOf: createMarks(fundingTimes, zone),
                    columns: fundingTimes.length,
                  });
                  const title =
                    `Funding heatmap, ${formatCount(perpetuals.length)} perpetuals, ` +
                    `${formatCount(fundingTimes.length)} intervals to ${formatInstant(endsAt, zone)}`;
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
                },
              },
              ...toTableItem({ view, onView: setView }),
            ]}
          />
        </span>
      </div>
      {view === 'table' ? (
        <HeatmapTable label={LABEL} {...{ perpetuals, rows, fundingTimes, side }} source={response} />
      ) : (
        <FundingHeatmap label={LABEL} {...{ summary, perpetuals, rows, fundingTimes, side }} source={response} />
      )}
    </>
  );
}

const WORDS: Readonly<Record<FundingSide, readonly [blue: string, orange: string]>> = {
  market: ['shorts pay', 'longs pay'],
  long: ['received', 'paid'],
  short: ['paid', 'received'],
};

function FundingLegend({ side }: { readonly side: FundingSide }) {
  const [low, high] = WORDS[side];
  return (
    <HeatmapLegend
      {...{ low, high }}
      steps={`steps ±${HEATMAP_STEPS_BP.join(' · ')} bp per 8 h; grey: less, or the interest rate`}
      beyond="beyond ±10 bp"
      dotted="not listed, not read or not settled"
    />
  );
}
