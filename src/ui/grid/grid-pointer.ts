import { resizeColumn, sortByColumn } from './change-columns.ts';
import { WIDGETS, type GridActions } from './grid-actions.ts';

/** Adds a listener for the lifetime of the grid. */
export type Listen = <Type extends keyof HTMLElementEventMap>(type: Type, listener: (event: HTMLElementEventMap[Type]) => void) => void;

/** Pointer on cells and headers; everything it can do, the keyboard can do too. */
export function listenToPointer<Row>(actions: GridActions<Row>, on: Listen): void {
  const { surface } = actions;
  listenToDrag(actions, on);
  listenToHead(actions, on);
  // Not on pointerdown: a touch may be the start of a scroll.
  on('click', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line < 0) return;
    if (surface.scene.rows.groupAt(spot.line) !== undefined) actions.open(spot.line);
    else if (isTouch(event) && !isOnWidget(event) && hasWidgets(actions)) actions.run({ type: 'explain' });
  });
  on('dblclick', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot !== null && spot.line >= 0 && !isOnWidget(event) && surface.scene.rows.groupAt(spot.line) === undefined) actions.open(spot.line);
  });
  listenToHover(actions, on);
  listenToFocus(actions, on);
}

/** Touch has no hover. */
function isTouch(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch';
}

/** Where rows are opened by links in their cells rather than by double tap, a tap can explain the cell. */
function hasWidgets<Row>({ surface }: GridActions<Row>): boolean {
  return surface.scene.plan.columns.some(({ column }) => column.draw !== undefined);
}

function isOnWidget({ target }: Event): boolean {
  return target instanceof Element && target.closest(WIDGETS) !== null;
}

/** Follows pointer moves only: rows that scroll below a resting pointer are not hovered, and cost no style recalculation. */
function listenToHover<Row>(actions: GridActions<Row>, on: Listen): void {
  const { surface } = actions;
  let hovered: Element | null = null;
  let key: string | undefined;
  const keyOf = (cell: Element | null): string | undefined => surface.scene.rows.keyAt(surface.spotOf(cell)?.line ?? -1);
  const point = (cell: HTMLElement | null): void => {
    if (cell === hovered) return;
    hovered?.parentElement?.removeAttribute('data-hover');
    cell?.parentElement?.setAttribute('data-hover', '');
    hovered = cell;
    key = keyOf(cell);
    actions.events.onPoint?.(actions.placeAt(cell));
  };
  // A tooltip would explain a row that has moved away from the pointer.
  surface.onShown = () => {
    if (hovered !== null && keyOf(hovered) !== key) point(null);
  };
  on('pointermove', ({ target, pointerType }) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return;
    const cell = target.closest('[role=gridcell]');
    point(cell instanceof HTMLElement ? cell : null);
  });
  on('pointerleave', () => { point(null); });
  on('scroll', () => { point(null); });
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
  on('lostpointercapture', () => { edge = null; });
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
