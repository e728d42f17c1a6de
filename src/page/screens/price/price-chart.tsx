import { BAD_TICK_RULE } from '#model/price/bad-ticks.ts';
import { useMay } from '#page/client/react/use-api.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { PRICE_PARAMS } from './shared/price-params.ts';
import { createDrawnText, useDrawMode } from './shared/draw-mode.ts';
import { useAlertAtLevel } from './shared/alert-at-level.ts';
import { useAfterPaint } from './shared/use-after-paint.ts';
import { useChosenIndicators, useIndicators } from './use-indicators.ts';
import styles from './shared/price.module.css';
import { type PriceData, toPriceData } from '#model/charts/price/price-data.ts';
import {
  describeBadTicks,
  describeDaysWithoutPrices,
  describeVolatility,
  summarisePrices,
} from '#model/charts/price/price-summary.ts';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { SettledBar } from '#model/price/bars.ts';
import type { RunningSession } from '#model/price/running-session.ts';
import type { ChartDoubts } from '#model/price/withheld-prices.ts';
import { COVERAGE_OF_BARS, PERIOD_LABELS } from '#model/time/date-range.ts';
import { formatDay } from '#model/format/format-time.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { type LegendSwitches, useLegendSwitches } from '#page/kit/chart/legend-switches.ts';
import { useZooming } from '#page/kit/chart/zoom.ts';
import { withProvenance } from '#model/charts/chart-data.ts';
import { lazy, lazyOverlay } from '#page/kit/lazy.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { useEvidence } from '#page/panels/evidence/use-evidence.ts';
import { describeOtherCandles } from '#model/checks/earlier-sessions.ts';
import { UnpublishedNote } from '#page/panels/unpublished-note.tsx';
import { LeftOutNote } from '#page/panels/missing-rows.tsx';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { toLifeDays } from '#model/charts/price/life-days.ts';
import { toPriceCsv } from '#model/charts/price/price-csv.ts';
import { createSlotProvenance, type Prices } from '#model/charts/price/slot-provenance.ts';
import { findPercentBase, SERIES_NAMES, toPriceChartData } from '#model/charts/price/price-chart.ts';

const BAD_TICKS = `A bad tick is ${BAD_TICK_RULE.charAt(0).toLowerCase()}${BAD_TICK_RULE.slice(1)}`;

const NO_BAD_TICKS = `No suspected bad ticks. ${BAD_TICKS}`;

/** Describes which prices are marked, by which rule, and whether the scale includes them. */
function BadTicksNote({ data }: { readonly data: PriceData }) {
  const [badTicks, setBadTicks] = useUrlState(PRICE_PARAMS.badTicks);
  return (
    <span className={styles['badTicks']} role="note">
      <strong>✕</strong> {describeBadTicks(data)}.{' '}
      <label className={styles['choice']}>
        <input
          type="checkbox"
          checked={badTicks === 'inscale'}
          onChange={(event) => {
            setBadTicks(event.target.checked ? 'inscale' : 'offscale');
          }}
        />
        Include in scale
      </label>{' '}
      {BAD_TICKS}
    </span>
  );
}

const PriceEvidence = lazyOverlay(async () => (await import('./price-evidence.tsx')).PriceEvidence);

/** Loaded with the first drawing. */
const ChartDrawings = lazy(async () => (await import('./drawings/chart-drawings.tsx')).ChartDrawings);

/** Only those who may see rules need their lines. */
const RuleLines = lazy(async () => (await import('./rules/rule-levels.tsx')).RuleLines);
const RuleNote = lazy(async () => (await import('./rules/rule-levels.tsx')).RuleNote);

interface PriceChartProps {
  readonly named: NamedProduct;
  readonly prices: Prices;
  readonly voi: { readonly data: ApiResponse<readonly VOIDataPoint[]> | undefined; readonly error: Error | null };
  readonly doubts: ChartDoubts;
  /** Null if there is none, or the range ends before it. */
  readonly running: RunningSession | null;
  /** In USD; null if unknown or withheld. */
  readonly tickSize: number | null;
  /** Whether what confirms the tick size has not been read yet. */
  readonly isTickSizePending: boolean;
  readonly subject: string;
  /** Start of the range. */
  readonly since: Instant;
  /** Whether the chart is beside a comparison. The address then holds only the comparison's view. */
  readonly isBesideComparison: boolean;
}

const NONE: readonly VOIDataPoint[] = [];

