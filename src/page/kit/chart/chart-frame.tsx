import {
  createContext,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Column, ShowAll, Table } from '../table.tsx';
import { BarTime, ChartLegend } from './chart-legend.tsx';
import { ChartStage } from './chart-stage.tsx';
import type { LegendSwitches } from './legend-switches.ts';
import styles from './chart.module.css';
import type { ChartData, Scale } from '#model/charts/chart-data.ts';
import {
  type ChartHandle,
  createCrosshair,
  type Crosshair,
  type Press,
  pressOnChart,
  resetView,
  useAltKeys,
  useWheel,
} from './chart-input.ts';
import { findAgain } from './view-window.ts';
import type { KeyBinding } from '../keyboard.ts';
import { useKeys } from '../use-keys.tsx';
import { useRequiredContext } from '../use-required-context.ts';
import { useAnnounce } from '../live-region.tsx';
import { lazy } from '../lazy.tsx';
import { useColourKey, useZone } from '../use-preferences.tsx';
import { inZone, toTimeOptions } from './time-axis.ts';
import {
  describeOrigin,
  findEnds,
  type PictureOrigin,
  savePicture,
  toFileName,
  toPictureText,
} from './save-picture.ts';
import { toView, useZoomReport, WHOLE, type Zooming } from './zoom.ts';
import { type LevelAction, LevelKey } from './level-key.tsx';
import { BackToChart, type ChartView, toTableItem } from './chart-switches.tsx';
import { ExportMenu, type Exports } from '../export-menu.tsx';

/** Enough to read at once, and fast to render. */
const FIRST_ROWS = 250;

