import { resizeColumn, sortByColumn } from './change-columns.ts';
import { GridActions, WIDGETS } from './grid-actions.ts';
import { recordExport } from '#model/tables/exported-rows.ts';
import { type GridCommand, toCommand } from './grid-keys.ts';
import type { GridHost, GridSurface } from './grid-surface.ts';
import { flash } from '../flash.ts';
import type { RowElement } from './row-pool.ts';

/** Adds a listener for the lifetime of the grid. */
type Listen = <Type extends keyof HTMLElementEventMap>(
  type: Type,
  listener: (event: HTMLElementEventMap[Type]) => void,
) => void;

/** Handles the pointer on cells and headers. The keyboard can do everything that the pointer can. */
function listenToPointer<Row>(actions: GridActions<Row>, on: Listen): void {
  const { surface } = actions;
  const peek = watchPeek(actions, on);
  listenToDrag(actions, on);
  listenToHead(actions, on);
  // Not on pointerdown: a touch may be the start of a scroll.
  on('click', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line < 0) return;
    if (surface.scene.rows.groupAt(spot.line) !== undefined) actions.open(spot.line);
    else if (isPeek(event, actions)) peek(event.target);
  });
  on('dblclick', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line < 0 || isOnWidget(event) || surface.scene.rows.groupAt(spot.line) !== undefined)
      return;
    // The first of the two clicks may have opened a tooltip.
    actions.events.onPeekLost?.();
    actions.open(spot.line);
  });
  listenToHover(actions, on);
  listenToFocus(actions, on);
}

/**
 * Whether an event is one plain click on a figure. While a panel shows the active row, a click only chooses the row.
 */
function isPeek<Row>(event: MouseEvent, actions: GridActions<Row>): boolean {
  const { scene } = actions.surface;
  const isPlain = event.detail === 1 && !event.shiftKey && !event.ctrlKey && !event.metaKey && !isOnWidget(event);
  if (!isPlain || scene.opened !== '') return false;
  const column = scene.plan.columns[actions.surface.spotOf(event.target)?.place ?? -1]?.column;
  return column?.kind === 'number' || (isTouch(event) && hasWidgets(actions));
}

/** Whether an event is a touch, which has no hover. */
function isTouch(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch';
}

/** Whether cells have links that open rows. Without the double tap, a tap can explain any cell. */
function hasWidgets<Row>({ surface }: GridActions<Row>): boolean {
  return surface.scene.plan.columns.some(({ column }) => column.draw !== undefined);
}

function isOnWidget({ target }: Event): boolean {
  return target instanceof Element && target.closest(WIDGETS) !== null;
}

/** Returns a function that explains a clicked cell until the cell shows another row. */
function watchPeek<Row>(actions: GridActions<Row>, on: Listen): (target: EventTarget | null) => void {
  const { surface } = actions;
  let peeked: { readonly cell: HTMLElement; readonly row: string | undefined } | null = null;
  const rowOf = (cell: HTMLElement): string | undefined => surface.scene.rows.keyAt(surface.spotOf(cell)?.line ?? -1);
  const check = (): void => {
    if (peeked === null || rowOf(peeked.cell) === peeked.row) return;
    peeked = null;
    actions.events.onPeekLost?.();
  };
  surface.onShown.add(check);
  on('scroll', check);
  return (target) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
    const place = actions.placeAt(cell);
    if (cell === null || place === null) return;
    peeked = { cell, row: rowOf(cell) };
    actions.events.onPeek?.(place);
  };
}

/**
 * Follows pointer moves only: rows that scroll below a resting pointer are not hovered, and cost no style
 * recalculation.
 */
