import { useMemo, useSyncExternalStore } from 'react';
import type { CSSProperties } from 'react';
import { Figure } from '../controls/figure.tsx';
import { findLegendBars, type LegendBars } from './legend-bars.ts';
import { BarTime } from './bar-time.tsx';
import styles from './chart.module.css';
import type { Crosshair } from './crosshair.ts';
import { toEntries } from './legend-entries.ts';
import { findWidestBars, widestOf } from './widest-text.ts';
import type { Ink, Picture, Readout } from '#model/charts/picture.ts';

/** Hides series one by one, or all but one. */
export interface LegendSwitches {
  readonly isHidden: (name: string) => boolean;
  readonly toggle: (name: string) => void;
  /** Shows only this one, or all again where it is the only one. */
  readonly isolate: (name: string) => void;
}

interface ChartLegendProps {
  readonly picture: Picture;
  readonly crosshair: Crosshair;
  readonly switches?: LegendSwitches | undefined;
}

/** Figures of all panes at the crosshair; without it each figure’s newest value, with its time where that differs. */
export function ChartLegend({ picture, crosshair, switches }: ChartLegendProps) {
  const pointed = useSyncExternalStore(crosshair.subscribe, crosshair.read);
  const { times, timeName, readouts } = picture;
  const entries = useMemo(() => [...toEntries(readouts)], [readouts]);
  const rest = useMemo(() => findLegendBars(picture), [picture]);
  const widest = useMemo(() => findWidest(picture, rest), [picture, rest]);
  const bar = Math.min(pointed ?? rest.bar, times.length - 1);
  if (bar < 0) return <dl className={styles['legend']} />;
  return (
    <dl className={styles['legend']} data-testid="legend" data-pointed={pointed !== null}>
      <div>
        <dt>{timeName}</dt>
        <dd data-widest={widest.time}>
          <BarTime picture={picture} bar={bar} />
        </dd>
      </div>
      {entries.map(([name, figures]) => (
        <div key={name} data-hidden={switches?.isHidden(name)}>
          <dt>
            {switches === undefined ? (
              <Named {...figures[0]} name={name} />
            ) : (
              <Switch readout={figures[0]} switches={switches} />
            )}
          </dt>
          {figures.map((readout) => (
            <dd key={readout.name} data-widest={widest.of.get(readout)}>
              {readout.entry && <span className={styles['unit']}>{readout.entry.figure} </span>}
              <LegendFigure
                readout={readout}
                picture={picture}
                bar={pointed === null ? rest.barOf(readout) : bar}
                rest={rest}
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

/** Figures keep this room, so that the legend, and what is below it, stays in place while the pointer moves. */
function findWidest(picture: Picture, rest: LegendBars): WidestTexts {
  const { timeText, readouts } = picture;
  const bars = findWidestBars(picture);
  const toText = (readout: Readout): string =>
    [readout.entry?.figure, widestOf(readout.text, bars), readout.unit, ownTime(readout, picture, rest)]
      .filter(Boolean)
      .join(' ');
  return { time: widestOf(timeText, bars), of: new Map(readouts.map((readout) => [readout, toText(readout)])) };
}

function ownTime(readout: Readout, { timeText }: Picture, rest: LegendBars): string {
  const own = rest.barOf(readout);
  return own === rest.bar ? '' : `· ${timeText(own)}`;
}

interface LegendFigureProps {
  readonly readout: Readout;
  readonly picture: Picture;
  readonly bar: number;
  readonly rest: LegendBars;
}

function LegendFigure({ readout, picture, bar, rest }: LegendFigureProps) {
  const { name, unit, text, explain } = readout;
  const own = rest.barOf(readout);
  return (
    <>
      {explain === undefined ? text(bar) : <Figure name={name} text={text(bar)} provenance={() => explain(bar)} />}{' '}
      <span className={styles['unit']}>
        {unit}
        {own !== rest.bar && (
          <span className={styles['own']}>
            {' '}
            · <BarTime picture={picture} bar={own} />
          </span>
        )}
      </span>
    </>
  );
}

function Named({ name, ink, stroke }: Pick<Readout, 'name' | 'ink' | 'stroke'>) {
  return (
    <>
      {ink !== undefined && <i className={styles['swatch']} data-stroke={stroke} style={inkVariable(ink)} />}
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

/** Colour of a swatch. The page’s policy allows style properties set by script, but no style in markup. */
function inkVariable(ink: Ink): CSSProperties {
  return { '--swatch': `var(--${ink})` } as CSSProperties;
}
