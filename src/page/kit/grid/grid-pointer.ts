import { resizeColumn, sortByColumn } from './change-columns.ts';
import { WIDGETS, type GridActions } from './grid-actions.ts';

/** Adds a listener for the lifetime of the grid. */
export type Listen = <Type extends keyof HTMLElementEventMap>(
  type: Type,
  listener: (event: HTMLElementEventMap[Type]) => void,
) => void;

/** Pointer on cells and headers; everything it can do, the keyboard can do too. */
export function listenToPointer<Row>(actions: GridActions<Row>, on: Listen): void {
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
    // Its first click may have begun to explain the cell.
    actions.events.onPeekLost?.();
    actions.open(spot.line);
  });
  listenToHover(actions, on);
  listenToFocus(actions, on);
}

/** One plain click on a figure. While a panel shows the row of the active cell, a click chooses the row and nothing else. */
function isPeek<Row>(event: MouseEvent, actions: GridActions<Row>): boolean {
  const { scene } = actions.surface;
  const isPlain = event.detail === 1 && !event.shiftKey && !event.ctrlKey && !event.metaKey && !isOnWidget(event);
  if (!isPlain || scene.opened !== '') return false;
  const column = scene.plan.columns[actions.surface.spotOf(event.target)?.place ?? -1]?.column;
  return column?.kind === 'number' || (isTouch(event) && hasWidgets(actions));
}

/** Touch has no hover. */
function isTouch(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch';
}

/** Where rows are opened by links in their cells rather than by double tap, a tap can explain any cell. */
function hasWidgets<Row>({ surface }: GridActions<Row>): boolean {
  return surface.scene.plan.columns.some(({ column }) => column.draw !== undefined);
}

function isOnWidget({ target }: Event): boolean {
  return target instanceof Element && target.closest(WIDGETS) !== null;
}

/** Returns what explains a clicked cell, until the cell shows another row. */
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

/** Follows pointer moves only: rows that scroll below a resting pointer are not hovered, and cost no style recalculation. */
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
  // A tooltip would explain a row that has moved away from the pointer.
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
