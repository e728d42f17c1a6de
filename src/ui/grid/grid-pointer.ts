import { WIDGETS, type GridActions } from './grid-actions.ts';
import { resizeColumn, sortByColumn } from './change-state.ts';

/** Pointer on cells and heads; everything it can do, the keyboard can. */
export function listenToPointer<Row>(actions: GridActions<Row>, signal: AbortSignal): void {
  const { surface } = actions;
  const { root } = surface;
  listenToDrag(actions, signal);
  listenToHead(actions, signal);
  // Not by pointerdown: a finger that is put down to scroll from here asks for nothing.
  root.addEventListener('click', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line < 0) return;
    if (surface.scene.rows.groupAt(spot.line) !== undefined) actions.open(spot.line);
    else if (isFinger(event) && !isOnWidget(event) && hasWidgets(actions)) actions.run({ does: 'note' });
  }, { signal });
  root.addEventListener('dblclick', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot !== null && !isOnWidget(event) && spot.line >= 0 && surface.scene.rows.groupAt(spot.line) === undefined) actions.open(spot.line);
  }, { signal });
  listenToHover(actions, signal);
  listenToPresence(actions, signal);
}

/** A finger cannot rest on a cell, as a mouse does. */
function isFinger(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch';
}

/** Where rows are opened by what is in them, and not by two taps, one tap is free to explain. */
function hasWidgets<Row>({ surface }: GridActions<Row>): boolean {
  return surface.scene.plan.columns.some(({ column }) => column.draw !== undefined);
}

function isOnWidget({ target }: Event): boolean {
  return target instanceof Element && target.closest(WIDGETS) !== null;
}

/** Told by the pointer's own moves: rows that scroll by below a pointer at rest are not pointed at, and cost no style. */
function listenToHover<Row>(actions: GridActions<Row>, signal: AbortSignal): void {
  const { surface } = actions;
  let hovered: Element | null = null;
  const point = (cell: HTMLElement | null): void => {
    if (cell === hovered) return;
    const row = cell?.parentElement ?? null;
    if (row !== (hovered?.parentElement ?? null)) {
      hovered?.parentElement?.removeAttribute('data-hover');
      row?.setAttribute('data-hover', '');
    }
    hovered = cell;
    tellPointed(actions, cell);
  };
  surface.root.addEventListener('pointermove', ({ target, pointerType }) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return;
    const cell = target.closest('[role=gridcell]');
    point(cell instanceof HTMLElement ? cell : null);
  }, { signal });
  surface.root.addEventListener('pointerleave', () => { point(null); }, { signal });
  surface.root.addEventListener('scroll', () => { point(null); }, { passive: true, signal });
}

function tellPointed<Row>({ events, surface }: GridActions<Row>, element: HTMLElement | null): void {
  const spot = surface.spotOf(element);
  const row = spot === null ? undefined : surface.scene.rows.rowAt(spot.line);
  const column = surface.scene.plan.columns[spot?.place ?? -1]?.column;
  events.onPoint?.(row === undefined || column === undefined || element === null ? null : { row, column, element });
}

function listenToDrag<Row>(actions: GridActions<Row>, signal: AbortSignal): void {
  const { surface } = actions;
  let dragging = false;
  surface.root.addEventListener('pointerdown', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line < 0 || event.button !== 0) return;
    // What is pressed in a cell is not a cell selected, nor is a link for a new tab.
    const onWidget = isOnWidget(event);
    dragging = event.pointerType === 'mouse' && !onWidget;
    surface.moveTo(spot, event.shiftKey && !onWidget);
    if ((event.ctrlKey || event.metaKey) && !onWidget) actions.toggleSelected(spot.line);
  }, { signal });
  surface.root.addEventListener('pointermove', ({ target, buttons }) => {
    dragging &&= (buttons & 1) === 1;
    const spot = dragging ? surface.spotOf(target) : null;
    if (spot === null || spot.line < 0) return;
    const at = surface.cursor.spot;
    if (at.line !== spot.line || at.place !== spot.place) surface.moveTo(spot, true);
  }, { signal });
}

function listenToHead<Row>(actions: GridActions<Row>, signal: AbortSignal): void {
  const { surface } = actions;
  const { root } = surface;
  let edge: { readonly id: string; readonly x: number; readonly width: number } | null = null;
  root.addEventListener('pointerdown', (event) => {
    const planned = surface.scene.plan.columns[surface.spotOf(event.target)?.place ?? -1];
    const onEdge = event.target instanceof HTMLElement && event.target.dataset['part'] === 'edge';
    edge = onEdge && planned !== undefined ? { id: planned.column.id, x: event.clientX, width: planned.width } : null;
    if (edge !== null) root.setPointerCapture(event.pointerId);
  }, { signal });
  root.addEventListener('pointermove', ({ clientX }) => {
    if (edge !== null) actions.change(resizeColumn(surface.scene.state, edge.id, edge.width + clientX - edge.x));
  }, { signal });
  root.addEventListener('lostpointercapture', () => { edge = null; }, { signal });
  root.addEventListener('click', ({ target, shiftKey }) => {
    const spot = surface.spotOf(target);
    const onEdge = target instanceof HTMLElement && target.dataset['part'] === 'edge';
    const column = surface.scene.plan.columns[spot?.place ?? -1]?.column;
    if (spot === null || spot.line >= 0 || onEdge || column === undefined) return;
    surface.moveTo(spot, false);
    actions.change(sortByColumn(surface.scene.state, column, shiftKey));
  }, { signal });
  root.addEventListener('contextmenu', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line >= 0) return;
    surface.moveTo(spot, false);
    if (actions.run({ does: 'menu' })) event.preventDefault();
  }, { signal });
}

function listenToPresence<Row>(actions: GridActions<Row>, signal: AbortSignal): void {
  const { root } = actions.surface;
  let over = false;
  let within = false;
  const tell = (nextOver: boolean, nextWithin: boolean): void => {
    const was = over || within;
    over = nextOver;
    within = nextWithin;
    if (was !== (over || within)) actions.events.onBusy?.(over || within);
  };
  root.addEventListener('pointerenter', () => { tell(true, within); }, { signal });
  root.addEventListener('pointerleave', () => { tell(false, within); }, { signal });
  root.addEventListener('focusin', ({ target }) => {
    tell(over, true);
    // A cell may be given the focus back by what was opened from it; the grid is what the keyboard is in.
    if (target !== root) root.focus({ preventScroll: true });
  }, { signal });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    tell(over, relatedTarget instanceof Node && root.contains(relatedTarget));
  }, { signal });
}