/** A chart with panes for candles, volume and open interest. */
export function PriceChart({
  named,
  prices,
  voi,
  doubts,
  running,
  tickSize,
  isTickSizePending,
  subject,
  since,
  isBesideComparison,
}: PriceChartProps) {
  const { period, zooming } = useBars(isBesideComparison);
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [view, setView] = useUrlState(PRICE_PARAMS.view);
  const points = prices.value;
  const rows = voi.data?.value ?? NONE;
  const data = useMemo(() => toPriceData(points, rows, period, running), [points, rows, period, running]);
  const shown = useMemo(
    () => ({ data, rows: { points, voi: rows }, running, since }),
    [data, points, rows, running, since],
  );
  const base = scale === 'percent' ? findPercentBase(data) : null;
  const { specs, problems } = useChosenIndicators(named.product);
  const names = useMemo(() => [...SERIES_NAMES, ...specs.map(({ name }) => name)], [specs]);
  const switches = useLegendSwitches(PRICE_PARAMS.hidden, names);
  const { isHidden } = switches;
  const ofRules = useMay('operations') && named.product !== null && { product: named.product, switches };
  const bare = useChartData(data, base, { named, prices, voi, tickSize, isHidden });
  const indicators = useIndicators(bare, specs, { shown, base, isHidden, named, doubts });
  const { chartData, columns } = indicators;
  const summary = useSummary(data);
  const last = data.daily.at(-1)?.lastDate ?? '';
  const drawings = useDrawings(named, isBesideComparison || isTickSizePending, { data, base, tickSize });
  const evidence = useEvidence((close) => <PriceEvidence named={named} period={period} close={close} />);
  return (
    <>
      <ChartFrame
        label={`${named.name}, prices in USD. ${PERIOD_LABELS[period]}`}
        {...{ summary, chartData, switches, scale, view }}
        fileName={`${named.name}-${period}`}
        origin={usePictureOrigin(prices)}
        subject={`${subject} ${period}`}
        onScale={setScale}
        onView={setView}
        {...zooming}
        levelAction={useAlertAtLevel(named, base, tickSize)}
        overlay={
          ofRules ? (
            <RuleLines {...ofRules} base={base}>
              {drawings}
            </RuleLines>
          ) : (
            drawings
          )
        }
        exports={{
          fileName: `${named.name}-${period}-${last}`,
          write: (form) => toPriceCsv(data, named, { prices, voi: voi.data }, form, columns),
          more: [evidence.item],
        }}
        remarks={
          <>
            {ofRules && <RuleNote {...ofRules} />}
            <IndicatorNotes problems={problems} {...indicators} />
            <Remarks data={data} base={base} prices={prices} voi={voi} product={named.product} />
          </>
        }
      />
      {evidence.dialog}
    </>
  );
}

/** Returns the drawings of the product; nothing until there is one or something is to be drawn. */
function useDrawings(
  named: NamedProduct,
  isOff: boolean,
  inputs: Pick<PriceChartProps, 'tickSize'> & { readonly data: PriceData; readonly base: SettledBar | null },
) {
  const stored = useMemo(() => createDrawnText(window, named.id), [named.id]);
  const isDrawn = useSyncExternalStore(stored.subscribe, () => stored.read() !== '');
  const [mode, setMode] = useDrawMode();
  // What was done last can be undone also when nothing is left.
  const [isUsed, setUsed] = useState(false);
  if (!isUsed && (isDrawn || mode !== null)) setUsed(true);
  return isUsed && !isOff && <ChartDrawings key={String(named.id)} {...{ named, stored, mode, setMode }} {...inputs} />;
}

function useBars(isBesideComparison: boolean) {
  const [period] = useUrlState(PRICE_PARAMS.period);
  const zooming = useZooming(PRICE_PARAMS);
  return { period, zooming: isBesideComparison ? {} : { zooming } };
}

interface IndicatorNotesProps extends Pick<
  ReturnType<typeof useIndicators>,
  'notes' | 'historyError' | 'fundingError'
> {
  readonly problems: readonly string[];
}

