import { useMemo } from 'react';
import type { BasisHistory } from '#model/curve/history/basis-history.ts';
import { summariseHistory, toHistoryChartData } from '#model/curve/history/history-chart.ts';
import { toHistoryCsv } from '#model/curve/history/history-csv.ts';
import { HISTORY_PARAMS } from '#model/curve/history/history-params.ts';
import type { Source } from '#model/response.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { useLegendSwitches } from '#page/kit/chart/legend-switches.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';

interface HistoryLinesProps {
  readonly history: BasisHistory;
  /** The oldest of the responses. */
  readonly source: Source;
}

/** A line for each month and for each constant maturity. */
export function HistoryLines({ history, source }: HistoryLinesProps) {
  const [figure] = useUrlState(HISTORY_PARAMS.figure);
  const [hidden] = useUrlState(HISTORY_PARAMS.hidden);
  const [view, setView] = useUrlState(HISTORY_PARAMS.view);
  const chartData = useMemo(() => toHistoryChartData(history, { figure, hidden }), [history, figure, hidden]);
  const names = useMemo(() => history.lines.map(({ name }) => name), [history]);
  const switches = useLegendSwitches(HISTORY_PARAMS.hidden, names);
  const { underlying, baseSymbol, perpetual, from, until } = history;
  const summary = useMemo(() => summariseHistory(history, figure), [history, figure]);
  const fileName = `basis-${underlying}-${baseSymbol}-${from}-${until}`;
  return (
    <ChartFrame
      label={`${underlying} basis of ${baseSymbol} to ${perpetual}, ${chartData.panes[0]?.unit ?? ''}`}
      {...{ summary, chartData, view, switches }}
      fileName={`${underlying}-basis-${baseSymbol}`}
      origin={usePictureOrigin(source)}
      subject={`${baseSymbol} ${figure} ${from}`}
      scale="linear"
      onView={setView}
      exports={{ fileName, write: (form) => toHistoryCsv(history, source, form) }}
      remarks={
        <>
          <span>{HISTORY_RULE}</span>
          <span>Click a name in the legend to hide its line; Shift-click or double-click to isolate it.</span>
        </>
      }
    />
  );
}

export const HISTORY_RULE =
  'Basis = settlement of a month − settlement of the perpetual of the same session and minute. A year: simple, ' +
  'actual/365, none under 3 days to expiry. 30, 90 and 180 days: linear in time between the two months around them, ' +
  'never beyond them. A session without both settlements is a gap.';
