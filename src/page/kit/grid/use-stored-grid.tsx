import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { defaultGridState, type GridColumn, type GridState } from '#model/tables/grid.ts';
import { createStoredValue, type Frame, parseFields, type StoredValue, toFields } from '../stored-value.ts';
import { useStable } from '../use-stable.ts';
import type { KeyBinding } from '../keyboard.ts';
import { useKeys } from '../use-keys.tsx';
import { useSingleKeys } from '../use-preferences.tsx';
import { FactList } from '../fact-list.tsx';
import { useLoadErrorToast } from '../toast.tsx';
import type { TooltipContent } from '../tooltip.tsx';
import { useTooltip } from '../use-tooltip.tsx';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import type { GridCell, GridEvents, GridProps } from './grid-props.ts';
import { useNavigator } from '../navigation.tsx';
import type { ColumnsButton } from './columns-button.tsx';

/** The parts of the column layout that the user has changed. */
export type ColumnLayout = Partial<Pick<GridState, 'order' | 'widths' | 'hidden' | 'pinned'>>;

const VERSION = 1;

/**
 * Ignores a stored layout of another version, or with unknown columns. Columns that are newer than the layout are
 * hidden, and follow the column that they follow by default.
 *
 * @internal Exported for its test.
 */
export function createLayoutStore(frame: Frame, name: string, columns: readonly string[]): StoredValue<ColumnLayout> {
  return createStoredValue<ColumnLayout>(frame, `perpdesk.${name}.layout`, {
    parse: (text) => parseLayout(text, columns),
    format: formatLayout,
  });
}

/** Whether the column layout has changed; parts of a state are replaced when they change. */
export function isLayoutChanged(state: GridState, next: GridState): boolean {
  return (
    next.order !== state.order ||
    next.hidden !== state.hidden ||
    next.widths !== state.widths ||
    next.pinned !== state.pinned
  );
}

export function toLayout({ order, widths, hidden, pinned }: GridState): ColumnLayout {
  return { order, widths, hidden, pinned };
}

function formatLayout(layout: ColumnLayout): string {
  return JSON.stringify({ version: VERSION, ...layout });
}

function parseLayout(text: string | null, columns: readonly string[]): ColumnLayout {
  const { order, widths, hidden, pinned } = parseFields(text, VERSION);
  const { start, end } = toFields(pinned);
  if (!isListOf(order, columns) || !isListOf(hidden, columns) || !isListOf(start, columns) || !isListOf(end, columns))
    return {};
  if (new Set(order).size !== order.length) return {};
  const added = columns.filter((id) => !order.includes(id));
  const known = Object.entries(toFields(widths)).filter(
    ([id, width]) => columns.includes(id) && typeof width === 'number',
  );
  return {
    order: insertAdded(order, columns, added),
    hidden: [...hidden, ...added],
    pinned: { start, end },
    widths: Object.fromEntries(known) as Readonly<Record<string, number>>,
  };
}

function insertAdded(
  order: readonly string[],
  columns: readonly string[],
  added: readonly string[],
): readonly string[] {
  return added.reduce(
    (kept, id) => kept.toSpliced(kept.indexOf(columns[columns.indexOf(id) - 1] ?? '') + 1, 0, id),
    order,
  );
}

function isListOf(value: unknown, ids: readonly string[]): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && ids.includes(id));
}

interface StoredLayout {
  readonly store: StoredValue<ColumnLayout>;
  /** The layout at the last `refresh`. */
  readonly layout: ColumnLayout;
  readonly refresh: () => void;
}

/**
 * Returns a grid’s column layout, stored in this browser under a name. Narrow windows have their own name and layout.
 */
export function useStoredLayout(name: string, columns: readonly string[]): StoredLayout {
  const ids = columns.join();
  const store = useMemo(() => createLayoutStore(window, name, ids.split(',')), [name, ids]);
  const stored = useMemo(() => store.read(), [store]);
  const [changed, setChanged] = useState<Pick<StoredLayout, 'store' | 'layout'> | null>(null);
  const refresh = (): void => {
    setChanged({ store, layout: store.read() });
  };
  return { store, layout: changed?.store === store ? changed.layout : stored, refresh };
}

type Arrangement = Partial<Pick<GridState, 'sorts' | 'grouping' | 'closed'>>;

interface StoredGridOptions {
  /** Storage name of the column layout; another set of columns has another name. */
  readonly name: string;
  readonly columns: readonly GridColumn<never>[];
  /** The parts that the screen keeps in its address. Must keep its identity between renders. */
  readonly arrangement: Arrangement;
  readonly arrange: (next: GridState) => void;
  /**
   * Columns that the address sorts by, shown even if the layout hides them, so that the order is explained. Must keep
   * its identity between renders.
   */
  readonly linked?: readonly string[];
  /** The layout to start from if none is stored under the name. */
  readonly inherited?: { readonly name: string; readonly adapt: (layout: ColumnLayout) => ColumnLayout };
}

interface StoredGrid {
  readonly state: GridState;
  readonly set: (next: GridState) => void;
  readonly resetLayout: () => void;
}

const NONE: readonly string[] = [];

