import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useColourKey, useSingleKeys, useZone } from '#page/kit/use-preferences.tsx';
import { formatDayIn, formatInstant } from '#model/format/format-time.ts';
import { describeCell, explainCell, keepReadable, listHeatmapDays } from '#model/tables/funding/heatmap.ts';
import styles from './heatmap.module.css';
import type { FundingSide } from '#model/funding/funding-rate.ts';
import type { HeatmapCell } from '#model/funding/heatmap-cells.ts';
import { CELL, HEAD, paintHeatmap, readHeatmapColours, toCellWidth } from './paint-heatmap.ts';
import { createCrosshair, type Crosshair } from '#page/kit/chart/chart-input.ts';
import { FactList } from '#page/kit/fact-list.tsx';
import hidden from '#page/kit/hidden.module.css';
import { useTooltip } from '#page/kit/use-tooltip.tsx';
import { step, toCommand } from '#page/kit/grid/grid-keys.ts';
import type { HeatmapTableProps } from './heatmap-table.tsx';

interface HeatmapCanvasProps {
  readonly rows: readonly (readonly HeatmapCell[])[];
  readonly columns: number;
  readonly side: FundingSide;
  /** The width of a column, in CSS pixels. */
  readonly width: number;
  /** Changes whenever the colours change. */
  readonly look: string;
}

const HeatmapCanvas = memo(function HeatmapCanvas({ rows, columns, side, width, look }: HeatmapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = { inlineSize: columns * width, blockSize: HEAD + rows.length * CELL };
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (canvas.current === null || !context) return;
    const ratio = devicePixelRatio;
    canvas.current.width = Math.round(columns * width * ratio);
    canvas.current.height = Math.round((HEAD + rows.length * CELL) * ratio);
    context.scale(ratio, ratio);
    paintHeatmap(context, { rows, columns, side, width }, readHeatmapColours(document.body), ratio);
  }, [rows, columns, side, width, look]);
  return <canvas ref={canvas} className={styles['canvas']} style={size} aria-hidden="true" />;
});

