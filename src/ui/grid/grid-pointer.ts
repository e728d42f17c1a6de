import type { GridActions } from './grid-actions.ts';
import { resizeColumn, sortByColumn } from './grid-state.ts';

/** Pointer on cells and heads; everything it can do, the keyboard can. */
export function listenToPointer<Row>(actions: GridActions<Row>, signal: AbortSignal): void {
  const { surface } = actions;
  const { root } = surface;
  listenToDrag(actions, signal);
  listenToHead(actions, signal);
  root.addEventListener('dblclick', ({ target }) => {
    const spot = surface.spotOf(target);
    if (spot !== null && spot.line >= 0 && surface.scene.rows.groupAt(spot.line) === undefined) actions.open(spot.line);
  }, { signal });
  root.addEventListener('pointerover', ({ target, pointerType }) => {
    const { onPoint } = actions.events;
    if (onPoint === undefined || pointerType !== 'mouse' || !(target instanceof Element)) return;
    const spot = surface.spotOf(target);
    const element = target.closest('[role=gridcell]');
    const row = spot === null ? undefined : surface.scene.rows.rowAt(spot.line);
    const column = surface.scene.plan.columns[spot?.place ?? -1]?.column;
    onPoint(row === undefined || column === undefined || !(element instanceof HTMLElement) ? null : { row, column, element });
  }, { signal });
  listenToPresence(actions, signal);
}

function listenToDrag<Row>(actions: GridActions<Row>, signal: AbortSignal): void {
  const { surface } = actions;
  let dragging = false;
  surface.root.addEventListener('pointerdown', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line < 0 || event.button !== 0) return;
    if (surface.scene.rows.groupAt(spot.line) !== undefined) actions.open(spot.line);
    actions.moveTo(spot, event.shiftKey);
    if (event.ctrlKey || event.metaKey) actions.toggleSelected(spot.line);
    dragging = event.pointerType === 'mouse';
  }, { signal });
  surface.root.addEventListener('pointermove', ({ target, buttons }) => {
    dragging &&= (buttons & 1) === 1;
    const spot = dragging ? surface.spotOf(target) : null;
    if (spot === null || spot.line < 0) return;
    const at = surface.cursor.spot;
    if (at.line !== spot.line || at.place !== spot.place) actions.moveTo(spot, true);
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
    actions.moveTo(spot, false);
    actions.change(sortByColumn(surface.scene.state, column, shiftKey));
  }, { signal });
  root.addEventListener('contextmenu', (event) => {
    const spot = surface.spotOf(event.target);
    if (spot === null || spot.line >= 0) return;
    actions.moveTo(spot, false);
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
  root.addEventListener('pointerleave', () => {
    tell(false, within);
    actions.events.onPoint?.(null);
  }, { signal });
  root.addEventListener('focusin', ({ target }) => {
    tell(over, true);
    // A cell may be given the focus back by what was opened from it; the grid is what the keyboard is in.
    if (target !== root) root.focus({ preventScroll: true });
  }, { signal });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    tell(over, relatedTarget instanceof Node && root.contains(relatedTarget));
  }, { signal });
}
