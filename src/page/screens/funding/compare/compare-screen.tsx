import { countOf, formatCount } from '#model/format/count.ts';
import { type FundingSide, isInverted, type RateForm, toWindowEnd } from '#model/funding/funding-rate.ts';
import {
  type NamedWindow,
  toBeginTime,
  toChosenWindow,
  toFirstDay,
  toNamedWindows,
  WINDOW_NAMES,
} from '#model/tables/funding/realised.ts';
import {
  chooseCharted,
  type CompareRow,
  describeOrder,
  namePeriod,
  type RankedRow,
  rankRows,
  toCompareRows,
} from '#model/tables/funding/compare-row.ts';
import styles from '../funding.module.css';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { COMPARE_PARAMS, type RankBy } from '#model/tables/funding/compare-params.ts';
import { type ComponentProps, type ReactNode, useId, useMemo } from 'react';
import { Grid } from '#page/kit/grid/grid.tsx';
import { type ExplainCell, useLinkedGrid } from '#page/kit/grid/use-stored-grid.tsx';
import { ColumnsButton } from '#page/kit/grid/columns-button.tsx';
import { CsvButtons } from '#page/kit/csv-button.tsx';
import { EvidenceButton } from '#page/panels/evidence/evidence-button.tsx';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import type { CompareColumn } from '#model/tables/funding/figure-column.ts';
import { type CompareArrangement, toPath, useCompareGrid } from './use-compare-grid.ts';
import { toCompareCsv } from '#model/tables/funding/compare-csv.ts';
import { nameSide } from '#model/tables/funding/rate-text.ts';
import type { ApiResponse } from '#model/response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { DueTimes } from '#model/time/overdue.ts';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { useMedia, WIDE } from '#page/kit/use-media.ts';
import { type PerpetualSeries, toPerpetualSeries } from '#model/funding/funding-series.ts';
import { HEATMAP_LABELS, HeatmapPanel } from '../heatmap/heatmap-panel.tsx';
import { CompareNotices } from './compare-notices.tsx';
import { PerpetualDoubts } from './perpetual-doubts.tsx';
import { Unlisted } from './unlisted.tsx';
import { RatesChart } from './rates-chart.tsx';
import { SpreadChart } from './spread-chart.tsx';
import { type CompareQueries, useCompareQueries } from './use-compare-queries.ts';
import { toDay } from '#model/time/session.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { RateBasisControl, SignConventionControl } from '../rate-controls.tsx';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { findNewestFundingTime } from '#model/funding/funding-window.ts';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { toFundingDue, useDueTimes, useExchangeNow, useExchangeSnapshot } from '#page/panels/use-exchange-time.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';

function CompareControls() {
  const today = useExchangeNow(toDay);
  const [range, setRange] = useUrlState(COMPARE_PARAMS.window);
  const [form, setForm] = useUrlState(COMPARE_PARAMS.form);
  const [side, setSide] = useUrlState(COMPARE_PARAMS.side);
  return (
    <>
      <RateBasisControl value={form} onChange={setForm} />
      <RangePicker
        names={WINDOW_NAMES}
        value={range}
        onChange={setRange}
        begin={toFirstDay(range, today)}
        today={today}
      />
      <SignConventionControl value={side} onChange={setSide} />
    </>
  );
}

/** The cost of holding each perpetual, compared for all of them. */
export function CompareScreen() {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const today = useExchangeSnapshot(JSON.stringify(range), toDay);
  const [heat] = useUrlState(COMPARE_PARAMS.heat);
  const due = useDueTimes();
  const choice = useMemo(() => ({ range, heat }), [range, heat]);
  const { queries, isReadingRange } = useCompareQueries(choice, toBeginTime(today, range, Number(heat)), due);
  const { funding, voi, estimates } = queries;
  const besides = [voi.data, ...estimates.values()];
  return (
    <div className={styles['screen']}>
      <Toolbar
        title="Funding"
        aside={
          isReadingRange
            ? `Reading ${namePeriod(toChosenWindow(range, Infinity))}…`
            : funding.data && (
                <FreshnessMark
                  query={{ ...funding, data: funding.data }}
                  everySeconds={DESK_ENDPOINTS.funding.reuseSeconds}
                  besides={besides}
                />
              )
        }
      >
        <CompareControls />
      </Toolbar>
      <div
        className={styles['content']}
        aria-busy={isReadingRange || (funding.data === undefined && funding.isFetching)}
        inert={isReadingRange}
      >
        <PanelBody
          query={funding}
          emptyState={({ value }) =>
            value.perpetuals.every(({ prints }) => prints.length === 0) ? <NoSettledRates /> : null
          }
        >
          {(response) => <Comparison response={response} queries={queries} due={due} />}
        </PanelBody>
      </div>
    </div>
  );
}