interface HeatmapProps extends HeatmapTableProps {
  /** For screen readers. */
  readonly summary: string;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** A cell by symbol and funding time, so that it stays the same when rows are reordered or an interval is added. */
interface Cell {
  readonly symbol: string;
  readonly end: number;
}

/** The width of the symbol column, as in the style sheet. */
const NAMES = 72;
/** The number of rows that Page Up and Page Down move by. */
const PAGE = 5;

/** A heatmap of perpetuals by intervals. It is painted on a canvas, with one real cell at the keyboard's position. */
export function Heatmap({ label, summary, perpetuals, rows, fundingTimes, side, source }: HeatmapProps) {
  const [cursor] = useState(createCrosshair);
  const [zone] = useZone();
  const letters = useSingleKeys();
  const look = useColourKey();
  const columns = fundingTimes.length;
  const map = useRef<HTMLDivElement>(null);
  const width = useCellWidth(map, columns);
  const [focused, setFocused] = useState<Cell | null>(null);
  const place = findPlace(focused, perpetuals, fundingTimes);
  const setPlace = ({ row, column }: Place): void => {
    setFocused({ symbol: perpetuals[row]?.symbol ?? '', end: fundingTimes[column] ?? 0 });
  };
  const host = useRef<HTMLDivElement>(null);
  const help = useId();
  const { peek, pin } = useTooltip();
  useStartAtNewest(host, columns * width);
  useFocusOn(host, focused);
  const keptFocus = useKeptFocus(host);

  const describeAt = ({ row, column }: Place): string => {
    const [perpetual, cell] = [perpetuals[row], rows[row]?.[column]];
    if (perpetual === undefined || cell === undefined) return '';
    const end = fundingTimes[column] ?? 0;
    return `${perpetual.symbol}, ${formatInstant(end, zone)}, ${describeCell(perpetual, cell, end, side)}`;
  };
  const explainAt = (anchor: Element, show: typeof pin): void => {
    const [perpetual, cell] = [perpetuals[place.row], rows[place.row]?.[place.column]];
    if (perpetual === undefined || cell === undefined) return;
    show({
      anchor,
      title: describeAt(place),
      content: <FactList facts={explainCell(perpetual, cell, fundingTimes[place.column] ?? 0, source)} />,
    });
  };
  const isClicked = useRef(false);
  // A layout effect, because the clicked cell must get its element first.
  useLayoutEffect(() => {
    const cell = isClicked.current ? host.current?.querySelector('[role="gridcell"]') : null;
    isClicked.current = false;
    if (cell) explainAt(cell, peek);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const command = toCommand(event, false, letters);
    if ((command?.type === 'explain' || command?.type === 'open') && event.target instanceof Element)
      explainAt(event.target, pin);
    else if (command?.type === 'move') {
      const next = step(
        command.to,
        { line: place.row, place: place.column },
        { lines: rows.length, columns, page: PAGE },
        0,
      );
      setPlace({ row: next.line, column: next.place });
    } else return;
    event.preventDefault();
  };
  const placeAt = (event: MouseEvent): Place | null =>
    toPlaceAt(event, host.current, { rows: rows.length, columns, width });
  return (
    <div className={styles['map']} ref={map}>
      <p id={help} className={hidden['hidden']}>
        {summary} Arrow keys move between cells. Press {letters ? 'I' : 'Enter'} to see where a rate comes from. The
        Table button shows the same rates as a table.
      </p>
      <Readout cursor={cursor} describeAt={(at) => describeAt(toPlaceOf(at, columns))} rest={describeAt(place)} />
      <div
        className={styles['scroll']}
        ref={host}
        onFocus={() => {
          keptFocus.onFocus();
          // From now on this cell keeps the focus, even when a newer interval settles.
          if (focused === null) setPlace(place);
        }}
        onBlur={keptFocus.onBlur}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const at = placeAt(event);
          if (at === null) return;
          setPlace(at);
          isClicked.current = true;
        }}
        onPointerMove={(event: PointerEvent) => {
          const at = placeAt(event);
          cursor.set(at === null ? null : at.row * columns + at.column);
        }}
        onPointerLeave={() => {
          cursor.set(null);
        }}
      >
        <div
          className={styles['plane']}
          style={{ inlineSize: NAMES + columns * width, blockSize: HEAD + rows.length * CELL }}
        >
          <HeatmapCanvas {...{ rows, columns, side, width, look }} />
          <HeatmapDaysRow fundingTimes={fundingTimes} scroller={host} names={NAMES} width={width} />
          <div
            role="grid"
            aria-label={label}
            aria-rowcount={rows.length}
            aria-colcount={columns + 1}
            aria-describedby={help}
          >
            {perpetuals.map(({ symbol }, row) => (
              <div key={symbol} role="row" aria-rowindex={row + 1} className={styles['row']}>
                <span role="rowheader" aria-colindex={1} className={styles['name']}>
                  {symbol}
                </span>
                {row === place.row && (
                  <ActiveCell
                    key={fundingTimes[place.column]}
                    column={place.column}
                    width={width}
                    text={describeAt(place)}
                  />
                )}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function ActiveCell({
  column,
  width,
  text,
}: {
  readonly column: number;
  readonly width: number;
  readonly text: string;
}) {
  return (
    <span
      role="gridcell"
      aria-colindex={column + 2}
      aria-label={text}
      tabIndex={0}
      className={styles['cell']}
      style={{ insetInlineStart: NAMES + column * width, inlineSize: width }}
    />
  );
}

interface ReadoutProps {
  readonly cursor: Crosshair;
  readonly describeAt: (at: number) => string;
  /** The keyboard's cell, shown while the pointer is elsewhere. */
  readonly rest: string;
}

/** Describes the cell under the pointer. Only this component renders as the pointer moves. */
function Readout({ cursor, describeAt, rest }: ReadoutProps) {
  const at = useSyncExternalStore(cursor.subscribe, cursor.read);
  return (
    <p className={styles['readout']} data-testid="heat-readout">
      {at === null ? rest : describeAt(at)}
    </p>
  );
}

/** Returns the place of a cell. The default is the newest interval of the first row. */
function findPlace(
  cell: Cell | null,
  perpetuals: HeatmapProps['perpetuals'],
  fundingTimes: HeatmapProps['fundingTimes'],
): Place {
  const [row, column] = [
    perpetuals.findIndex(({ symbol }) => symbol === cell?.symbol),
    fundingTimes.indexOf(cell?.end ?? NaN),
  ];
  return { row: Math.max(0, row), column: column === -1 ? fundingTimes.length - 1 : column };
}

function toPlaceOf(at: number, columns: number): Place {
  return { row: Math.floor(at / columns), column: at % columns };
}

/** Returns the cell under the pointer; null over symbols and days. */
function toPlaceAt(
  { clientX, clientY }: MouseEvent,
  scroller: HTMLElement | null,
  size: { readonly rows: number; readonly columns: number; readonly width: number },
): Place | null {
  if (scroller === null) return null;
  const box = scroller.getBoundingClientRect();
  if (clientX - box.left < NAMES) return null;
  const column = Math.floor((clientX - box.left + scroller.scrollLeft - NAMES) / size.width);
  const row = Math.floor((clientY - box.top + scroller.scrollTop - HEAD) / CELL);
  return row < 0 || row >= size.rows || column < 0 || column >= size.columns ? null : { row, column };
}

/** Scrolls to the right end at first, where the newest intervals are. */
function useStartAtNewest(host: React.RefObject<HTMLDivElement | null>, cellsWidth: number): void {
  useEffect(() => {
    host.current?.scrollTo({ left: host.current.scrollWidth });
  }, [host, cellsWidth]);
}

/** Returns a column width at which all columns fit, if possible. */
function useCellWidth(map: React.RefObject<HTMLDivElement | null>, columns: number): number {
  const [room, setSpace] = useState(0);
  useLayoutEffect(() => {
    if (map.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      setSpace(entry?.contentRect.width ?? 0);
    });
    observer.observe(map.current);
    return () => {
      observer.disconnect();
    };
  }, [map]);
  return toCellWidth(room - NAMES, columns);
}

function useFocusOn(host: React.RefObject<HTMLDivElement | null>, focused: Cell | null): void {
  useLayoutEffect(() => {
    if (focused === null) return;
    focusCell(host.current);
  }, [host, focused]);
}

/** Keeps the focus within the heatmap when the focused cell moves, because a moved cell is a new element. */
function useKeptFocus(host: React.RefObject<HTMLDivElement | null>) {
  const held = useRef(false);
  useLayoutEffect(() => {
    if (held.current && host.current?.contains(document.activeElement) === false)
      focusCell(host.current, { preventScroll: true });
  });
  return {
    onFocus: () => {
      held.current = true;
    },
    onBlur: () => {
      // If only the window loses focus, the cell gets it back later.
      held.current = host.current?.contains(document.activeElement) === true;
    },
  };
}

function focusCell(host: HTMLElement | null, options?: FocusOptions): void {
  host?.querySelector<HTMLElement>('[role="gridcell"]')?.focus(options);
}

interface HeatmapDaysRowProps {
  readonly fundingTimes: readonly number[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** The width of the sticky symbol column, which the cells scroll under. */
  readonly names: number;
  /** The width of a column, in CSS pixels. */
  readonly width: number;
}

/** Less than 1, because rounding can take a fraction off a fully visible name. */
const WHOLE = 0.99;

/** The days above the cells. A truncated name would read as a different date, so it is hidden. */
const HeatmapDaysRow = memo(function HeatmapDaysRow({ fundingTimes, scroller, names, width }: HeatmapDaysRowProps) {
  const [zone] = useZone();
  const days = useMemo(
    () =>
      keepReadable(
        listHeatmapDays(fundingTimes, (at) => formatDayIn(at, zone)),
        { columns: fundingTimes.length, width },
      ),
    [fundingTimes, zone, width],
  );
  useEffect(() => {
    const observer = new IntersectionObserver(markCut, {
      root: scroller.current,
      rootMargin: `0px 0px 0px ${-names}px`,
      threshold: WHOLE,
    });
    for (const day of scroller.current?.querySelectorAll('[data-day]') ?? []) observer.observe(day);
    return () => {
      observer.disconnect();
    };
  }, [days, scroller, names]);
  return (
    <div className={styles['days']} aria-hidden="true">
      {days.map(({ column, name }) => (
        <span key={fundingTimes[column]} data-day style={{ insetInlineStart: names + column * width }}>
          {name}
        </span>
      ))}
    </div>
  );
});

function markCut(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, intersectionRatio } of entries) target.toggleAttribute('data-cut', intersectionRatio < WHOLE);
}
