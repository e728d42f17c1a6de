import { formatCount } from '#model/format/count.ts';
import { HEATMAP_STEPS_BP, toHeatmapCells } from '#model/funding/heatmap-cells.ts';
import { type FundingSide, INTERVAL_MS, SIDE_LABELS } from '#model/funding/funding-rate.ts';
import legend from './heatmap-legend.module.css';
import { type PerpetualSeries, withOldestRead } from '#model/funding/funding-series.ts';
import { keepReadable, listHeatmapDays, summariseHeatmap, toHeatmapCsv } from '#model/tables/funding/heatmap.ts';
import { CELL, HEAD, paintHeatmap, readHeatmapColours, toCellWidth } from './paint-heatmap.ts';
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
import { formatDayIn, formatInstant } from '#model/format/format-time.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { nameSide } from '#model/tables/funding/rate-text.ts';
import { HeatmapTable } from './heatmap-table.tsx';
import { Heatmap } from './heatmap.tsx';
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
          <HeatmapLegend side={side} />
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
                  const chartData = paintHeatmapPicture(document.body, {
                    perpetuals,
                    fundingTimes,
                    side,
                    dayOf: (at) => formatDayIn(at, zone),
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
                    chartData,
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
        <Heatmap label={LABEL} {...{ summary, perpetuals, rows, fundingTimes, side }} source={response} />
      )}
    </>
  );
}

const WORDS: Readonly<Record<FundingSide, readonly [blue: string, orange: string]>> = {
  market: ['shorts pay', 'longs pay'],
  long: ['received', 'paid'],
  short: ['paid', 'received'],
};

/** The legend. Its steps are fixed, so that heatmaps can be compared. */
function HeatmapLegend({ side }: { readonly side: FundingSide }) {
  const [blue, orange] = WORDS[side];
  const most = HEATMAP_STEPS_BP.length;
  const strengths = Array.from({ length: 2 * most + 1 }, (_, index) => index - most);
  return (
    <p className={legend['legend']}>
      <span>{blue}</span>
      <span className={legend['scale']} aria-hidden="true">
        {strengths.map((strength) => (
          <i key={strength} data-strength={strength} />
        ))}
      </span>
      <span>{orange}</span>
      <span>steps ±{HEATMAP_STEPS_BP.join(' · ')} bp per 8 h; grey: less, or the interest rate</span>
      <span>
        <i className={legend['clipped']} aria-hidden="true" /> beyond ±10 bp
      </span>
      <span>
        <i className={legend['hatched']} aria-hidden="true" /> missing
      </span>
      <span>
        <i className={legend['dotted']} aria-hidden="true" /> not listed, not read or not settled
      </span>
    </p>
  );
}

const NAMES = 72;
/** The width for cells in a PNG, in CSS pixels. A wider picture would not fit a message or a slide. */
const ROOM = 1_800;

interface HeatmapPictureInputs {
  readonly perpetuals: readonly PerpetualSeries[];
  readonly fundingTimes: readonly number[];
  readonly side: FundingSide;
  /** Formats the day, such as `2026-11-20`, in the user's time zone. */
  readonly dayOf: (epochMs: number) => string;
}

/** Paints the whole heatmap on one canvas, for a PNG file. */
function paintHeatmapPicture(
  host: HTMLElement,
  { perpetuals, fundingTimes, side, dayOf }: HeatmapPictureInputs,
): HTMLCanvasElement {
  const paints = readHeatmapColours(host);
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const columns = fundingTimes.length;
  const width = toCellWidth(ROOM, columns);
  canvas.width = Math.round((NAMES + columns * width) * ratio);
  canvas.height = (HEAD + perpetuals.length * CELL) * ratio;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.scale(ratio, ratio);
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = paints.ink;
  context.font = paints.font;
  for (const [row, { symbol }] of perpetuals.entries()) context.fillText(symbol, 8, HEAD + row * CELL + 13);
  context.translate(NAMES, 0);
  const rows = perpetuals.map(({ series }) => toHeatmapCells(series, fundingTimes));
  paintHeatmap(context, { rows, columns, side, width }, paints, ratio);
  context.fillStyle = paints.faint;
  context.font = paints.font;
  for (const { column, name } of keepReadable(listHeatmapDays(fundingTimes, dayOf), { columns, width }))
    context.fillText(name, column * width + 1, HEAD - 5);
  return canvas;
}