/** The figures of the chart, newest first. */
function ChartTable({ chartData, label }: { readonly chartData: ChartData; readonly label: string }) {
  const [all, setAll] = useState(false);
  const { times } = chartData;
  const columns = useMemo(() => toColumns(chartData), [chartData]);
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

function toColumns(chartData: ChartData): readonly Column<number>[] {
  const { timeName, readouts } = chartData;
  return [
    { name: timeName, pinned: 'start', cell: (bar) => <BarTime chartData={chartData} bar={bar} /> },
    ...readouts.map(({ name, unit, text }) => ({ name, unit, numeric: true, cell: text })),
  ];
}

interface StickyCrosshair extends Pick<ChartData, 'times'> {
  readonly crosshair: Crosshair;
  readonly chart: ChartHandle | null;
}

/** Keeps the crosshair on the same time when the chart’s times change, unless it follows the pointer. */
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
    // The library fits its view in the next frame, and the position of the crosshair is not known before.
    const frame = requestAnimationFrame(() => {
      chart?.point(moved);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [crosshair, chart, times]);
}

/** Loaded with the first screen that has a chart, because the library is large. This module preloads it. */
const ChartCanvas = lazy(
  async () => (await import('./lightweight-charts.tsx')).ChartCanvas,
  <div className={styles['loading']} />,
);
ChartCanvas.fetch().catch(() => undefined);

/** Takes keys on the chart before the chart does; returns whether it has taken one. */
export type TakeKey = (event: KeyboardEvent) => boolean;

/** What an overlay of a chart may use. */
export interface ChartTools {
  readonly chart: ChartHandle;
  readonly crosshair: Crosshair;
  readonly stageRef: RefObject<HTMLDivElement | null>;
  /** Does what a key does on the chart; returns whether it is one of the chart’s keys. */
  readonly press: (key: Press) => boolean;
  readonly takeKeyRef: RefObject<TakeKey | null>;
}

const OverlayContext = createContext<ChartTools | null>(null);

export function useChartTools(): ChartTools {
  return useRequiredContext(OverlayContext, 'chart');
}

interface ChartFrameProps {
  /** Name of the chart for screen readers, the table and the file. */
  readonly label: string;
  /** The chart in a sentence or two, for screen readers. */
  readonly summary: string;
  readonly chartData: ChartData;
  /** A new subject is shown whole; the same one keeps its view. */
  readonly subject: string;
  readonly scale: Scale;
  /** Absent if only one scale makes sense. */
  readonly onScale?: (scale: Scale) => void;
  readonly switches?: LegendSwitches;
  /** Absent if the address does not name the part in view. */
  readonly zooming?: Zooming;
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** Without extension. */
  readonly fileName: string;
  /** Where the data come from, for the image and its file name. */
  readonly origin?: PictureOrigin;
  /** The table and the picture are added. */
  readonly exports: Exports;
  readonly levelAction?: LevelAction | undefined;
  /** What is drawn and said over the chart. */
  readonly overlay?: ReactNode;
  /** Notes needed to read the chart correctly. */
  readonly remarks?: ReactNode;
}

/** A chart of figures over time, with legend, keys, table and exports. */
export function ChartFrame(props: ChartFrameProps) {
  const {
    label,
    summary,
    chartData,
    subject,
    scale,
    onScale,
    view,
    onView,
    fileName,
    origin,
    exports,
    remarks,
    switches,
    zooming,
    levelAction,
    overlay,
  } = props;
  const [crosshair] = useState(createCrosshair);
  const [chart, setChart] = useState<ChartHandle | null>(null);
  const colourKey = useColourKey();
  const [zone] = useZone();
  const drawn = useMemo(() => inZone(chartData, zone), [chartData, zone]);
  const timeOptions = useMemo(() => toTimeOptions(zone), [zone]);
  useStickyCrosshair({ crosshair, chart, times: chartData.times });
  const chosen = useMemo(() => toView(zooming?.zoom ?? WHOLE, chartData.times), [zooming?.zoom, chartData.times]);
  const count = chartData.times.length;
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
  const save = (drawnChart: ChartHandle) => () => {
    const ends = findEnds(drawnChart.view(), chartData.times);
    const text = toPictureText(chartData, {
      title: label,
      origin: origin && describeOrigin(origin, ends),
      summary,
      isHidden: switches?.isHidden,
      colorOf: drawnChart.colorOf,
    });
    savePicture(
      drawnChart.toCanvas(),
      text,
      `${origin === undefined ? fileName : toFileName(fileName, origin, ends)}.png`,
    );
  };
  return (
    <div className={styles['frame']} data-view={view}>
      <div className={styles['bar']}>
        {view === 'chart' && <ChartLegend {...{ chartData, crosshair, switches }} />}
        <div className={styles['buttons']}>
          <BackToChart view={view} onView={onView} />
          <ExportMenu
            {...exports}
            more={[
              ...(chart === null ? [] : [{ label: 'PNG', remark: 'picture', run: save(chart) }]),
              ...(exports.more ?? []),
              ...toTableItem({ view, onView }),
            ]}
          />
        </div>
      </div>
      {view === 'table' ? (
        <ChartTable chartData={chartData} label={label} />
      ) : (
        <Stage {...{ label, summary, chartData, chart, crosshair, zooming, overlay }}>
          <ChartCanvas
            {...{ scale, colourKey, crosshair, subject, timeOptions, chosen }}
            chartData={drawn}
            onHandle={setChart}
            onDoubleClick={reset}
          />
        </Stage>
      )}
      {levelAction !== undefined && chart !== null && (
        <LevelKey action={levelAction} crosshair={crosshair} chart={chart} />
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
  readonly chartData: ChartData;
  readonly chart: ChartHandle | null;
  readonly crosshair: ReturnType<typeof createCrosshair>;
  readonly zooming: Zooming | undefined;
  readonly overlay: ChartFrameProps['overlay'];
  readonly children: ReactNode;
}

function Stage({ label, summary, chartData, chart, crosshair, zooming, overlay, children }: StageProps) {
  const announce = useAnnounce();
  const stage = useRef<HTMLDivElement>(null);
  const takeKey = useRef<TakeKey>(null);
  const count = chartData.times.length;
  const tools = useMemo(
    () =>
      chart && {
        chart,
        crosshair,
        stageRef: stage,
        takeKeyRef: takeKey,
        press: (key: Press) => pressOnChart(key, { chart, crosshair, count }),
      },
    [chart, crosshair, count],
  );
  useWheel(stage, { chart, crosshair, count: chartData.times.length });
  useZoomReport(stage, { chart, times: chartData.times, zooming });
  const press = (event: KeyboardEvent): void => {
    // Keys in a field or a dialog of the overlay are its own.
    if (event.target !== event.currentTarget) return;
    if (takeKey.current?.(event) === true) {
      event.preventDefault();
      return;
    }
    if (chart === null || !pressOnChart(event, { chart, crosshair, count: chartData.times.length })) return;
    event.preventDefault();
    const bar = crosshair.read();
    if (bar !== null) announce(describeBar(chartData, bar));
  };
  return (
    <ChartStage
      ref={stage}
      className={styles['stage']}
      style={{ '--least-height': `${String(findLeastHeight(chartData))}px` } as CSSProperties}
      label={label}
      description={`${summary} ${KEYS_IN_WORDS}`}
      onKeyDown={press}
    >
      {children}
      {tools !== null && <OverlayContext value={tools}>{overlay}</OverlayContext>}
    </ChartStage>
  );
}

/** Enough for two labels at the axis. */
const SLIM_PX = 72;
const TIME_AXIS_PX = 28;

/** Returns the height in which slim panes can be read; 0 without any. */
function findLeastHeight({ panes }: ChartData): number {
  const total = panes.reduce((sum, { share }) => sum + share, 0);
  const slim = panes.filter((pane) => pane.slim === true).map(({ share }) => (SLIM_PX * total) / share);
  return slim.length === 0 ? 0 : Math.ceil(Math.max(...slim)) + TIME_AXIS_PX;
}

const KEYS_IN_WORDS =
  'Left and right arrows move by one bar, with Control or Command by one page. Control or Command with up and down ' +
  'arrows zooms. The Export menu shows the same data as a table.';

function describeBar({ timeText, readouts }: ChartData, bar: number): string {
  return [timeText(bar), ...readouts.map(({ name, unit, text }) => `${name} ${text(bar)} ${unit}`)].join(', ');
}

const group = 'Chart';
const KEYS: readonly KeyBinding[] = [
  { keys: '← →', label: 'Previous or next bar', group },
  { keys: 'Mod+← Mod+→', label: 'One page left or right', group },
  { keys: 'Mod+↑ Mod+↓', label: 'Zoom in or out', group },
  { keys: 'Wheel', label: 'Zoom at the pointer (Mod+wheel where the page scrolls)', group },
  { keys: 'Alt+r', label: 'Show the whole range', group },
  { keys: 'Double-click', label: 'Undo zooming and dragging', group },
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
