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
import type { HeatCell, HeatmapMark } from '#model/charts/heatmap.ts';
import type { Fact } from '#model/format/provenance.ts';
import { useColourKey, useSingleKeys } from '#page/kit/use-preferences.tsx';
import styles from './heatmap.module.css';
import { CELL, HEAD, NAMES, paintHeatmap, readHeatmapColours, toCellWidth } from './paint-heatmap.ts';
import { createCrosshair, type Crosshair } from '#page/kit/chart/chart-input.ts';
import { FactList } from '#page/kit/fact-list.tsx';
import hidden from '#page/kit/hidden.module.css';
import { useTooltip } from '#page/kit/use-tooltip.tsx';
import { step, toCommand } from '#page/kit/grid/grid-keys.ts';

interface HeatmapCanvasProps {
  readonly rows: readonly (readonly HeatCell[])[];
  readonly columns: number;
  /** The width of a column, in CSS pixels. */
  readonly width: number;
  /** Changes whenever the colours change. */
  readonly look: string;
}

const HeatmapCanvas = memo(function HeatmapCanvas({ rows, columns, width, look }: HeatmapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = { inlineSize: columns * width, blockSize: HEAD + rows.length * CELL };
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (canvas.current === null || !context) return;
    const ratio = devicePixelRatio;
    canvas.current.width = Math.round(columns * width * ratio);
    canvas.current.height = Math.round((HEAD + rows.length * CELL) * ratio);
    context.scale(ratio, ratio);
    paintHeatmap(context, { rows, columns, width }, readHeatmapColours(document.body), ratio);
  }, [rows, columns, width, look]);
  return <canvas ref={canvas} className={styles['canvas']} style={size} aria-hidden="true" />;
});

interface HeatmapProps {
  readonly label: string;
  /** For screen readers. */
  readonly summary: string;
  /** What a cell has, such as `rate`. */
  readonly noun: string;
  /** Where the same figures are, in a sentence. */
  readonly elsewhere: string;
  /** Of the rows. */
  readonly names: readonly string[];
  /** Of the columns, oldest first. */
  readonly keys: readonly (string | number)[];
  /** One row of cells per name. */
  readonly rows: readonly (readonly HeatCell[])[];
  /** Returns the names above the cells at a width of columns. The function must keep its identity between renders. */
  readonly marksOf: (width: number) => readonly HeatmapMark[];
  readonly describe: (place: Place) => string;
  readonly explain: (place: Place) => readonly Fact[];
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** A cell by name and key, so that it stays the same when rows are reordered or a column is added. */
interface Cell {
  readonly name: string;
  readonly key: string | number;
}

/** The number of rows that Page Up and Page Down move by. */
const PAGE = 5;

/** A heatmap of rows over time. It is painted on a canvas, with one real cell at the keyboard's position. */
export function Heatmap(props: HeatmapProps) {
  const { label, summary, noun, elsewhere, names, keys, rows, marksOf, describe, explain } = props;
  const [cursor] = useState(createCrosshair);
  const letters = useSingleKeys();
  const look = useColourKey();
  const columns = keys.length;
  const map = useRef<HTMLDivElement>(null);
  const width = useCellWidth(map, columns);
  const [focused, setFocused] = useState<Cell | null>(null);
  const place = findPlace(focused, names, keys);
  const setPlace = ({ row, column }: Place): void => {
    setFocused({ name: names[row] ?? '', key: keys[column] ?? '' });
  };
  const host = useRef<HTMLDivElement>(null);
  const help = useId();
  const { peek, pin } = useTooltip();
  useStartAtNewest(host, columns * width);
  useFocusOn(host, focused);
  const keptFocus = useKeptFocus(host);

  const describeAt = (at: Place): string => (rows[at.row]?.[at.column] === undefined ? '' : describe(at));
  const explainAt = (anchor: Element, show: typeof pin): void => {
    if (rows[place.row]?.[place.column] === undefined) return;
    show({ anchor, title: describe(place), content: <FactList facts={explain(place)} /> });
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
        {summary} Arrow keys move between cells. Press {letters ? 'I' : 'Enter'} to see where a {noun} comes from.{' '}
        {elsewhere}
      </p>
      <Readout cursor={cursor} describeAt={(at) => describeAt(toPlaceOf(at, columns))} rest={describeAt(place)} />
      <div
        className={styles['scroll']}
        ref={host}
        onFocus={() => {
          keptFocus.onFocus();
          // From now on this cell keeps the focus, even when a column is added.
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
          <HeatmapCanvas {...{ rows, columns, width, look }} />
          <Marks marksOf={marksOf} scroller={host} width={width} />
          <div
            role="grid"
            aria-label={label}
            aria-rowcount={rows.length}
            aria-colcount={columns + 1}
            aria-describedby={help}
          >
            {names.map((name, row) => (
              <div key={name} role="row" aria-rowindex={row + 1} className={styles['row']}>
                <span role="rowheader" aria-colindex={1} className={styles['name']}>
                  {name}
                </span>
                {row === place.row && (
                  <ActiveCell key={keys[place.column]} column={place.column} width={width} text={describeAt(place)} />
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

/** Returns the place of a cell. The default is the newest column of the first row. */
function findPlace(cell: Cell | null, names: readonly string[], keys: HeatmapProps['keys']): Place {
  const column = cell === null ? -1 : keys.indexOf(cell.key);
  return { row: Math.max(0, names.indexOf(cell?.name ?? '')), column: column === -1 ? keys.length - 1 : column };
}

function toPlaceOf(at: number, columns: number): Place {
  return { row: Math.floor(at / columns), column: at % columns };
}

/** Returns the cell under the pointer; null over names and marks. */
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

/** Scrolls to the right end at first, where the newest columns are. */
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

interface MarksProps extends Pick<HeatmapProps, 'marksOf'> {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The width of a column, in CSS pixels. */
  readonly width: number;
}

/** Less than 1, because rounding can take a fraction off a fully visible name. */
const WHOLE = 0.99;

/** The days or months above the cells. A truncated name would read as a different date, so it is hidden. */
const Marks = memo(function Marks({ marksOf, scroller, width }: MarksProps) {
  const marks = useMemo(() => marksOf(width), [marksOf, width]);
  useEffect(() => {
    const observer = new IntersectionObserver(markCut, {
      root: scroller.current,
      rootMargin: `0px 0px 0px ${-NAMES}px`,
      threshold: WHOLE,
    });
    for (const mark of scroller.current?.querySelectorAll('[data-day]') ?? []) observer.observe(mark);
    return () => {
      observer.disconnect();
    };
  }, [marks, scroller]);
  return (
    <div className={styles['days']} aria-hidden="true">
      {marks.map(({ column, name }) => (
        <span key={column} data-day style={{ insetInlineStart: NAMES + column * width }}>
          {name}
        </span>
      ))}
    </div>
  );
});

function markCut(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, intersectionRatio } of entries) target.toggleAttribute('data-cut', intersectionRatio < WHOLE);
}
