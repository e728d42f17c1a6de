import type { Point } from '#model/charts/drawings/find-hit.ts';

interface DragListeners {
  /** Returns whether there is something to be dragged. The chart does not get the pointer then. */
  readonly take: (at: Point, isTouch: boolean) => boolean;
  readonly drag: (at: Point) => void;
  readonly drop: () => void;
  readonly cancel: () => void;
  /** The pointer was pressed and released in place, where there was nothing to be dragged. */
  readonly click: (at: Point, isTouch: boolean) => void;
  /** The pointer moved without being pressed; null when it left. */
  readonly hover: (at: Point | null) => void;
}

/** A pointer that moves less was only clicked. */
const STILL_PX = 3;

/** Listens to the pointer on a chart, before the chart does. */
export function listenToDrags(element: HTMLElement, listeners: DragListeners): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const on = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel' | 'pointerleave',
    listener: (event: PointerEvent, at: Point) => void,
  ): void => {
    element.addEventListener(
      type,
      (event) => {
        const { left, top } = element.getBoundingClientRect();
        listener(event, [event.clientX - left, event.clientY - top]);
      },
      { signal },
    );
  };
  let pressed: { readonly at: Point; readonly isTaken: boolean; isMoving: boolean } | null = null;
  const isOnChart = ({ target }: Event): boolean => target instanceof HTMLCanvasElement;
  on('pointerdown', (event, at) => {
    if (event.button !== 0 || !isOnChart(event)) return;
    const isTaken = listeners.take(at, event.pointerType === 'touch');
    pressed = { at, isTaken, isMoving: false };
    if (!isTaken) return;
    // Without the mouse events that would follow, the chart neither pans nor moves its crosshair, and gets no focus.
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
  });
  on('pointermove', (event, at) => {
    if (pressed === null) {
      if (event.pointerType !== 'touch') listeners.hover(isOnChart(event) ? at : null);
      return;
    }
    pressed.isMoving ||= Math.hypot(at[0] - pressed.at[0], at[1] - pressed.at[1]) > STILL_PX;
    if (pressed.isTaken && pressed.isMoving) listeners.drag(at);
  });
  on('pointerup', (event) => {
    if (pressed?.isTaken === true) listeners.drop();
    else if (pressed?.isMoving === false) listeners.click(pressed.at, event.pointerType === 'touch');
    pressed = null;
  });
  on('pointercancel', () => {
    pressed = null;
    listeners.cancel();
  });
  on('pointerleave', () => {
    listeners.hover(null);
  });
  element.addEventListener(
    'touchstart',
    (event) => {
      // The chart pans by touch events, whose default is to scroll the page.
      if (pressed?.isTaken !== true) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true, passive: false },
  );
  return () => {
    listening.abort();
  };
}
