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
  namePeriod,
  rankRows,
  toCompareRows,
} from '#model/tables/funding/compare-row.ts';
import styles from '../funding.module.css';
import { useUrlState } from '#page/kit/navigation.tsx';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { type ReactNode, type RefObject, useId, useMemo, useRef } from 'react';
import { useCompareGrid } from './use-compare-grid.ts';
import type { ApiResponse } from '#model/response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { DueTimes } from '#model/time/overdue.ts';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { type PerpetualSeries, toPerpetualSeries } from '#model/funding/funding-series.ts';
import { HEATMAP_LABELS, HeatmapPanel } from '../heatmap/heatmap-panel.tsx';
import { CompareNotices } from './compare-notices.tsx';
import { PerpetualDoubts } from './perpetual-doubts.tsx';
import { Unlisted } from './unlisted.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { type CompareQueries, useCompareQueries } from './use-compare-queries.ts';
import { toDay } from '#model/time/session.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { RateBasisControl, SignConventionControl } from '../rate-controls.tsx';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { findNewestFundingTime } from '#model/funding/funding-window.ts';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody, Skeleton } from '#page/panels/panel-body.tsx';
import { toFundingDue, useDueTimes, useExchangeNow, useExchangeSnapshot } from '#page/panels/use-exchange-time.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { CompareTable } from './compare-table.tsx';
import { useFiltered } from './perpetual-filter.tsx';
import type { DeskProduct } from '#contract/desk/desk.ts';

/** The charts are below the first screen, so their code loads after it. */
const RatesChart = lazy(async () => (await import('./rates-chart.tsx')).RatesChart, <Skeleton />);
const SpreadChart = lazy(async () => (await import('./spread-chart.tsx')).SpreadChart, <Skeleton />);

function CompareControls() {
  const today = useExchangeNow(toDay);
  const [range, setRange] = useUrlState(COMPARE_PARAMS.window);
  const [form, setForm] = useUrlState(COMPARE_PARAMS.form);
  const [side, setSide] = useUrlState(COMPARE_PARAMS.side);
  return (
    <div className={styles['controls']}>
      <RateBasisControl value={form} onChange={setForm} />
      <RangePicker
        names={WINDOW_NAMES}
        value={range}
        onChange={setRange}
        begin={toFirstDay(range, today)}
        today={today}
      />
      <SignConventionControl value={side} onChange={setSide} />
    </div>
  );
}

