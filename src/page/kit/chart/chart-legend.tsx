import { Time } from '../time/time.tsx';
import type { ChartData, Ink, Readout } from '#model/charts/chart-data.ts';
import { type CSSProperties, useMemo, useSyncExternalStore } from 'react';
import { Figure } from '../figure.tsx';
import { findLegendBars, findWidestBars, type LegendBars, toEntries, widestOf } from './legend-text.ts';
import styles from './chart.module.css';
import type { Crosshair } from './chart-input.ts';
import type { LegendSwitches } from './legend-switches.ts';

/** The time of a bar. An instant has all zones in its tooltip; the date of a session is the same in all of them. */
export function BarTime({
  chartData: { times, timeText },
  bar,
}: {
  readonly chartData: Pick<ChartData, 'times' | 'timeText'>;
  readonly bar: number;
}) {
  const at = times[bar];
  if (typeof at !== 'number') return <>{timeText(bar)}</>;
  return <Time at={at * 1_000}>{timeText(bar)}</Time>;
}

interface ChartLegendProps {
  readonly chartData: ChartData;
  readonly crosshair: Crosshair;
  readonly switches?: LegendSwitches | undefined;
}

/** Figures of all panes at the crosshair; without one, each figure’s newest value, with its time if that differs. */
export function ChartLegend({ chartData, crosshair, switches }: ChartLegendProps) {
  const pointed = useSyncExternalStore(crosshair.subscribe, crosshair.read);
  const { times, timeName, readouts } = chartData;
  const entries = useMemo(() => [...toEntries(readouts)], [readouts]);
  const rest = useMemo(() => findLegendBars(chartData), [chartData]);
  const widest = useMemo(() => findWidest(chartData, rest), [chartData, rest]);
  const bar = Math.min(pointed ?? rest.bar, times.length - 1);
  if (bar < 0) return <dl className={styles['legend']} />;
  return (
    <dl className={styles['legend']} data-testid="legend" data-pointed={pointed !== null}>
      <div>
        <dt>{timeName}</dt>
        <dd data-widest={widest.time}>
          <BarTime chartData={chartData} bar={bar} />
        </dd>
      </div>
      {entries.map(([name, figures]) => (
        <div key={name} data-hidden={switches?.isHidden(name)}>
          <dt>
            {/* An entry without a colour is no series. */}
            {switches === undefined || figures[0].ink === undefined ? (
              <Named {...figures[0]} name={name} />
            ) : (
              <Switch readout={{ ...figures[0], name }} switches={switches} />
            )}
          </dt>
          {figures.map((readout, place) => (
            <dd key={readout.name} data-widest={widest.of.get(readout)}>
              {readout.entry && <span className={styles['unit']}>{readout.entry.figure} </span>}
              <LegendFigure
                readout={readout}
                chartData={chartData}
                bar={pointed === null ? rest.barOf(readout) : bar}
                rest={rest}
                isLast={place === figures.length - 1}
              />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

interface WidestTexts {
  readonly time: string;
  readonly of: ReadonlyMap<Readout, string>;
}

/**
 * Finds the widest texts. Figures keep that room, so that the legend and the chart below stay put as the pointer moves.
 */
function findWidest(chartData: ChartData, rest: LegendBars): WidestTexts {
  const { timeText, readouts } = chartData;
  const bars = findWidestBars(chartData);
  const lasts = new Set([...toEntries(readouts).values()].map((figures) => figures.at(-1)));
  const toText = (readout: Readout): string =>
    [
      readout.entry?.figure,
      widestOf(readout.text, bars),
      readout.unit,
      lasts.has(readout) && ownTime(readout, chartData, rest),
    ]
      .filter(Boolean)
      .join(' ');
  return { time: widestOf(timeText, bars), of: new Map(readouts.map((readout) => [readout, toText(readout)])) };
}

function ownTime(readout: Readout, { timeText }: ChartData, rest: LegendBars): string {
  const own = rest.barOf(readout);
  return own === rest.bar ? '' : `· ${timeText(own)}`;
}

interface LegendFigureProps {
  readonly readout: Readout;
  readonly chartData: ChartData;
  readonly bar: number;
  readonly rest: LegendBars;
  /** Whether it is the last of its entry, which names the time of all. */
  readonly isLast: boolean;
}

function LegendFigure({ readout, chartData, bar, rest, isLast }: LegendFigureProps) {
  const { name, unit, text, explain } = readout;
  const own = rest.barOf(readout);
  return (
    <>
      {explain === undefined ? text(bar) : <Figure name={name} text={text(bar)} provenance={() => explain(bar)} />}{' '}
      <span className={styles['unit']}>
        {unit}
        {isLast && own !== rest.bar && (
          <span className={styles['own']}>
            {' '}
            · <BarTime chartData={chartData} bar={own} />
          </span>
        )}
      </span>
    </>
  );
}

function Named({ name, ink, downInk, stroke }: Pick<Readout, 'name' | 'ink' | 'downInk' | 'stroke'>) {
  return (
    <>
      {ink !== undefined && <i className={styles['swatch']} data-stroke={stroke} style={inkVariable(ink, downInk)} />}
      {name}
    </>
  );
}

function Switch({
  readout,
  switches: { isHidden, toggle, isolate },
}: {
  readonly readout: Readout;
  readonly switches: LegendSwitches;
}) {
  const { name } = readout;
  return (
    <button
      type="button"
      className={styles['switch']}
      aria-pressed={!isHidden(name)}
      title="Click to hide or show; Shift+click or double-click to isolate"
      onClick={({ shiftKey, detail }) => {
        if (shiftKey || detail === 2) isolate(name);
        else toggle(name);
      }}
    >
      <Named {...readout} />
    </button>
  );
}

/**
 * Returns the colour of a swatch, or both if bars that fall have their own. The page’s policy allows style properties set
 * by script, but no style in markup.
 */
function inkVariable(ink: Ink, downInk: Ink | undefined): CSSProperties {
  const swatch =
    downInk === undefined ? `var(--${ink})` : `linear-gradient(90deg, var(--${ink}) 50%, var(--${downInk}) 50%)`;
  return { '--swatch': swatch } as CSSProperties;
}