function listenToHover<Row>(actions: GridActions<Row>, on: Listen): void {
  const { surface } = actions;
  let hovered: Element | null = null;
  let key: string | undefined;
  const keyOf = (cell: Element | null): string | undefined =>
    surface.scene.rows.keyAt(surface.spotOf(cell)?.line ?? -1);
  const point = (cell: HTMLElement | null): void => {
    if (cell === hovered) return;
    hovered?.parentElement?.removeAttribute('data-hover');
    cell?.parentElement?.setAttribute('data-hover', '');
    hovered = cell;
    key = keyOf(cell);
    actions.events.onPoint?.(actions.placeAt(cell));
  };
  // Otherwise a tooltip would explain a row that has moved away from the pointer.
  surface.onShown.add(() => {
    if (hovered !== null && keyOf(hovered) !== key) point(null);
  });
  on('pointermove', ({ target, pointerType }) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return;
    const cell = target.closest('[role=gridcell]');
    point(cell instanceof HTMLElement ? cell : null);
  });
  on('pointerleave', () => {
    point(null);
  });
  on('scroll', () => {
    point(null);
  });
}

function listenToDrag<Row>(actions: GridActions<Row>, on: Listen): void {
  const { surface } = actions;
  let dragging = false;
  on('pointerdown', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line < 0 || event.button !== 0) return;
    // Pressing a widget does not select its cell, nor does opening a link in a new tab.
    const onWidget = isOnWidget(event);
    dragging = event.pointerType === 'mouse' && !onWidget;
    surface.moveTo(spot, event.shiftKey && !onWidget);
    if ((event.ctrlKey || event.metaKey) && !onWidget) actions.toggleSelected(spot.line);
  });
  on('pointermove', ({ target, buttons }) => {
    dragging &&= (buttons & 1) === 1;
    const spot = dragging ? surface.spotOf(target) : null;
    if (spot === null || spot.line < 0) return;
    const at = surface.cursor.spot;
    if (at.line !== spot.line || at.place !== spot.place) surface.moveTo(spot, true);
  });
}

function listenToHead<Row>(actions: GridActions<Row>, on: Listen): void {
  const { surface } = actions;
  const { root } = surface;
  let edge: { readonly id: string; readonly x: number; readonly width: number } | null = null;
  on('pointerdown', (event) => {
    const planned = surface.scene.plan.columns[surface.spotOf(event.target)?.place ?? -1];
    const onEdge = event.target instanceof HTMLElement && event.target.dataset['part'] === 'edge';
    edge = onEdge && planned !== undefined ? { id: planned.column.id, x: event.clientX, width: planned.width } : null;
    if (edge !== null) root.setPointerCapture(event.pointerId);
  });
  on('pointermove', ({ clientX }) => {
    if (edge !== null) resizeColumn(surface.scene.table, edge.id, edge.width + clientX - edge.x);
  });
  on('lostpointercapture', () => {
    edge = null;
  });
  on('click', ({ target, shiftKey }) => {
    const spot = surface.spotOf(target);
    const onEdge = target instanceof HTMLElement && target.dataset['part'] === 'edge';
    const column = surface.scene.plan.columns[spot?.place ?? -1]?.column;
    if (spot === null || spot.line >= 0 || onEdge || column === undefined) return;
    surface.moveTo(spot, false);
    sortByColumn(surface.scene.table, column.id, shiftKey);
  });
  on('contextmenu', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line >= 0) return;
    surface.moveTo(spot, false);
    if (actions.run({ type: 'menu' })) event.preventDefault();
  });
}

function listenToFocus<Row>({ surface: { root } }: GridActions<Row>, on: Listen): void {
  on('focusin', ({ target }) => {
    // A closing popup may return the focus to a cell; it belongs on the grid.
    if (target !== root) root.focus({ preventScroll: true });
  });
}

/** After `g`, which starts a navigation shortcut, the next key is not for the grid. */
const SEQUENCE_MS = 1_200;

/** Commands that repeat while a key is held down; others would undo themselves. */
const MOVEMENTS: ReadonlySet<GridCommand['type']> = new Set(['move', 'resize', 'moveColumn']);

