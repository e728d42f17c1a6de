import { useId, useMemo } from 'react';
import { formatPercent } from '#domain/format-number.ts';
import { toDecimal, type Decimal } from '#domain/decimal.ts';
import { createFundingSpread, measureSpread, type SpreadMeasures } from '#domain/funding/funding-spread.ts';
import type { Source } from '#domain/source.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/source-cells.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import { withNotes } from '#ui/chart/with-notes.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import type { Perpetual } from './compare-row.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import { createSpreadNotes } from './rates-notes.ts';
import { toSpreadPicture } from './to-spread-picture.ts';
import type { NamedWindow } from './windows.ts';
import styles from './funding.module.css';

interface SpreadChartProps {
  readonly perpetuals: readonly Perpetual[];
  readonly window: NamedWindow;
  readonly anchor: number;
  readonly source: Source;
  /** Who stands for a leg that the reader did not choose. */
  readonly usual: readonly string[];
}

/** One perpetual held long against another held short. */
export function SpreadChart({ perpetuals, window, anchor, source, usual }: SpreadChartProps) {
  const [longName, setLong] = useUrlState(COMPARE_PARAMS.long);
  const [shortName, setShort] = useUrlState(COMPARE_PARAMS.short);
  const [usualLong, usualShort] = usual;
  const find = (name: string, other: string | undefined): Perpetual | undefined =>
    perpetuals.find(({ symbol }) => symbol === name) ?? perpetuals.find(({ symbol }) => symbol === other);
  const [long, short] = [find(longName, usualLong), find(shortName, usualShort)];
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
      </div>
      {long === undefined || short === undefined || long === short ? (
        <Nothing title="Two different perpetuals make a spread">
          <p>Choose one to be long and another to be short.</p>
        </Nothing>
      ) : (
        <Spread {...{ long, short, window, anchor, source }} />
      )}
    </>
  );
}

interface LegProps {
  readonly label: string;
  readonly value: string;
  readonly perpetuals: readonly Perpetual[];
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

interface SpreadProps extends Pick<SpreadChartProps, 'window' | 'anchor' | 'source'> {
  readonly long: Perpetual;
  readonly short: Perpetual;
}

function Spread({ long, short, window, anchor, source }: SpreadProps) {
  const [view, setView] = useUrlState(COMPARE_PARAMS.spreadView);
  const [zone] = useZone();
  const { from, to } = window;
  const spread = useMemo(() => createFundingSpread(long.series, short.series), [long.series, short.series]);
  const drawn = useMemo(() => toSpreadPicture(spread, { window: { from, to }, anchor, timeText: (at) => formatInstant(at, zone) }), [spread, from, to, anchor, zone]);
  const picture = useMemo(() => withNotes(drawn.picture, createSpreadNotes(spread, { long, short }, drawn, source)), [drawn, spread, long, short, source]);
  const measures = useMemo(() => measureSpread(spread, { from, to }), [spread, from, to]);
  const name = `${long.symbol} minus ${short.symbol}`;
  const fileName = `funding-spread-${long.symbol}-${short.symbol}-${window.id}`;
  const save = (): void => {
    const legs = spread.common.filter(({ end }) => end > from && end <= to);
    const first = spread.common.findIndex(({ end }) => end > from);
    const rows = legs.map(({ end, long: a, short: b }, index): readonly Cell[] => [
      ...[new Date(end).toISOString(), long.symbol, short.symbol],
      ...[long.series.rate(a), short.series.rate(b), spread.difference(first + index), spread.sums.sum(first, first + index + 1).negated()].map(toDigits),
      ...toSourceCells(source),
    ]);
    download(`${fileName}.csv`, toCsv(['interval_end', 'long', 'short', 'long_rate', 'short_rate', 'spread', 'carry_so_far', ...SOURCE_HEADING], rows));
  };
  return (
    <>
      <p className={styles['told']}>{tell(measures, long.symbol, short.symbol)}</p>
      <ChartFrame
        label={`Funding of ${name}, % per 8 h, ${window.label}`}
        summary={tell(measures, long.symbol, short.symbol)}
        {...{ picture, view, fileName }}
        subject={`${name} ${window.id} ${String(from)}`}
        scale="linear"
        onView={setView}
        actions={
          <button type="button" onClick={save}>
            CSV
          </button>
        }
        remarks={<span>Only intervals that both settled; carry is what one who is long {long.symbol} and short {short.symbol}, for the same notional, received.</span>}
      />
    </>
  );
}

function toDigits(value: Decimal): Cell {
  return { digits: value.toFixed() };
}

const SIGNED = { digits: 4, signed: true };

function tell({ prints, intervals, sum, carry, carryApr }: SpreadMeasures, long: string, short: string): string {
  const coverage = `${String(prints)} of ${String(intervals)} intervals in common`;
  if (carry === null) return `Long ${long}, short ${short}: no figure, ${coverage}.`;
  const verb = carry.isZero() ? 'was neither paid nor received' : carry.isNegative() ? 'was paid' : 'was received';
  const amount = carry.isZero() ? 'nothing' : `${formatPercent(carry.abs(), { digits: 4 })} % of one leg`;
  const yearly = formatPercent(carryApr ?? toDecimal('0'), { digits: 2, signed: true });
  return `Long ${long}, short ${short}: ${amount} ${verb}, carry ${formatPercent(carry, SIGNED)} % = ${yearly} % APR, simple; rates apart by ${formatPercent(sum, SIGNED)} % in all; ${coverage}.`;
}
