import { type ReactNode, useId, useMemo } from 'react';
import type { ApiResponse } from '#api/api-response.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { DueTimes } from '#domain/time/due-times.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { CompareFooter } from './compare-footer.tsx';
import { CompareGrid } from './compare-grid.tsx';
import { COMPARE_PARAMS } from '../compare-params.ts';
import type { PerpetualSeries } from '../perpetual-series.ts';
import { toCompareRows } from './compare-row.ts';
import { HEATMAP_LABELS, HeatmapPanel } from '../heatmap/heatmap-panel.tsx';
import { CompareNotices } from './compare-notices.tsx';
import { inRankOrder, rankRows } from './ranks.ts';
import { RatesChart } from './rates-chart.tsx';
import { SpreadChart } from '../spread/spread-chart.tsx';
import type { CompareQueries } from './use-compare-queries.ts';
import { useCompareGrid } from './use-compare-grid.ts';
import { toChosenWindow, toNamedWindows } from '../windows.ts';
import styles from '../funding.module.css';

interface CompareBodyProps {
  readonly response: ApiResponse<DeskFunding>;
  readonly queries: CompareQueries;
  readonly perpetuals: readonly PerpetualSeries[];
  /** The newest funding time that any perpetual has settled or should have: windows end there. */
  readonly endsAt: number;
  readonly due: DueTimes | null;
}

/** How many perpetuals are charted while none is selected. */
const CHARTED_BY_DEFAULT = 5;

export function CompareBody({ response, queries, perpetuals, endsAt, due }: CompareBodyProps) {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const [form] = useUrlState(COMPARE_PARAMS.form);
  const [side] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  const [picked] = useUrlState(COMPARE_PARAMS.picked);
  const [heat] = useUrlState(COMPARE_PARAMS.heat);
  const windows = useMemo(() => toNamedWindows(endsAt), [endsAt]);
  const chosen = useMemo(() => toChosenWindow(range, windows, endsAt) ?? { id: 'custom' as const, label: 'Range', from: endsAt, to: endsAt }, [range, windows, endsAt]);
  const { voi, estimates, missingBecause } = queries;
  const compared = useMemo(
    () => toCompareRows(perpetuals, { funding: response, voi: voi.data, estimates, windows, chosen, form, side, due }),
    [perpetuals, response, voi.data, estimates, windows, chosen, form, side, due],
  );
  const rows = useMemo(() => rankRows(compared, rankBy), [compared, rankBy]);
  const arranged = useCompareGrid({ rows, form, windows, chosen, rankBy, missingBecause, source: response });
  const order = arranged.sorted.map(({ symbol }) => symbol).join();
  const ordered = useMemo(() => inOrder(perpetuals, order.split(',')), [perpetuals, order]);
  const first = useMemo(() => inRankOrder(rows), [rows]);
  const drawn = useMemo(() => {
    const selected = perpetuals.filter(({ symbol }) => picked.includes(symbol));
    return selected.length > 0 ? selected : first.slice(0, CHARTED_BY_DEFAULT);
  }, [perpetuals, picked, first]);
  const none = !perpetuals.some(({ symbol }) => picked.includes(symbol));
  const period = chosen.id === 'custom' ? 'custom range' : `last ${chosen.label}`;
  return (
    <>
      <CompareNotices rows={compared} queries={queries} />
      <Region first title={`Funding rates, ${period}`} of={response}>
        <RatesChart
          perpetuals={drawn}
          window={chosen}
          anchor={endsAt}
          side={side}
          source={response}
          chosenBy={none ? `top ${String(drawn.length)} by rank` : null}
        />
      </Region>
      <CompareGrid arranged={arranged} parts={{ form, side, rankBy, missingBecause, source: response }} />
      <CompareFooter {...{ rows, chosen, form, side }} />
      <Region title={`Funding heatmap, last ${HEATMAP_LABELS[heat]}`} of={response}>
        <HeatmapPanel perpetuals={ordered} endsAt={endsAt} side={side} response={response} />
      </Region>
      <Region title={`Funding spread, ${period}`} of={response}>
        <SpreadChart perpetuals={perpetuals} window={chosen} anchor={endsAt} source={response} candidates={none ? perpetuals : drawn} />
      </Region>
    </>
  );
}

function inOrder(perpetuals: readonly PerpetualSeries[], order: readonly string[]): readonly PerpetualSeries[] {
  const bySymbol = new Map(perpetuals.map((perpetual) => [perpetual.symbol, perpetual]));
  return order.flatMap((symbol) => bySymbol.get(symbol) ?? []);
}

interface RegionProps {
  readonly title: string;
  /** The response it shows: a new one clears an error. */
  readonly of: unknown;
  /** Above the table: as high as leaves the table in view. */
  readonly first?: boolean;
  readonly children: ReactNode;
}

function Region({ title, of, first = false, children }: RegionProps) {
  const id = useId();
  return (
    <section className={styles[first ? 'first' : 'region']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ErrorBoundary level={3} of={of}>
        {children}
      </ErrorBoundary>
    </section>
  );
}
