import { useMemo, useSyncExternalStore } from 'react';
import { Figure } from '../figure.tsx';
import { findAtRest, type AtRest } from './at-rest.ts';
import { BarTime } from './bar-time.tsx';
import styles from './chart.module.css';
import type { Cursor } from './cursor.ts';
import { inkVariable } from './ink-style.ts';
import { toEntries } from './legend-entries.ts';
import type { Picture, Readout } from './picture.ts';

/** Lets the reader hide what is drawn, one by one or all but one. */
export interface LegendSwitches {
  readonly isHidden: (name: string) => boolean;
  readonly toggle: (name: string) => void;
  /** Shows only this one; all again where it is the only one. */
  readonly isolate: (name: string) => void;
}

interface ChartLegendProps {
  readonly picture: Picture;
  readonly cursor: Cursor;
  readonly switches?: LegendSwitches | undefined;
}

/** The figures of the bar pointed at, for all panes in one place; else the newest that there are, each of another bar with its time. */
export function ChartLegend({ picture, cursor, switches }: ChartLegendProps) {
  const pointed = useSyncExternalStore(cursor.subscribe, cursor.read);
  const { times, timeName, readouts } = picture;
  const entries = useMemo(() => [...toEntries(readouts)], [readouts]);
  const rest = useMemo(() => findAtRest(picture), [picture]);
  const bar = Math.min(pointed ?? rest.bar, times.length - 1);
  if (bar < 0) return <dl className={styles['legend']} />;
  return (
    <dl className={styles['legend']} data-testid="legend" data-pointed={pointed !== null}>
      <div>
        <dt>{timeName}</dt>
        <dd>
          <BarTime picture={picture} bar={bar} />
        </dd>
      </div>
      {entries.map(([name, figures]) => (
        <div key={name} data-hidden={switches?.isHidden(name)}>
          <dt>{switches === undefined ? <Named {...figures[0]} name={name} /> : <Switch readout={figures[0]} switches={switches} />}</dt>
          {figures.map((readout) => (
            <dd key={readout.name}>
              {readout.entry && <span className={styles['unit']}>{readout.entry.figure} </span>}
              <Told readout={readout} picture={picture} bar={pointed === null ? rest.barOf(readout) : bar} rest={rest} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

interface ToldProps {
  readonly readout: Readout;
  readonly picture: Picture;
  readonly bar: number;
  readonly rest: AtRest;
}

/** A figure tells where it comes from, as figures do everywhere. */
function Told({ readout, picture, bar, rest }: ToldProps) {
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

/** A press hides or shows, one with Shift, or two in a row, shows this one alone. */
function Switch({ readout, switches: { isHidden, toggle, isolate } }: { readonly readout: Readout; readonly switches: LegendSwitches }) {
  const { name } = readout;
  return (
    <button
      type="button"
      className={styles['switch']}
      aria-pressed={!isHidden(name)}
      title="Hide or show; with Shift, or twice: only this one"
      onClick={({ shiftKey, detail }) => {
        if (shiftKey || detail === 2) isolate(name);
        else toggle(name);
      }}
    >
      <Named {...readout} />
    </button>
  );
}
