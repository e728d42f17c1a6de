import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { KeyBinding } from '../keys/keyboard.ts';
import { useKeys } from '../keys/use-keys.tsx';
import { useAnnounce } from '../live-region.tsx';
import { later } from '../later.tsx';
import hidden from '../hidden.module.css';
import { useZone } from '../preferences/use-preferences.tsx';
import { pressOnChart, resetView } from './chart-keys.ts';
import { ChartLegend, type LegendSwitches } from './chart-legend.tsx';
import { ChartTable } from './chart-table.tsx';
import styles from './chart.module.css';
import { createCursor } from './cursor.ts';
import type { Drawing } from './drawing.ts';
import { inZone } from './in-zone.ts';
import type { Picture, Scale } from './picture.ts';
import { toPictureText } from './picture-text.ts';
import { savePicture } from './save-picture.ts';
import { toTimeOptions } from './time-axis.ts';
import { useAltKeys } from './use-alt-keys.ts';
import { useKeptBar } from './use-kept-bar.ts';
import { useLook } from './use-look.ts';
import { useWheel } from './use-wheel.ts';
import { ViewToggle, type ChartView } from './view-toggle.tsx';

/** The library is large: it comes with the first screen that has a chart, and is on its way before the chart is. */
const ChartCanvas = later(async () => (await import('./lightweight-charts.tsx')).ChartCanvas, <div className={styles['waiting']} />);
ChartCanvas.fetch().catch(() => undefined);

interface ChartFrameProps {
  /** What the picture is of: for screen readers, the table and the file. */
  readonly label: string;
  /** The same as the picture in a sentence or two, for those who do not see it. */
  readonly summary: string;
  readonly picture: Picture;
  /** Another subject is seen whole at first; the same one keeps the part that is looked at. */
  readonly subject: string;
  readonly scale: Scale;
  /** Left out where no other scale makes sense. */
  readonly onScale?: (scale: Scale) => void;
  readonly switches?: LegendSwitches;
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** Without its ending. */
  readonly fileName: string;
  /** More that can be done with the data. */
  readonly actions?: ReactNode;
  /** What has to be known to read it right. */
  readonly remarks?: ReactNode;
}

/** A picture of figures over time, with its legend, keys, table and file. It knows nothing of what it shows. */
export function ChartFrame(props: ChartFrameProps) {
  const { label, summary, picture, subject, scale, onScale, view, onView, fileName, actions, remarks, switches } = props;
  const [cursor] = useState(createCursor);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const look = useLook();
  const [zone] = useZone();
  const drawn = useMemo(() => inZone(picture, zone), [picture, zone]);
  const timeOptions = useMemo(() => toTimeOptions(zone), [zone]);
  useKeptBar({ cursor, drawing, times: picture.times });
  const count = picture.times.length;
  const reset = useCallback(() => {
    if (drawing !== null) resetView({ drawing, cursor, count });
  }, [drawing, cursor, count]);
  const toggleLog = useMemo(
    () =>
      onScale &&
      (() => {
        onScale(scale === 'log' ? 'linear' : 'log');
      }),
    [onScale, scale],
  );
  useAltKeys(useMemo(() => ({ KeyR: reset, ...(toggleLog && { KeyL: toggleLog }) }), [reset, toggleLog]));
  useKeys(toggleLog === undefined ? KEYS : KEYS_WITH_SCALE);
  return (
    <div className={styles['frame']}>
      <div className={styles['bar']}>
        {view === 'chart' && <ChartLegend {...{ picture, cursor, switches }} />}
        <div className={styles['buttons']}>
          {actions}
          <button
            type="button"
            disabled={drawing === null}
            onClick={() => {
              if (drawing !== null) savePicture(drawing.toCanvas(), toPictureText(picture, { title: label, summary, isHidden: switches?.isHidden, colorOf: drawing.colorOf }), `${fileName}.png`);
            }}
          >
            PNG
          </button>
          <ViewToggle view={view} onView={onView} />
        </div>
      </div>
      {view === 'table' ? (
        <ChartTable picture={picture} label={label} />
      ) : (
        <Stage {...{ label, summary, picture, drawing, cursor }}>
          <ChartCanvas {...{ scale, look, cursor, subject, timeOptions }} picture={drawn} onDrawing={setDrawing} />
        </Stage>
      )}
      <p className={styles['foot']}>
        {remarks}
        <Credit />
      </p>
    </div>
  );
}

interface StageProps {
  readonly label: string;
  readonly summary: string;
  readonly picture: Picture;
  readonly drawing: Drawing | null;
  readonly cursor: ReturnType<typeof createCursor>;
  readonly children: ReactNode;
}

function Stage({ label, summary, picture, drawing, cursor, children }: StageProps) {
  const announce = useAnnounce();
  const id = useId();
  const stage = useRef<HTMLDivElement>(null);
  useWheel(stage, { drawing, cursor, count: picture.times.length });
  const press = (event: KeyboardEvent): void => {
    if (drawing === null || !pressOnChart(event, { drawing, cursor, count: picture.times.length })) return;
    event.preventDefault();
    const bar = cursor.read();
    if (bar !== null) announce(describeBar(picture, bar));
  };
  return (
    <div ref={stage} className={styles['stage']} role="application" aria-roledescription="chart" aria-label={label} aria-describedby={id} tabIndex={0} onKeyDown={press}>
      <p className={hidden['hidden']} id={id}>
        {summary} Arrows move from bar to bar, with Control or Command by a page, and up and down, or the wheel, with them zoom. The button Table gives the same as a table.
      </p>
      {children}
    </div>
  );
}

function describeBar({ timeText, readouts }: Picture, bar: number): string {
  return [timeText(bar), ...readouts.map(({ name, unit, text }) => `${name} ${text(bar)} ${unit}`)].join(', ');
}

const group = 'Chart';
const KEYS: readonly KeyBinding[] = [
  { keys: '← →', does: 'From bar to bar', group },
  { keys: 'Mod+← Mod+→', does: 'By a page of bars', group },
  { keys: 'Mod+↑ Mod+↓', does: 'Zoom in and out', group },
  { keys: 'Mod+wheel', does: 'Zoom in and out at the pointer', group },
  { keys: 'Alt+r', does: 'See all of the range', group },
];
const KEYS_WITH_SCALE: readonly KeyBinding[] = [...KEYS, { keys: 'Alt+l', does: 'Logarithmic scale on and off', group }];

/** What the library's licence asks for. */
function Credit() {
  return (
    <span className={styles['credit']}>
      Drawn with TradingView Lightweight Charts™, © TradingView, Inc.,{' '}
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        tradingview.com
      </a>
    </span>
  );
}