/** Returns a grid’s state: the column layout from this browser, the rest from the screen. */
export function useStoredGrid({
  name,
  columns,
  arrangement,
  arrange,
  linked = NONE,
  inherited,
}: StoredGridOptions): StoredGrid {
  const ids = columns.map(({ id }) => id);
  const general = useStoredLayout(inherited?.name ?? name, ids);
  const special = useStoredLayout(name, ids);
  const { store, layout: own, refresh } = inherited === undefined ? general : special;
  const layout = useStable(own.order === undefined && inherited !== undefined ? inherited.adapt(general.layout) : own);
  const defaults = useMemo(() => defaultGridState(columns), [columns]);
  const { hidden } = { ...defaults, ...layout };
  const state = useStable(
    useMemo(
      () => ({ ...defaults, ...layout, hidden: hidden.filter((id) => !linked.includes(id)), ...arrangement }),
      [defaults, layout, hidden, linked, arrangement],
    ),
  );
  return {
    state,
    set: (next) => {
      const isHidden = ({ id }: { readonly id: string }): boolean => linked.includes(id) && next.hidden.includes(id);
      if (isLayoutChanged(state, next)) {
        const stayHidden = hidden.filter((id) => linked.includes(id) && !next.hidden.includes(id));
        store.write({ ...toLayout(next), hidden: [...next.hidden, ...stayHidden] });
        refresh();
      }
      // Hiding a column that is shown because the list is sorted by it ends the sorting.
      if (!isLayoutChanged(state, next) || next.sorts.some(isHidden))
        arrange({ ...next, sorts: next.sorts.filter((sort) => !isHidden(sort)) });
    },
    resetLayout: () => {
      store.clear();
      refresh();
    },
  };
}

const NO_KEYS: readonly KeyBinding[] = [];

/** Lists the keys of a grid while it is mounted; returns whether its single-letter keys are on. */
export function useGridKeys(filters = true): boolean {
  const [listed, setListed] = useState(NO_KEYS);
  useEffect(() => {
    // Only the list of shortcuts shows their texts, so the grid does not wait for them.
    import('./grid-key-list.ts').then(
      ({ KEYS, FILTERING }) => {
        setListed(filters ? FILTERING : KEYS);
      },
      () => undefined,
    );
  }, [filters]);
  useKeys(listed);
  return useSingleKeys();
}

/** The tooltip of a cell; its texts may have to be loaded first. */
export type ExplainCell<Row> = (cell: GridCell<Row>) => CellTooltip | null | Promise<CellTooltip | null>;

type TooltipEvents<Row> = Pick<GridEvents<Row>, 'onExplain' | 'onPeek' | 'onPeekLost' | 'onPoint'>;

/** Opens tooltips of cells: by a click, by `i`, and on hover if the user enabled that. */
export function useGridTooltips<Row>(explain: ExplainCell<Row>): TooltipEvents<Row> {
  const control = useTooltip();
  const showLoadError = useLoadErrorToast();
  return useMemo(() => createTooltipEvents(explain, control, showLoadError), [explain, control, showLoadError]);
}

function createTooltipEvents<Row>(
  explain: ExplainCell<Row>,
  { hover, leave, peek, unpeek, pin }: ReturnType<typeof useTooltip>,
  showLoadError: () => void,
): TooltipEvents<Row> {
  let last: GridCell<Row> | null = null;
  const showTooltip = async (cell: GridCell<Row>, show: (content: TooltipContent) => void): Promise<void> => {
    last = cell;
    const tooltip = await explain(cell);
    if (tooltip !== null && last === cell)
      show({ anchor: cell.element, title: tooltip.title, content: <FactList facts={tooltip.facts} /> });
  };
  const showBy = (show: (content: TooltipContent) => void) => (cell: GridCell<Row>) => {
    showTooltip(cell, show).catch(showLoadError);
  };
  const point = (cell: GridCell<Row> | null, show: (content: TooltipContent) => void): void => {
    last = null;
    leave();
    if (cell !== null) showBy(show)(cell);
  };
  return {
    onExplain: showBy(pin),
    onPeek: showBy(peek),
    onPeekLost: () => {
      last = null;
      unpeek();
    },
    onPoint:
      hover === null
        ? undefined
        : (cell) => {
            point(cell, hover);
          },
  };
}

interface LinkedGridOptions<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly stored: StoredGrid;
  /** Must keep its identity between renders. */
  readonly explain: ExplainCell<Row>;
  /** Returns the address of the screen that a row opens. */
  readonly toPath: (row: Row) => string;
}

interface LinkedGrid<Row> {
  readonly grid: Omit<GridProps<Row>, 'label' | 'rows'>;
  readonly columnsButton: ComponentProps<typeof ColumnsButton>;
}

/**
 * Returns the props of a grid whose rows open other screens. The screen filters it, and a dialog chooses its columns.
 */
export function useLinkedGrid<Row>({ columns, stored, explain, toPath }: LinkedGridOptions<Row>): LinkedGrid<Row> {
  const navigator = useNavigator();
  const letters = useGridKeys(false);
  const tooltips = useGridTooltips(explain);
  const [isOpen, setOpen] = useState(false);
  const table = { columns, state: stored.state, set: stored.set };
  const grid = {
    table,
    letters,
    filters: false,
    onColumnMenu: () => {
      setOpen(true);
    },
    onOpen: (row: Row) => {
      navigator.go(toPath(row));
    },
    ...tooltips,
  };
  return { grid, columnsButton: { table, reset: stored.resetLayout, isOpen, setOpen } };
}
