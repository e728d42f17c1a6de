/** Events recorded until the code that handles them is loaded. */
const EVENTS = ['pointerenter', 'pointerleave', 'pointerdown', 'click', 'dblclick', 'focusin', 'focusout', 'keydown'];

const SCROLLING_KEYS: ReadonlySet<unknown> = new Set([
  ' ',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
]);

/**
 * Lets an element paint before its input code loads: `load` is called after the first paint, or at the first event if
 * that comes earlier, and events until then are replayed. If loading fails, they are dropped, and `onFailure` is called
 * if there were any.
 */
export function deferInput(
  root: HTMLElement,
  load: () => Promise<void>,
  signal: AbortSignal,
  onFailure: () => void,
): void {
  const recorded: Event[] = [];
  const ready = new AbortController();
  let isLoading = false;
  const startLoading = (): void => {
    if (isLoading || signal.aborted) return;
    isLoading = true;
    load().then(
      () => {
        ready.abort();
        if (!signal.aborted) for (const event of recorded) replay(root, event);
      },
      () => {
        // The next event tries again.
        isLoading = false;
        const isMissed = recorded.length > 0;
        recorded.length = 0;
        if (isMissed && !signal.aborted) onFailure();
      },
    );
  };
  const record = (event: Event): void => {
    // The grid will handle the key; scrolling by it now would move the list away from the cursor.
    if ('key' in event && SCROLLING_KEYS.has(event.key)) event.preventDefault();
    recorded.push(event);
    startLoading();
  };
  for (const type of EVENTS) root.addEventListener(type, record, { signal: AbortSignal.any([signal, ready.signal]) });
  requestAnimationFrame(() => {
    setTimeout(startLoading);
  });
}

/** Replays an event for the grid alone, because listeners above it or in a cell have handled the original. */
function replay(root: HTMLElement, original: Event): void {
  const { type, target } = original;
  if (!(target instanceof Element) || (type.endsWith('click') && target.closest('a, button') !== null)) return;
  const stop = (event: Event): void => {
    event.stopPropagation();
  };
  root.addEventListener(type, stop);
  target.dispatchEvent(new (original.constructor as typeof Event)(type, original));
  root.removeEventListener(type, stop);
}