/** The cost of holding each perpetual, compared for all of them. */
export function CompareScreen() {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const today = useExchangeSnapshot(JSON.stringify(range), toDay);
  const [heat] = useUrlState(COMPARE_PARAMS.heat);
  const due = useDueTimes();
  const [past] = useUrlState(COMPARE_PARAMS.past);
  const choice = useMemo(() => ({ range, heat, past }), [range, heat, past]);
  const { queries, isReadingRange } = useCompareQueries(choice, toBeginTime(today, range, Number(heat), past), due);
  const { funding, voi, estimates } = queries;
  const besides = [voi.data, ...estimates.values()];
  const bar = useRef<HTMLDivElement>(null);
  return (
    <div className={styles['screen']}>
      <div ref={bar} className={styles['bar']}>
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
      </div>
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
          {(response) => <Comparison {...{ response, queries, due, bar }} />}
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
  /** The toolbar, below which the head of the table sticks. */
  readonly bar: RefObject<HTMLElement | null>;
}

function Comparison({ response, queries, due, bar }: ComparisonProps) {
  const dueTo = toFundingDue(due);
  const perpetuals = useMemo(
    () => toPerpetualSeries({ value: response.value, target: response.target }, dueTo),
    [response.value, response.target, dueTo],
  );
  const endsAt = toWindowEnd(findNewestFundingTime(perpetuals.map(({ series }) => series)), dueTo);
  return <CompareBody {...{ response, queries, perpetuals, endsAt, due, bar }} />;
}

interface CompareBodyProps extends ComparisonProps {
  readonly perpetuals: readonly PerpetualSeries[];
  /** The newest funding time that has settled for any perpetual, or should have. Windows end there. */
  readonly endsAt: number;
}

function CompareBody({ response, queries, perpetuals, endsAt, due, bar }: CompareBodyProps) {
  const { range, heat, past } = queries.shown;
  const [form] = useUrlState(COMPARE_PARAMS.form);
  const [side] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  const [picked] = useUrlState(COMPARE_PARAMS.picked);
  const windows = useMemo(() => toNamedWindows(endsAt), [endsAt]);
  const chosen = useMemo(() => toChosenWindow(range, endsAt), [range, endsAt]);
  const { voi, products, estimates, missingBecause } = queries;
  const compared = useMemo(
    () =>
      toCompareRows(perpetuals, {
        funding: response,
        voi: voi.data,
        estimates,
        windows,
        chosen,
        past,
        form,
        side,
        due,
      }),
    [perpetuals, response, voi.data, estimates, windows, chosen, past, form, side, due],
  );
  const ranked = useMemo(() => rankRows(compared, rankBy, side), [compared, rankBy, side]);
  const rows = useFiltered(ranked, products);
  const underlyingOf = useMemo(() => createUnderlyingOf(products), [products]);
  const arranged = useCompareGrid({
    rows,
    ...{ form, side, windows, chosen, past, rankBy, missingBecause, underlyingOf, source: response },
    awaitsInterest: voi.data === undefined && voi.error === null,
  });
  const order = arranged.sorted.map(({ symbol }) => symbol).join();
  const ordered = useMemo(() => inOrder(perpetuals, order.split(',')), [perpetuals, order]);
  // In order of selection, so that selecting another perpetual does not change the colours of the lines.
  const selected = useMemo(() => inOrder(perpetuals, picked), [perpetuals, picked]);
  const byDefault = useMemo(() => chooseCharted(rows, rankBy), [rows, rankBy]);
  const isChosen = selected.length > 0;
  const drawn = isChosen ? selected : byDefault.rows;
  const period = chosen.id === 'custom' ? 'custom range' : `last ${chosen.label}`;
  return (
    <>
      <Unlisted perpetuals={response.value.perpetuals} />
      <PerpetualDoubts perpetuals={response.value.perpetuals} />
      <CompareNotices rows={compared} queries={queries} />
      <CompareTable
        arranged={arranged}
        total={ranked.length}
        parts={{ side, rankBy, missingBecause, source: response, predictedRates: arranged.predictedRates }}
        bar={bar}
      />
      <CompareFooter {...{ rows, total: ranked.length, chosen, form, side }} />
      <Region title={`Funding heatmap, last ${HEATMAP_LABELS[heat]}`} of={response}>
        <HeatmapPanel perpetuals={ordered} count={heat} endsAt={endsAt} side={side} response={response} />
      </Region>
      <div className={styles['pair']}>
        <Region title={`Funding rates, ${period}`} of={response}>
          <RatesChart
            perpetuals={drawn}
            listed={perpetuals}
            window={chosen}
            anchor={endsAt}
            form={form}
            side={side}
            source={response}
            charted={
              `${String(drawn.length)} of ${String(perpetuals.length)} charted` +
              (isChosen ? '' : `: ${byDefault.how} – tick rows to choose`)
            }
            all={order.split(',')}
          />
        </Region>
        <Region title={`Funding spread, ${period}`} of={response}>
          <SpreadChart
            perpetuals={perpetuals}
            window={chosen}
            anchor={endsAt}
            source={response}
            estimates={estimates}
            candidates={isChosen ? selected : perpetuals}
          />
        </Region>
      </div>
    </>
  );
}

function createUnderlyingOf(products: readonly DeskProduct[]): (symbol: string) => string {
  const underlyings = new Map(
    products
      .filter(({ type }) => type === 'perpetual')
      .map(({ base_symbol: symbol, contract_size_unit: unit }) => [symbol, unit]),
  );
  return (symbol) => underlyings.get(symbol) ?? '';
}

function inOrder(perpetuals: readonly PerpetualSeries[], order: readonly string[]): readonly PerpetualSeries[] {
  const bySymbol = new Map(perpetuals.map((perpetual) => [perpetual.symbol, perpetual]));
  return order.flatMap((symbol) => bySymbol.get(symbol) ?? []);
}

interface RegionProps {
  readonly title: string;
  /** The response shown; a new one clears an error. */
  readonly of: unknown;
  readonly children: ReactNode;
}

function Region({ title, of, children }: RegionProps) {
  const id = useId();
  return (
    <section className={styles['region']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ErrorBoundary level={3} of={of}>
        {children}
      </ErrorBoundary>
    </section>
  );
}

interface CompareFooterProps {
  readonly rows: readonly CompareRow[];
  /** Number of rows without the filter. */
  readonly total: number;
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

export function CompareFooter({ rows, total, chosen, form, side }: CompareFooterProps) {
  const add = (read: (row: CompareRow) => number): number => rows.reduce((sum, row) => sum + read(row), 0);
  const prints = add(({ chosen: { measures } }) => measures.prints);
  const intervals = add(({ chosen: { measures } }) => measures.intervals);
  const faults = add(({ series }) => series.faults.length);
  return (
    <p className={styles['footer']}>
      <span>
        <b>{rows.length}</b> {rows.length < total && `of ${String(total)} `}perpetuals
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
