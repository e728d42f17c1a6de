import { formatCount } from '#model/format/count.ts';
import { describeProvenance } from '#model/format/provenance.ts';
import { formatPercent, formatRate } from '#model/format/number.ts';
import type { Estimate, Estimates } from '#model/funding/estimate.ts';
import { toAprOfSum } from '#model/funding/funding-rate.ts';
import { asRate, deriveQuantity, type Quantity, toQuantity } from '#model/units/quantity.ts';
import { Figure } from '#page/kit/figure.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import styles from '../funding.module.css';
import { useId, useMemo } from 'react';
import { toDecimal } from '#model/units/decimal.ts';
import { measureWindow } from '#model/funding/funding-window.ts';
import {
  completeLegs,
  createFundingSpread,
  type LegCandidate,
  measureSpread,
  type SpreadLegs,
  type SpreadMeasures,
} from '#model/funding/funding-spread.ts';
import { compareCodes } from '#model/compare-codes.ts';
import type { Source } from '#model/response.ts';
import type { CsvForm } from '#model/format/csv.ts';
import { toSpreadCsv } from '#model/charts/funding/spread-csv.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { withProvenance } from '#model/charts/chart-data.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { type PerpetualSeries, withOldestRead } from '#model/funding/funding-series.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { createSpreadProvenance, toSpreadChartData } from '#model/charts/funding/spread-chart.ts';
import type { NamedWindow } from '#model/tables/funding/realised.ts';

interface SpreadChartProps {
  readonly perpetuals: readonly PerpetualSeries[];
  readonly window: NamedWindow;
  readonly anchor: number;
  readonly source: Source;
  readonly estimates: Estimates;
  /** The perpetuals from which a missing leg is chosen: the selected ones, or all. */
  readonly candidates: readonly PerpetualSeries[];
}

/** The funding of one perpetual held long against another held short. */
export function SpreadChart({ perpetuals: unsorted, window, anchor, source, estimates, candidates }: SpreadChartProps) {
  const [longName, setLong] = useUrlState(COMPARE_PARAMS.long);
  const [shortName, setShort] = useUrlState(COMPARE_PARAMS.short);
  const perpetuals = useMemo(() => sortBySymbol(unsorted), [unsorted]);
  const find = (name: string | null): PerpetualSeries | undefined => perpetuals.find(({ symbol }) => symbol === name);
  const [chosenLong, chosenShort] = [find(longName)?.symbol ?? null, find(shortName)?.symbol ?? null];
  const legs = useMemo(
    () => completeLegs(measureCandidates(candidates, window), { long: chosenLong, short: chosenShort }),
    [candidates, window, chosenLong, chosenShort],
  );
  const [long, short] = [find(legs.long), find(legs.short)];
  return (
    <>
      <div className={styles['tools']}>
        <Leg label="Long" value={long?.symbol ?? ''} perpetuals={perpetuals} onChange={setLong} />
        <Leg label="Short" value={short?.symbol ?? ''} perpetuals={perpetuals} onChange={setShort} />
        <button
          type="button"
          onClick={() => {
            setLong(short?.symbol ?? '');
            setShort(long?.symbol ?? '');
          }}
        >
          Swap
        </button>
        <span className={styles['quiet']}>
          {describeDefault(
            { long: chosenLong, short: chosenShort },
            legs,
            candidates.length === perpetuals.length
              ? `all ${String(candidates.length)}`
              : `the ${String(candidates.length)} selected`,
          )}
        </span>
      </div>
      {long === undefined || short === undefined || long === short ? (
        <EmptyState title="Choose two different perpetuals">
          <p>
            A spread is long one perpetual and short another. There is no default where fewer than two have equal
            coverage, or all have the same mean settled rate.
          </p>
        </EmptyState>
      ) : (
        <Spread {...{ long, short, window, anchor, source, estimates }} />
      )}
    </>
  );
}

function measureCandidates(candidates: readonly PerpetualSeries[], window: NamedWindow): readonly LegCandidate[] {
  return candidates.map(({ symbol, series }) => ({ symbol, ...measureWindow(series, window) }));
}

/** Describes how missing legs were chosen, and from which perpetuals. */
function describeDefault(chosen: SpreadLegs, legs: SpreadLegs, among: string): string {
  const found = [...(legs.long === chosen.long ? [] : ['lowest']), ...(legs.short === chosen.short ? [] : ['highest'])];
  if (found.length === 0) return '';
  return `Suggested ${found.length === 2 ? 'pair' : 'leg'}: ${found.join(' against ')} mean of the range, of ${among}`;
}

/** @internal Exported for its test. */
export function sortBySymbol<T extends Pick<PerpetualSeries, 'symbol'>>(perpetuals: readonly T[]): readonly T[] {
  return perpetuals.toSorted((a, b) => compareCodes(a.symbol, b.symbol));
}

interface LegProps {
  readonly label: string;
  readonly value: string;
  readonly perpetuals: readonly PerpetualSeries[];
  readonly onChange: (symbol: string) => void;
}

function Leg({ label, value, perpetuals, onChange }: LegProps) {
  const id = useId();
  return (
    <span className={styles['leg']}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {value === '' && <option value="">–</option>}
        {perpetuals.map(({ symbol }) => (
          <option key={symbol}>{symbol}</option>
        ))}
      </select>
    </span>
  );
}

