import { useUrlState } from '../../../kit/navigation/navigation.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { COMPARE_PARAMS, type RankBy } from '#model/tables/funding/compare-params.ts';
import styles from '../funding.module.css';
import { type ComponentProps, type ReactNode, useId, useMemo } from 'react';
import { Grid } from '../../../kit/grid/grid.tsx';
import { useLinkedGrid } from '../../../kit/grid/use-linked-grid.ts';
import { ColumnsButton } from '../../../kit/grid/columns-button.tsx';
import { CsvButtons } from '../../../kit/csv-button.tsx';
import { EvidenceButton } from '../../../panels/evidence/evidence-button.tsx';
import { lazyOverlay } from '../../../kit/lazy.tsx';
import type { CompareColumn } from '#model/tables/funding/figure-column.ts';
import type { ExplainCell } from '../../../kit/grid/use-grid-tooltips.tsx';
import { type CompareArrangement, toPath, useCompareGrid } from './use-compare-grid.ts';
import { toCompareCsv } from '#model/tables/funding/compare-csv.ts';
import { nameSide } from '#model/tables/funding/signs.ts';
import { chooseCharted, describeOrder, type RankedRow, rankRows } from '#model/tables/funding/ranks.ts';
import type { ApiResponse } from '#model/response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { DueTimes } from '#model/time/due-times.ts';
import { ErrorBoundary } from '../../../kit/error-boundary.tsx';
import { useMedia, WIDE } from '../../../kit/use-media.ts';
import { CompareFooter } from './compare-footer.tsx';
import type { PerpetualSeries } from '#model/tables/funding/perpetual-series.ts';
import { toCompareRows } from '#model/tables/funding/compare-row.ts';
import { HEATMAP_LABELS, HeatmapPanel } from '../heatmap/heatmap-panel.tsx';
import { CompareNotices } from './compare-notices.tsx';
import { RatesChart } from './rates-chart.tsx';
import { SpreadChart } from '../spread/spread-chart.tsx';
import type { CompareQueries } from './use-compare-queries.ts';
import { toChosenWindow, toNamedWindows } from '#model/tables/funding/windows.ts';

const RANKS = [
  ['realised', 'Mean rate'],
  ['premium', 'Premium'],
  ['stability', 'Std dev'],
  ['rate', 'Last rate'],
  ['excess', '|Rate − interest|'],
  ['percentile', 'Percentile'],
  ['predicted', 'Predicted rate'],
] as const satisfies readonly (readonly [RankBy, string])[];

