import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ShowAll } from '../show-all.tsx';
import { type Column, Table } from '../table.tsx';
import { BarTime } from './bar-time.tsx';
import styles from './chart.module.css';
import type { Picture, Scale } from '#model/charts/picture.ts';
import { createCrosshair, type Crosshair } from './crosshair.ts';
import type { ChartHandle } from './chart-handle.ts';
import { findAgain } from './view-window.ts';
import type { KeyBinding } from '../keys/keyboard.ts';
import { useKeys } from '../keys/use-keys.tsx';
import { useAnnounce } from '../live-region.tsx';
import { lazy } from '../lazy.tsx';
import hidden from '../hidden.module.css';
import { useColourKey, useZone } from '../preferences/use-preferences.tsx';
import { pressOnChart, resetView } from './chart-keys.ts';
import { ChartLegend, type LegendSwitches } from './chart-legend.tsx';
import { inZone, toTimeOptions } from './time-axis.ts';
import { describeOrigin, findEnds, type PictureOrigin, toFileName } from './picture-origin.ts';
import { toPictureText } from './picture-text.ts';
import { savePicture } from './save-picture.ts';
import { useAltKeys, useWheel } from './use-chart-input.ts';
import { useZoomReport, type Zooming } from './use-zoom-report.ts';
import { toView, WHOLE } from './zoom.ts';
import { type ChartView, ViewToggle } from './view-toggle.tsx';

/** More than anyone reads at once, and fast to render. */
const FIRST_ROWS = 250;

/** The figures of the picture, newest first. */
function ChartTable({ picture, label }: { readonly picture: Picture; readonly label: string }) {
  const [all, setAll] = useState(false);
  const { times } = picture;
  const columns = useMemo(() => toColumns(picture), [picture]);
  const rows = useMemo(() => times.map((_, index) => times.length - 1 - index), [times]);
  const shown = all ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <Table caption={label} columns={columns} rows={shown} keyOf={(index) => String(times[index] ?? index)} />
      {shown.length < rows.length && (
        <ShowAll
          className={styles['more']}
          onShow={() => {
            setAll(true);
          }}
        >
          The newest {shown.length} of {rows.length}.
        </ShowAll>
      )}
    </>
  );
}

function toColumns(picture: Picture): readonly Column<number>[] {
  const { timeName, readouts } = picture;
  return [
    { name: timeName, pinned: 'start', cell: (bar) => <BarTime picture={picture} bar={bar} /> },
    ...readouts.map(({ name, unit, text }) => ({ name, unit, numeric: true, cell: text })),
  ];
}

interface StickyCrosshair extends Pick<Picture, 'times'> {
  readonly crosshair: Crosshair;
  readonly chart: ChartHandle | null;
}