function NoSettledRates() {
  return (
    <EmptyState title="No settled rates in this range">
      <p>The exchange has no settled rate of any perpetual in this range. Perpdesk checks again automatically.</p>
    </EmptyState>
  );
}

interface ComparisonProps {
  readonly response: ApiResponse<DeskFunding>;
  readonly queries: CompareQueries;
  readonly due: DueTimes | null;
}

function Comparison({ response, queries, due }: ComparisonProps) {
  const dueTo = toFundingDue(due);
  const perpetuals = useMemo(
    () => toPerpetualSeries({ value: response.value, target: response.target }, dueTo),
    [response.value, response.target, dueTo],
  );
  const endsAt = toWindowEnd(findNewestFundingTime(perpetuals.map(({ series }) => series)), dueTo);
  return <CompareBody {...{ response, queries, perpetuals, endsAt, due }} />;
}

interface CompareBodyProps {
  readonly response: ApiResponse<DeskFunding>;
  readonly queries: CompareQueries;
  readonly perpetuals: readonly PerpetualSeries[];
  /** The newest funding time that has settled for any perpetual, or should have. Windows end there. */
  readonly endsAt: number;
  readonly due: DueTimes | null;
}

function CompareBody({ response, queries, perpetuals, endsAt, due }: CompareBodyProps) {
  const { range, heat } = queries.shown;
  const [form] = useUrlState(COMPARE_PARAMS.form);
  const [side] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  const [picked] = useUrlState(COMPARE_PARAMS.picked);
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
  // In order of selection, so that selecting another perpetual does not change the colours of the lines.
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
      <Unlisted perpetuals={response.value.perpetuals} />
      <PerpetualDoubts perpetuals={response.value.perpetuals} />
      <CompareNotices rows={compared} queries={queries} />
      <div className={styles['pair']}>
        <Region first title={`Funding rates, ${period}`} of={response}>
          <RatesChart
            perpetuals={drawn}
            window={chosen}
            anchor={endsAt}
            side={side}
            source={response}
            charted={
              `${String(drawn.length)} of ${String(perpetuals.length)} ` +
              `charted${isChosen ? '' : `: ${byDefault.how}`}`
            }
          />
        </Region>
        {isWide && spread}
      </div>
      <CompareGrid
        arranged={arranged}
        parts={{ side, rankBy, missingBecause, source: response, predictedRates: arranged.predictedRates }}
      />
      <CompareFooter {...{ rows, chosen, form, side }} />
      <Region title={`Funding heatmap, last ${HEATMAP_LABELS[heat]}`} of={response}>
        <HeatmapPanel perpetuals={ordered} count={heat} endsAt={endsAt} side={side} response={response} />
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
  /** The response shown; a new one clears an error. */
  readonly of: unknown;
  /** Whether the region is above the table and must leave the table in view. */
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

/** The grid of all perpetuals. It is as high as its rows, so that the page scrolls on to the charts. */
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
  /** In table order. */
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
          describeOrder(parts.rankBy, rows[0].chosen.window) +
            (tied > 0 ? ` · ${String(tied)} tied, listed by premium` : '')}
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

interface CompareFooterProps {
  readonly rows: readonly CompareRow[];
  readonly chosen: NamedWindow;
  readonly form: RateForm;
  readonly side: FundingSide;
}

/** Describes the formula. For a long position, which pays positive rates, the sign is inverted. */
function describeFormula(form: RateForm, side: FundingSide): string {
  const sign = isInverted(side) ? '−' : '';
  switch (form) {
    case 'interval':
      return `Mean = ${sign}arithmetic mean of the settled rates, per 8 h.`;
    case 'day':
      return `Daily rate = ${sign}mean of the settled rates × 3.`;
    case 'apr':
      return `APR = ${sign}mean of the settled rates × 3 × 365, not compounded.`;
    case 'apy':
      return `APY = (1 ${isInverted(side) ? '−' : '+'} mean of the settled rates)^1,095 − 1.`;
  }
}

export function CompareFooter({ rows, chosen, form, side }: CompareFooterProps) {
  const add = (read: (row: CompareRow) => number): number => rows.reduce((sum, row) => sum + read(row), 0);
  const prints = add(({ chosen: { measures } }) => measures.prints);
  const intervals = add(({ chosen: { measures } }) => measures.intervals);
  const faults = add(({ series }) => series.faults.length);
  return (
    <p className={styles['footer']}>
      <span>
        <b>{rows.length}</b> perpetuals
      </span>
      <span>
        <b>{formatCount(prints)}</b> of {formatCount(intervals)} settled rates in{' '}
        {chosen.id === 'custom' ? 'the range chosen' : chosen.label}
      </span>
      <span>{faults === 0 ? 'No data faults' : countOf(faults, 'data fault')}</span>
      <span className={styles['buttons']}>{describeFormula(form, side)} Predicted rates are excluded from sums.</span>
    </p>
  );
}
