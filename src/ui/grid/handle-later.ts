/** What can be done to a grid before the code that handles it is there. */
const TOUCHES = ['pointerenter', 'pointerleave', 'pointerdown', 'click', 'dblclick', 'focusin', 'focusout', 'keydown'];

/**
 * Lets an element be painted before the code comes that handles it: `begin` is called after the first paint, or at the
 * first touch if that is earlier, and what was done until it is ready is done then. Where it does not come, what was done
 * is forgotten, and `onFailure` hears of it if anything was.
 */
export function handleLater(root: HTMLElement, begin: () => Promise<void>, signal: AbortSignal, onFailure: () => void): void {
  const touches: Event[] = [];
  const ready = new AbortController();
  let asked = false;
  const ask = (): void => {
    if (asked || signal.aborted) return;
    asked = true;
    begin().then(
      () => {
        ready.abort();
        if (!signal.aborted) for (const touch of touches) repeat(root, touch);
      },
      () => {
        // Asked for again with the next touch.
        asked = false;
        const isMissed = touches.length > 0;
        touches.length = 0;
        if (isMissed && !signal.aborted) onFailure();
      },
    );
  };
  const take = (touch: Event): void => {
    touches.push(touch);
    ask();
  };
  for (const type of TOUCHES) root.addEventListener(type, take, { signal: AbortSignal.any([signal, ready.signal]) });
  requestAnimationFrame(() => {
    setTimeout(ask);
  });
}

/** Only the grid has missed it: whatever else listens, above it or in a cell, has heard it already. */
function repeat(root: HTMLElement, touch: Event): void {
  const { type, target } = touch;
  if (!(target instanceof Element) || (type.endsWith('click') && target.closest('a, button') !== null)) return;
  const keep = (event: Event): void => {
    event.stopPropagation();
  };
  root.addEventListener(type, keep);
  target.dispatchEvent(new (touch.constructor as typeof Event)(type, touch));
  root.removeEventListener(type, keep);
}