/** Attaches keyboard, pointer and clipboard to a surface. */
export function attachInput<Row>(surface: GridSurface<Row>, host: GridHost<Row>, signal: AbortSignal): void {
  const actions = new GridActions(surface, host);
  const on: Listen = (type, listener) => {
    surface.root.addEventListener(type, listener, { signal });
  };
  let wentAt = -Infinity;
  on('keydown', (event) => {
    const { letters, filters = true } = host.options;
    const command = toCommand(event, surface.cursor.spot.line < 0, letters);
    const inSequence = event.timeStamp - wentAt < SEQUENCE_MS;
    wentAt = event.key === 'g' ? event.timeStamp : -Infinity;
    if (command === null || inSequence || (command.type === 'filter' && !filters)) return;
    // This also cancels a tooltip whose texts are still loading.
    host.options.onPeekLost?.();
    if ((event.repeat && !MOVEMENTS.has(command.type)) || actions.run(command)) event.preventDefault();
  });
  on('copy', (event) => {
    const copy = actions.copied();
    if (copy === null || event.clipboardData === null) return;
    event.preventDefault();
    const recorded = recordExport({ what: `copied from ${surface.root.ariaLabel ?? 'a list'}`, count: copy.rows });
    if (recorded === null) event.clipboardData.setData('text/plain', copy.text);
    // The code that rejects the export also shows the reason.
    else
      void navigator.clipboard
        .write([new ClipboardItem({ 'text/plain': recorded.then(() => copy.text) })])
        .catch(() => undefined);
  });
  listenToPointer(actions, on);
  listenToPresence(actions, on, signal);
  flashChanges(surface, on);
}

/** Flashes figures that a refresh changed, but not those that scrolling, sorting or filtering brings into view. */
function flashChanges<Row>(surface: GridSurface<Row>, on: Listen): void {
  let rows = surface.scene.rows;
  const running = new Map<Animation, { readonly shown: RowElement<Row>; readonly key: string }>();
  /** Stops the flash of an element that now shows another row. */
  const stopMoved = (): void => {
    for (const [animation, { shown, key }] of running) if (rows.keyAt(shown.line) !== key) animation.cancel();
  };
  const flashRow = (shown: RowElement<Row>, before: Row, key: string): void => {
    for (const [index, { column }] of surface.drawn.entries()) {
      const cell = shown.cells[index];
      if (column.flashes !== true || cell === undefined || shown.row === undefined) continue;
      const animation = flash(cell, toFigure(column.value(before)), toFigure(column.value(shown.row)));
      if (animation === null) continue;
      running.set(animation, { shown, key });
      animation.onfinish = animation.oncancel = () => running.delete(animation);
    }
  };
  surface.onShown.add(() => {
    const before = rows;
    rows = surface.scene.rows;
    if (rows === before) return;
    stopMoved();
    if (rows.arrangement !== before.arrangement || !surface.drawn.some(({ column }) => column.flashes)) return;
    for (const shown of surface.rowElements) {
      const key = rows.keyAt(shown.line);
      const known = key === undefined ? undefined : before.rowAt(before.lineOf(key, shown.line));
      if (key !== undefined && known !== undefined && known !== shown.row) flashRow(shown, known, key);
    }
  });
  on('scroll', stopMoved);
}

function toFigure(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** How long rows keep their place below a pointer that no longer moves. */
const REST_MS = 4_000;

/** Reports whether the pointer is in use over the grid. A resting pointer and the focus do not hold updates back. */
function listenToPresence<Row>(actions: GridActions<Row>, on: Listen, signal: AbortSignal): void {
  let movedAt = 0;
  let at = { x: NaN, y: NaN };
  let timer: number | null = null;
  const end = (): void => {
    if (timer === null) return;
    window.clearTimeout(timer);
    timer = null;
    actions.events.onBusy?.(false);
  };
  // One timer for any number of moves.
  const check = (): void => {
    const left = movedAt + REST_MS - performance.now();
    if (left > 0) timer = window.setTimeout(check, left);
    else end();
  };
  const use = (): void => {
    movedAt = performance.now();
    if (timer !== null) return;
    timer = window.setTimeout(check, REST_MS);
    actions.events.onBusy?.(true);
  };
  on('pointerenter', use);
  on('pointerdown', use);
  on('wheel', use);
  on('pointermove', ({ clientX: x, clientY: y }) => {
    // Browsers also report a move when the rows move below the pointer.
    if (at.x === x && at.y === y) return;
    at = { x, y };
    use();
  });
  on('pointerleave', end);
  signal.addEventListener('abort', () => {
    if (timer !== null) window.clearTimeout(timer);
  });
}