/** Keeps the crosshair on the same time when the times change, unless it follows the pointer. */
function useStickyCrosshair({ crosshair, chart, times }: StickyCrosshair): void {
  const last = useRef(times);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = times;
    const bar = crosshair.read();
    if (bar === null || crosshair.isFollowing()) return undefined;
    const moved = findAgain(bar, before, times);
    if (moved === bar && times.length === before.length) return undefined;
    crosshair.set(moved);
    // The library fits its view in the next frame; only then is the crosshair’s position known.
    const frame = requestAnimationFrame(() => {
      chart?.point(moved);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [crosshair, chart, times]);
}

/** The library is large: it is loaded with the first screen that has a chart, and preloaded by this module. */
const ChartCanvas = lazy(
  async () => (await import('./lightweight-charts.tsx')).ChartCanvas,
  <div className={styles['loading']} />,
);
ChartCanvas.fetch().catch(() => undefined);

interface ChartFrameProps {
  /** Name of the chart for screen readers, the table and the file. */
  readonly label: string;
  /** The chart in a sentence or two, for screen readers. */
  readonly summary: string;
  readonly picture: Picture;
  /** Another subject is shown whole; the same one keeps its view. */
  readonly subject: string;
  readonly scale: Scale;
  /** Absent where only one scale makes sense. */
  readonly onScale?: (scale: Scale) => void;
  readonly switches?: LegendSwitches;
  /** Absent where the part in view has no address. */
  readonly zooming?: Zooming;
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** Without extension. */
  readonly fileName: string;
  /** Named in the image and in its file name. */
  readonly origin?: PictureOrigin;
  /** Further actions on the data. */
  readonly actions?: ReactNode;
  /** Notes needed to read it correctly. */
  readonly remarks?: ReactNode;
}

/** A chart of figures over time, with legend, keys, table and image export. */
export function ChartFrame(props: ChartFrameProps) {
  const {
    label,
    summary,
    picture,
    subject,
    scale,
    onScale,
    view,
    onView,
    fileName,
    origin,
    actions,
    remarks,
    switches,
    zooming,
  } = props;
  const [crosshair] = useState(createCrosshair);
  const [chart, setChart] = useState<ChartHandle | null>(null);
  const colourKey = useColourKey();
  const [zone] = useZone();
  const drawn = useMemo(() => inZone(picture, zone), [picture, zone]);
  const timeOptions = useMemo(() => toTimeOptions(zone), [zone]);
  useStickyCrosshair({ crosshair, chart, times: picture.times });
  const chosen = useMemo(() => toView(zooming?.zoom ?? WHOLE, picture.times), [zooming?.zoom, picture.times]);
  const count = picture.times.length;
  const reset = useCallback(() => {
    if (chart !== null) resetView({ chart, crosshair, count });
  }, [chart, crosshair, count]);
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
    <div className={styles['frame']} data-view={view}>
      <div className={styles['bar']}>
        {view === 'chart' && <ChartLegend {...{ picture, crosshair, switches }} />}
        <div className={styles['buttons']}>
          {actions}
          <button
            type="button"
            disabled={chart === null}
            onClick={() => {
              if (chart === null) return;
              const ends = findEnds(chart.view(), picture.times);
              const text = toPictureText(picture, {
                title: label,
                origin: origin && describeOrigin(origin, ends),
                summary,
                isHidden: switches?.isHidden,
                colorOf: chart.colorOf,
              });
              savePicture(
                chart.toCanvas(),
                text,
                `${origin === undefined ? fileName : toFileName(fileName, origin, ends)}.png`,
              );
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
        <Stage {...{ label, summary, picture, chart, crosshair, zooming }}>
          <ChartCanvas
            {...{ scale, colourKey, crosshair, subject, timeOptions, chosen }}
            picture={drawn}
            onHandle={setChart}
          />
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
  readonly chart: ChartHandle | null;
  readonly crosshair: ReturnType<typeof createCrosshair>;
  readonly zooming: Zooming | undefined;
  readonly children: ReactNode;
}

function Stage({ label, summary, picture, chart, crosshair, zooming, children }: StageProps) {
  const announce = useAnnounce();
  const id = useId();
  const stage = useRef<HTMLDivElement>(null);
  useWheel(stage, { chart, crosshair, count: picture.times.length });
  useZoomReport(stage, { chart, times: picture.times, zooming });
  const press = (event: KeyboardEvent): void => {
    if (chart === null || !pressOnChart(event, { chart, crosshair, count: picture.times.length })) return;
    event.preventDefault();
    const bar = crosshair.read();
    if (bar !== null) announce(describeBar(picture, bar));
  };
  return (
    <div
      ref={stage}
      className={styles['stage']}
      role="application"
      aria-roledescription="chart"
      aria-label={label}
      aria-describedby={id}
      tabIndex={0}
      onKeyDown={press}
    >
      <p className={hidden['hidden']} id={id}>
        {summary} Left and right arrows move by one bar, with Control or Command by one page. Control or Command with up
        and down arrows zooms. The Table button shows the same data as a table.
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
  { keys: '← →', label: 'Previous or next bar', group },
  { keys: 'Mod+← Mod+→', label: 'One page left or right', group },
  { keys: 'Mod+↑ Mod+↓', label: 'Zoom in or out', group },
  { keys: 'Wheel', label: 'Zoom at the pointer (Mod+wheel where the page scrolls)', group },
  { keys: 'Alt+r', label: 'Show the whole range', group },
];
const KEYS_WITH_SCALE: readonly KeyBinding[] = [...KEYS, { keys: 'Alt+l', label: 'Toggle logarithmic scale', group }];

/** Attribution required by the library’s licence. */
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
