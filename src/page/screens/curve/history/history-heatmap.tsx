import { useCallback, useMemo } from 'react';
import { keepReadable } from '#model/charts/heatmap.ts';
import type { BasisHistory } from '#model/curve/history/basis-history.ts';
import { describeHistoryFigure, explainHistoryFigure, summariseHistory } from '#model/curve/history/history-chart.ts';
import { toHistoryCsv } from '#model/curve/history/history-csv.ts';
import { BASIS_STEPS, listHistoryMarks, toHistoryHeat } from '#model/curve/history/history-heatmap.ts';
import type { Source } from '#model/response.ts';
import { describeOrigin, findEnds, savePicture, toFileName } from '#page/kit/chart/save-picture.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { Heatmap } from '#page/kit/heatmap/heatmap.tsx';
import { HeatmapLegend } from '#page/kit/heatmap/heatmap-legend.tsx';
import { paintHeatmapPicture } from '#page/kit/heatmap/paint-heatmap.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import styles from '../shared/curve.module.css';
import { HISTORY_RULE } from './history-lines.tsx';

/** The fewest sessions of a month without many holidays. */
const SESSIONS_OF_MONTH = 18;

interface HistoryHeatmapProps {
  readonly history: BasisHistory;
  /** The oldest of the responses. */
  readonly source: Source;
}

/** Months and constant maturities by sessions, coloured by basis a year. */
export function HistoryHeatmap({ history, source }: HistoryHeatmapProps) {
  const { lines, sessions, underlying, baseSymbol, from, until } = history;
  const names = useMemo(() => lines.map(({ name }) => name), [lines]);
  const rows = useMemo(() => lines.map(toHistoryHeat), [lines]);
  const summary = useMemo(() => summariseHistory(history, 'aYear'), [history]);
  const marksOf = useCallback(
    (width: number) =>
      keepReadable(listHistoryMarks(sessions), { columns: sessions.length, width, every: SESSIONS_OF_MONTH }),
    [sessions],
  );
  const origin = usePictureOrigin(source);
  const label = `${underlying} basis of ${baseSymbol}, % a year`;
  const save = (): void => {
    const ends = findEnds(null, sessions);
    savePicture(
      paintHeatmapPicture(document.body, { names, rows, marksOf, columns: sessions.length }),
      { title: label, origin: describeOrigin(origin, ends), summary: `Steps of ${STEPS}; hatched = missing.` },
      `${toFileName(`${underlying}-basis-heatmap-${baseSymbol}`, origin, ends)}.png`,
    );
  };
  return (
    <>
      <div className={styles['tools']}>
        <HeatmapLegend
          low="backwardation"
          high="contango"
          steps={`steps ${STEPS}; grey: less`}
          beyond={`beyond ±${String(BASIS_STEPS.at(-1))} %`}
          dotted="not listed, or under 3 days to expiry"
        />
        <span className={styles['end']}>
          <ExportMenu
            fileName={`basis-${underlying}-${baseSymbol}-${from}-${until}`}
            write={(form) => toHistoryCsv(history, source, form)}
            more={[{ label: 'PNG', remark: 'picture', run: save }]}
          />
        </span>
      </div>
      <Heatmap
        {...{ label, summary, names, rows, marksOf }}
        noun="basis"
        elsewhere="Lines, above, has the same figures as a table in its Export menu."
        keys={sessions}
        describe={({ row, column }) => {
          const line = lines[row];
          return line === undefined ? '' : describeHistoryFigure(history, line, column, 'aYear');
        }}
        explain={({ row, column }) => {
          const line = lines[row];
          return line === undefined ? [] : explainHistoryFigure(history, line, column, 'aYear');
        }}
      />
      <p className={styles['foot']}>{HISTORY_RULE}</p>
    </>
  );
}

const STEPS = `±${BASIS_STEPS.join(' · ')} % a year`;
