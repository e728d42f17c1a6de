import { useSyncExternalStore } from 'react';
import styles from './chart.module.css';
import type { Cursor } from './cursor.ts';
import { inkVariable } from './ink-style.ts';
import type { Picture } from './picture.ts';

/** The figures of the bar pointed at, else of the last, for all panes in one place. */
export function ChartLegend({ picture, cursor }: { readonly picture: Picture; readonly cursor: Cursor }) {
  const pointed = useSyncExternalStore(cursor.subscribe, cursor.read);
  const { times, timeName, timeText, readouts } = picture;
  const last = times.length - 1;
  const bar = Math.min(pointed ?? last, last);
  if (bar < 0) return <dl className={styles['legend']} />;
  return (
    <dl className={styles['legend']} data-testid="legend">
      <div>
        <dt>{timeName}</dt>
        <dd>{timeText(bar)}</dd>
      </div>
      {readouts.map(({ name, unit, ink, text }) => (
        <div key={name}>
          <dt>
            {ink !== undefined && <i className={styles['swatch']} style={inkVariable(ink)} />}
            {name}
          </dt>
          <dd>
            {text(bar)} <span className={styles['unit']}>{unit}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
