import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { createCursor, type Cursor } from '#ui/chart/cursor.ts';
import { useLook } from '#ui/chart/use-look.ts';
import { FactList } from '#ui/fact-list.tsx';
import hidden from '#ui/hidden.module.css';
import { useNote } from '#ui/floating/note-context.tsx';
import { useSingleKeys, useZone } from '#ui/preferences/use-preferences.tsx';
import { step, toCommand } from '#ui/grid/grid-keys.ts';
import { formatInstant } from '#ui/time/format-time.ts';
import { explainHeat } from './explain-heat.ts';
import type { HeatTableProps } from './heat-table.tsx';
import { HeatCanvas } from './heat-canvas.tsx';
import { HeatDaysRow } from './heat-days-row.tsx';
import { CELL, HEAD } from './heat-paint.ts';
import { describeHeat } from './heat-text.ts';
import styles from './heatmap.module.css';

interface HeatmapProps extends HeatTableProps {
  /** The same in sentences, for those who do not see it. */
  readonly summary: string;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** What stands there, wherever that is once others are ranked before it, or a newer interval has settled. */
interface Cell {
  readonly symbol: string;
  readonly end: number;
}

/** Room for the names, as in the style sheet. */
const NAMES = 72;
/** Rows that Page Up and Page Down move. */
const PAGE = 5;

/** Perpetuals by intervals: painted, with one real cell where the keyboard is. */
export function Heatmap({ label, summary, perpetuals, rows, boundaries, side, source }: HeatmapProps) {
  const [cursor] = useState(createCursor);
  const [zone] = useZone();
  const letters = useSingleKeys();
  const look = useLook();
  const columns = boundaries.length;
  const [wanted, setWanted] = useState<Cell | null>(null);
  const place = findPlace(wanted, perpetuals, boundaries);
  const setPlace = ({ row, column }: Place): void => {
    setWanted({ symbol: perpetuals[row]?.symbol ?? '', end: boundaries[column] ?? 0 });
  };
  const host = useRef<HTMLDivElement>(null);
  const help = useId();
  const { pin } = useNote();
  useStartAtNewest(host, columns);
  useFocusOn(host, wanted);
  const keptFocus = useKeptFocus(host);

  const tell = ({ row, column }: Place): string => {
    const [perpetual, cell] = [perpetuals[row], rows[row]?.[column]];
    if (perpetual === undefined || cell === undefined) return '';
    const end = boundaries[column] ?? 0;
    return `${perpetual.symbol}, ${formatInstant(end, zone)}, ${describeHeat(perpetual, cell, end, side)}`;
  };
  const explainAt = (anchor: Element): void => {
    const [perpetual, cell] = [perpetuals[place.row], rows[place.row]?.[place.column]];
    if (perpetual === undefined || cell === undefined) return;
    pin({ anchor, title: tell(place), content: <FactList facts={explainHeat(perpetual, cell, boundaries[place.column] ?? 0, source)} /> });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const command = toCommand(event, false, letters);
    if ((command?.does === 'note' || command?.does === 'open') && event.target instanceof Element) explainAt(event.target);
    else if (command?.does === 'move') {
      const next = step(command.to, { line: place.row, place: place.column }, { lines: rows.length, columns, page: PAGE }, 0);
      setPlace({ row: next.line, column: next.place });
    } else return;
    event.preventDefault();
  };
  const placeAt = (event: MouseEvent): Place | null => toPlaceAt(event, host.current, { rows: rows.length, columns });
  return (
    <div className={styles['map']}>
      <p id={help} className={hidden['hidden']}>
        {summary} Arrows move from cell to cell. {letters ? 'I' : 'Enter'} tells where a rate comes from. The button Table gives the same as a table.
      </p>
      <Readout cursor={cursor} tell={(at) => tell(toPlaceOf(at, columns))} rest={tell(place)} />
      <div
        className={styles['scroll']}
        ref={host}
        onFocus={() => {
          keptFocus.onFocus();
          // What the keyboard stands on is not exchanged for what settles next.
          if (wanted === null) setPlace(place);
        }}
        onBlur={keptFocus.onBlur}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const at = placeAt(event);
          if (at !== null) setPlace(at);
        }}
        onPointerMove={(event: PointerEvent) => {
          const at = placeAt(event);
          cursor.set(at === null ? null : at.row * columns + at.column);
        }}
        onPointerLeave={() => {
          cursor.set(null);
        }}
      >
        <div className={styles['plane']} style={{ inlineSize: NAMES + columns * CELL, blockSize: HEAD + rows.length * CELL }}>
          <HeatCanvas {...{ rows, columns, side, look }} />
          <HeatDaysRow boundaries={boundaries} scroller={host} names={NAMES} />
          <div role="grid" aria-label={label} aria-rowcount={rows.length} aria-colcount={columns + 1} aria-describedby={help}>
            {perpetuals.map(({ symbol }, row) => (
              <div key={symbol} role="row" aria-rowindex={row + 1} className={styles['row']}>
                <span role="rowheader" aria-colindex={1} className={styles['name']}>
                  {symbol}
                </span>
                {row === place.row && <ActiveCell key={boundaries[place.column]} column={place.column} text={tell(place)} />}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function ActiveCell({ column, text }: { readonly column: number; readonly text: string }) {
  return (
    <span role="gridcell" aria-colindex={column + 2} aria-label={text} tabIndex={0} className={styles['cell']} style={{ insetInlineStart: NAMES + column * CELL }} />
  );
}

interface ReadoutProps {
  readonly cursor: Cursor;
  readonly tell: (at: number) => string;
  /** What is told where nothing is pointed at: the cell of the keyboard. */
  readonly rest: string;
}

/** The cell pointed at, in words. Only this is drawn anew as the pointer moves. */
function Readout({ cursor, tell, rest }: ReadoutProps) {
  const at = useSyncExternalStore(cursor.subscribe, cursor.read);
  return (
    <p className={styles['readout']} data-testid="heat-readout">
      {at === null ? rest : tell(at)}
    </p>
  );
}

/** The newest of the first row where there is none. */
function findPlace(cell: Cell | null, perpetuals: HeatmapProps['perpetuals'], boundaries: HeatmapProps['boundaries']): Place {
  const [row, column] = [perpetuals.findIndex(({ symbol }) => symbol === cell?.symbol), boundaries.indexOf(cell?.end ?? NaN)];
  return { row: Math.max(0, row), column: column === -1 ? boundaries.length - 1 : column };
}

function toPlaceOf(at: number, columns: number): Place {
  return { row: Math.floor(at / columns), column: at % columns };
}

/** The cell below the pointer; none over the names and the days. */
function toPlaceAt({ clientX, clientY }: MouseEvent, scroller: HTMLElement | null, size: { readonly rows: number; readonly columns: number }): Place | null {
  if (scroller === null) return null;
  const box = scroller.getBoundingClientRect();
  if (clientX - box.left < NAMES) return null;
  const column = Math.floor((clientX - box.left + scroller.scrollLeft - NAMES) / CELL);
  const row = Math.floor((clientY - box.top + scroller.scrollTop - HEAD) / CELL);
  return row < 0 || row >= size.rows || column < 0 || column >= size.columns ? null : { row, column };
}

/** The newest intervals stand at the right, and are seen first. */
function useStartAtNewest(host: React.RefObject<HTMLDivElement | null>, columns: number): void {
  useEffect(() => {
    host.current?.scrollTo({ left: host.current.scrollWidth });
  }, [host, columns]);
}

/** Moves the keyboard to the cell that it asked for. */
function useFocusOn(host: React.RefObject<HTMLDivElement | null>, wanted: Cell | null): void {
  useLayoutEffect(() => {
    if (wanted === null) return;
    focusCell(host.current);
  }, [host, wanted]);
}

/** The cell is another element where it is of another row or interval: the keyboard, where it was in the map, goes along. */
function useKeptFocus(host: React.RefObject<HTMLDivElement | null>) {
  const held = useRef(false);
  useLayoutEffect(() => {
    if (held.current && host.current?.contains(document.activeElement) === false) focusCell(host.current, { preventScroll: true });
  });
  return {
    onFocus: () => {
      held.current = true;
    },
    onBlur: () => {
      // The window may lose the keyboard, and the cell have it again when it is back.
      held.current = host.current?.contains(document.activeElement) === true;
    },
  };
}

function focusCell(host: HTMLElement | null, options?: FocusOptions): void {
  host?.querySelector<HTMLElement>('[role="gridcell"]')?.focus(options);
}