function RankControl() {
  const [rankBy, setRankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  return (
    <span className={styles['named']}>
      <span className={styles['quiet']}>Rank by</span>
      <Segmented label="Rank by" choices={RANKS} value={rankBy} onChange={setRankBy} />
    </span>
  );
}

const CompareEvidence = lazyOverlay(async () => (await import('./compare-evidence.tsx')).CompareEvidence);

interface CompareGridProps {
  readonly arranged: CompareArrangement;
  readonly parts: Parameters<typeof toCompareCsv>[1];
}

/** All perpetuals. As high as its rows, so that the page scrolls on to the charts. */
function CompareGrid({ arranged, parts }: CompareGridProps) {
  const { columns, stored, lines, sorted } = arranged;
  const explain = useMemo(() => createExplain(columns), [columns]);
  const { grid, columnsButton } = useLinkedGrid({ columns, stored, explain, toPath });
  return (
    <>
      <TableTools
        rows={sorted}
        parts={parts}
        columns={columnsButton}
        evidence={(close) => (
          <CompareEvidence source={parts.source} state={stored.state} columns={columns} close={close} />
        )}
      />
      <div className={styles['table']}>
        <Grid fit label="Funding of all perpetuals" rows={lines} {...grid} />
      </div>
    </>
  );
}

interface TableToolsProps {
  /** In the order of the table. */
  readonly rows: readonly RankedRow[];
  readonly parts: Parameters<typeof toCompareCsv>[1];
  readonly columns: ComponentProps<typeof ColumnsButton>;
  readonly evidence: ComponentProps<typeof EvidenceButton>['dialog'];
}

function TableTools({ rows, parts, columns, evidence }: TableToolsProps) {
  const [picked, setPicked] = useUrlState(COMPARE_PARAMS.picked);
  const tied = rows.filter(({ tiedWith }) => tiedWith > 0).length;
  return (
    <div className={styles['tools']}>
      <button
        type="button"
        onClick={() => {
          setPicked(rows.map(({ symbol }) => symbol));
        }}
      >
        Select all
      </button>
      <button
        type="button"
        disabled={picked.length === 0}
        onClick={() => {
          setPicked([]);
        }}
      >
        Clear
      </button>
      <RankControl />
      <span className={styles['quiet']}>
        {rows[0] &&
          `${describeOrder(parts.rankBy, rows[0].chosen.window)}${tied > 0 ? ` · ${String(tied)} tied, listed by premium` : ''}`}
      </span>
      <span className={styles['buttons']}>
        <ColumnsButton {...columns} />
        <CsvButtons
          fileName={`funding-comparison-${nameSide(parts.side)}${rows[0]?.last?.interval_end.slice(0, 10) ?? 'none'}`}
          write={(csv) => toCompareCsv(rows, parts, csv)}
          label="Table CSV"
        />
        <EvidenceButton dialog={evidence} />
      </span>
    </div>
  );
}

function createExplain(columns: readonly CompareColumn[]): ExplainCell<RankedRow> {
  return ({ row, column: { id } }) => columns.find((column) => column.id === id)?.explain?.(row) ?? null;
}

interface CompareBodyProps {
  readonly response: ApiResponse<DeskFunding>;
  readonly queries: CompareQueries;
  readonly perpetuals: readonly PerpetualSeries[];
  /** The newest funding time that any perpetual has settled or should have: windows end there. */
  readonly endsAt: number;
  readonly due: DueTimes | null;
}

export function CompareBody({ response, queries, perpetuals, endsAt, due }: CompareBodyProps) {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const [form] = useUrlState(COMPARE_PARAMS.form);
  const [side] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  const [picked] = useUrlState(COMPARE_PARAMS.picked);
  const [heat] = useUrlState(COMPARE_PARAMS.heat);
  const windows = useMemo(() => toNamedWindows(endsAt), [endsAt]);
  const chosen = useMemo(() => toChosenWindow(range, endsAt), [range, endsAt]);
  const { voi, estimates, missingBecause } = queries;
  const compared = useMemo(
    () => toCompareRows(perpetuals, { funding: response, voi: voi.data, estimates, windows, chosen, form, side, due }),
    [perpetuals, response, voi.data, estimates, windows, chosen, form, side, due],
  );
  const rows = useMemo(() => rankRows(compared, rankBy, side), [compared, rankBy, side]);
  const arranged = useCompareGrid({ rows, form, side, windows, chosen, rankBy, missingBecause, source: response });
  const order = arranged.sorted.map(({ symbol }) => symbol).join();
  const ordered = useMemo(() => inOrder(perpetuals, order.split(',')), [perpetuals, order]);
  // In the order in which they were selected, so that selecting another changes no line's colour.
  const selected = useMemo(() => inOrder(perpetuals, picked), [perpetuals, picked]);
  const byDefault = useMemo(() => chooseCharted(rows, rankBy), [rows, rankBy]);
  const isChosen = selected.length > 0;
  const drawn = isChosen ? selected : byDefault.rows;
  const isWide = useMedia(WIDE);
  const period = chosen.id === 'custom' ? 'custom range' : `last ${chosen.label}`;
  const spread = (
    <Region first={isWide} title={`Funding spread, ${period}`} of={response}>
      <SpreadChart
        perpetuals={perpetuals}
        window={chosen}
        anchor={endsAt}
        source={response}
        estimates={estimates}
        candidates={isChosen ? selected : perpetuals}
      />
    </Region>
  );
  return (
    <>
      <CompareNotices rows={compared} queries={queries} />
      <div className={styles['pair']}>
        <Region first title={`Funding rates, ${period}`} of={response}>
          <RatesChart
            perpetuals={drawn}
            window={chosen}
            anchor={endsAt}
            side={side}
            source={response}
            charted={`${String(drawn.length)} of ${String(perpetuals.length)} charted${isChosen ? '' : `: ${byDefault.how}`}`}
          />
        </Region>
        {isWide && spread}
      </div>
      <CompareGrid arranged={arranged} parts={{ side, rankBy, missingBecause, source: response }} />
      <CompareFooter {...{ rows, chosen, form, side }} />
      <Region title={`Funding heatmap, last ${HEATMAP_LABELS[heat]}`} of={response}>
        <HeatmapPanel perpetuals={ordered} endsAt={endsAt} side={side} response={response} />
      </Region>
      {!isWide && spread}
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
