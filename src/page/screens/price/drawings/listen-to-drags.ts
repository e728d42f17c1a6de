import type { Point } from '#model/charts/drawings/find-hit.ts';

interface DragListeners {
  /** Returns whether there is something to be dragged. The chart does not get the press then. */
  readonly take: (at: Point, isTouch: boolean) => boolean;
  readonly drag: (at: Point) => void;
  readonly drop: () => void;
  readonly cancel: () => void;
  /** The pointer was pressed and released in place, where there was nothing to be dragged. */
  readonly click: (at: Point, isTouch: boolean) => void;
  /** The pointer moved without being pressed; null when it left. */
  readonly hover: (at: Point | null) => void;
}

interface Pressed {
  readonly at: Point;
  readonly isTouch: boolean;
  readonly isTaken: boolean;
  hasMoved: boolean;
}

/** A pointer that moves less was only clicked. */
const STILL_PX = 3;

/** Listens to the pointer on a chart, before the chart does. */
export function listenToDrags(element: HTMLElement, listeners: DragListeners): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let pressed: Pressed | null = null;
  const toPoint = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  const isOnChart = ({ target }: Event): boolean => target instanceof HTMLCanvasElement && element.contains(target);
  const press = (event: PointerEvent): void => {
    if (event.button !== 0 || !isOnChart(event)) return;
    const [at, isTouch] = [toPoint(event), event.pointerType === 'touch'];
    pressed = { at, isTouch, isTaken: listeners.take(at, isTouch), hasMoved: false };
  };
  const move = (event: PointerEvent): void => {
    const at = toPoint(event);
    if (pressed === null) {
      if (event.pointerType !== 'touch') listeners.hover(isOnChart(event) ? at : null);
      return;
    }
    pressed.hasMoved ||= Math.hypot(at[0] - pressed.at[0], at[1] - pressed.at[1]) > STILL_PX;
    if (!pressed.isTaken) return;
    // Otherwise the chart would take it that its view is being dragged.
    event.stopPropagation();
    if (pressed.hasMoved) listeners.drag(at);
  };
  const release = (): void => {
    if (pressed?.isTaken === true) listeners.drop();
    else if (pressed?.hasMoved === false) listeners.click(pressed.at, pressed.isTouch);
    pressed = null;
  };
  const cancel = (): void => {
    pressed = null;
    listeners.cancel();
  };
  /** The chart pans by mouse and touch events. The default of a touch is to scroll the page. */
  const withhold = (event: Event): void => {
    if (pressed?.isTaken !== true) return;
    event.stopPropagation();
    if (event.type === 'touchstart') event.preventDefault();
  };
  // A drag goes on outside of the chart.
  const early = { signal, capture: true } as const;
  element.addEventListener('pointerdown', press, early);
  window.addEventListener('pointermove', move, early);
  window.addEventListener('pointerup', release, early);
  window.addEventListener('pointercancel', cancel, early);
  element.addEventListener('mousedown', withhold, early);
  element.addEventListener('touchstart', withhold, { ...early, passive: false });
  return () => {
    listening.abort();
  };
}