interface SpreadProps extends Pick<SpreadChartProps, 'window' | 'anchor' | 'source' | 'estimates'> {
  readonly long: PerpetualSeries;
  readonly short: PerpetualSeries;
}

function Spread({ long, short, window, anchor, source, estimates }: SpreadProps) {
  const [view, setView] = useUrlState(COMPARE_PARAMS.spreadView);
  const [zone] = useZone();
  const { from, to } = window;
  const spread = useMemo(() => createFundingSpread(long.series, short.series), [long.series, short.series]);
  const drawn = useMemo(
    () => toSpreadChartData(spread, { window: { from, to }, anchor, timeText: (at) => formatInstant(at, zone) }),
    [spread, from, to, anchor, zone],
  );
  const chartData = useMemo(
    () => withProvenance(drawn.chartData, createSpreadProvenance(spread, { long, short }, drawn, source)),
    [drawn, spread, long, short, source],
  );
  const measures = useMemo(() => measureSpread(spread, { from, to }), [spread, from, to]);
  const summary = summarise(measures, {
    long: long.symbol,
    short: short.symbol,
    period: window.id === 'custom' ? 'the custom range' : window.label,
  });
  const name = `long ${long.symbol}, short ${short.symbol}`;
  const fileName = `funding-spread-${long.symbol}-${short.symbol}-${window.id}`;
  const dated = withOldestRead(source, [long, short]);
  const write = (form: CsvForm): string => toSpreadCsv(spread, { long, short, window, source: dated }, form);
  return (
    <>
      <p className={styles['summary']}>{summary}</p>
      <PredictedSpread estimates={estimates} long={long.symbol} short={short.symbol} />
      <ChartFrame
        label={`Funding spread received, ${name}, % per 8 h, ${window.label}`}
        summary={summary}
        {...{ chartData, view }}
        fileName={`funding-spread-${long.symbol}-${short.symbol}`}
        origin={usePictureOrigin(dated)}
        subject={`${name} ${window.id} ${String(from)}`}
        scale="linear"
        onView={setView}
        exports={{ of: 'spread', fileName, write }}
        remarks={
          <span>
            {'Only intervals with a settled rate for both perpetuals. ' +
              `Spread received = rate of ${short.symbol} − rate of ${long.symbol}. `}
            Carry is its sum, in % of the notional of one leg, both legs equal. Positive = received, negative = paid.
            Funding only: no price changes, no fees.
          </span>
        }
      />
    </>
  );
}

interface SummaryWords {
  readonly long: string;
  readonly short: string;
  readonly period: string;
}

function summarise(
  { prints, intervals, carry, carryApr }: SpreadMeasures,
  { long, short, period }: SummaryWords,
): string {
  const coverage = `${formatCount(prints)} of ${formatCount(intervals)} intervals in common`;
  if (carry === null) return `Long ${long}, short ${short}: no carry over ${period}, ${coverage}.`;
  const apr = formatPercent(carryApr ?? toDecimal('0'), { digits: 2, signed: true });
  return (
    `Long ${long}, short ${short}: carry ${formatPercent(carry, { digits: 4, signed: true })} % of ` +
    `one leg’s notional over ${period} (${apr} % APR, simple), ${coverage}.`
  );
}

interface PredictedSpreadProps {
  readonly estimates: Estimates;
  /** Symbols of the legs. */
  readonly long: string;
  readonly short: string;
}

/**
 * Shows what the position would receive in the current interval at the predicted rates; nothing unless both are
 * current.
 */
function PredictedSpread({ estimates, long, short }: PredictedSpreadProps) {
  const spread = toPredictedSpread(estimates.get(long), estimates.get(short));
  if (spread === null) return null;
  const apr = deriveQuantity('fraction', 'APR, simple: predicted spread × 3 × 365.', [spread], ([value]) =>
    value ? toAprOfSum(value, 1) : null,
  );
  const explain = (quantity: Quantity) => () => describeProvenance(quantity, formatInAllZones);
  return (
    <p className={styles['summary']} data-testid="predicted-spread">
      ◇ Predicted for the current interval, not settled: spread received{' '}
      <Figure name="Predicted spread received" text={formatRate(spread.value)} provenance={explain(spread)} /> % per 8 h
      (
      <Figure
        name="Predicted spread received, APR"
        text={formatPercent(apr.value, { digits: 2, signed: true })}
        provenance={explain(apr)}
      />{' '}
      % APR, simple).
    </p>
  );
}

/** @internal Exported for its test. */
export function toPredictedSpread(long: Estimate | undefined, short: Estimate | undefined): Quantity | null {
  if (
    long === undefined ||
    short === undefined ||
    long.notCurrent !== null ||
    short.notCurrent !== null ||
    long.value.interval_end !== short.value.interval_end
  )
    return null;
  const read = (estimate: Estimate): Quantity =>
    toQuantity({ source: estimate, dataTime: estimate.respondedAt }, estimate.value, 'funding_rate', asRate);
  return deriveQuantity(
    'per interval',
    'Predicted rate of the short leg, which it receives, − predicted rate of the long leg, which it pays.',
    [read(short), read(long)],
    ([one, other]) => (one && other ? one.minus(other) : null),
  );
}