/** Describes what the indicators are of, and which are not shown. */
function IndicatorNotes({ problems, notes, historyError, fundingError }: IndicatorNotesProps) {
  const failed = [
    ...(historyError === null
      ? []
      : [`No indicators, because the whole history is not loaded: ${historyError.message}`]),
    ...(fundingError === null ? [] : [`Settled rates not loaded: ${fundingError.message}`]),
  ];
  return (
    <>
      {[...problems, ...failed].map((problem) => (
        <span key={problem} role="note" className={styles['problem']}>
          {problem}
        </span>
      ))}
      {notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </>
  );
}

interface RemarksProps extends Pick<PriceChartProps, 'prices' | 'voi'> {
  readonly data: PriceData;
  /** The base of a percent scale. */
  readonly base: SettledBar | null;
  readonly product: NamedProduct['product'];
}

/** Describes what the chart leaves out, and how it was computed. */
function Remarks({ data, base, prices, voi, product }: RemarksProps) {
  const [scale] = useUrlState(PRICE_PARAMS.scale);
  const rows = voi.data?.value;
  const { period } = data;
  return (
    <>
      <DayNotes {...{ prices, voi, product }} />
      {data.badTicks.length > 0 && <BadTicksNote data={data} />}
      <span>{PERIOD_LABELS[period]}</span>
      <RunningNote slots={data.slots} />
      {period !== '1D' && <span>{COVERAGE_OF_BARS}</span>}
      <span>
        {rows === undefined
          ? `Sessions without trades unknown: volume ${voi.error === null ? 'is being read' : 'not loaded'}.`
          : describeDaysWithoutPrices(data)}
      </span>
      {scale === 'percent' && <span>{describeBase(base)}</span>}
      {rows !== undefined && <Volatility data={data} />}
      <span>
        {voi.error !== null
          ? `Open interest not loaded: ${voi.error.message}`
          : rows === undefined
            ? 'Open interest is being read.'
            : 'Open interest: daily, published the next morning, Chicago time.'}
      </span>
      {data.badTicks.length === 0 && <span>{NO_BAD_TICKS}</span>}
      <LeftOutNote count={prices.setAside.length + (voi.data?.setAside.length ?? 0)} />
    </>
  );
}

/** Describes days that lack something or are in doubt, once the chart is on screen: each day is compared with others. */
function DayNotes({ prices, voi, product }: Pick<RemarksProps, 'prices' | 'voi' | 'product'>) {
  const [points, rows] = [prices.value, voi.data?.value ?? NONE];
  const painted = useAfterPaint(
    useMemo(() => ({ points, rows }), [points, rows]),
    null,
  );
  const other = useMemo(
    () => painted && describeOtherCandles(painted.points, painted.rows, product),
    [painted, product],
  );
  return (
    painted !== null && (
      <>
        {other !== null && <span>{other}</span>}
        <UnpublishedNote rows={painted.rows} everyDay={product?.type === 'perpetual'} />
      </>
    )
  );
}

function useChartData(
  data: PriceData,
  base: SettledBar | null,
  {
    named,
    prices,
    voi,
    tickSize,
    isHidden,
  }: Pick<PriceChartProps, 'named' | 'prices' | 'voi' | 'tickSize'> & Pick<LegendSwitches, 'isHidden'>,
) {
  const [gaps] = useUrlState(PRICE_PARAMS.gaps);
  const [badTicks] = useUrlState(PRICE_PARAMS.badTicks);
  const changeIn = named.product?.type === 'spread' ? 'USD' : '%';
  const hasOpenInterest = voi.data !== undefined || (voi.error === null && 'being read');
  const lifeDays = useMemo(() => toLifeDays(named.product, data.period), [named.product, data.period]);
  const bare = useMemo(
    () => toPriceChartData(data, { gaps, base, badTicks, changeIn, tickSize, hasOpenInterest, isHidden, lifeDays }),
    [data, gaps, base, badTicks, changeIn, tickSize, hasOpenInterest, isHidden, lifeDays],
  );
  return useMemo(
    () => withProvenance(bare, createSlotProvenance(data.slots, prices, voi.data, changeIn)),
    [bare, data, prices, voi.data, changeIn],
  );
}

function RunningNote({ slots }: Pick<PriceData, 'slots'>) {
  const running = slots.at(-1)?.running ?? null;
  if (running === null) return null;
  return (
    <span>
      Outlined: session of {formatDay(running.date)} in progress, last trade <Timestamp at={running.lastTradeAt} />.
    </span>
  );
}

function describeBase(base: SettledBar | null): string {
  return base === null
    ? 'No percent scale: there is no first settlement above zero. Prices are in USD.'
    : `Percent change from the settlement of ${formatDay(base.lastDate)}.`;
}

/** Describes the chart in sentences, computed once it is on screen. */
function useSummary(data: PriceData): string {
  const painted = useAfterPaint(data, null);
  return useMemo(() => (painted === null ? '' : summarisePrices(painted)), [painted]);
}

/** Shows the volatility, computed once the chart is on screen. */
function Volatility({ data }: { readonly data: PriceData }) {
  const painted = useAfterPaint(data, null);
  const text = useMemo(() => painted && describeVolatility(painted), [painted]);
  return text === null ? null : <span>{text}</span>;
}
