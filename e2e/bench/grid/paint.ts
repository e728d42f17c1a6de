/**
 * Returns the time at which a frame that satisfies a condition has been painted. The condition is checked after layout
 * and before paint, and the time is taken in the task after that frame. NaN if it never holds.
 */
export function paintedWhen(holds: () => boolean, limitMs = 20_000): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = document.createElement('div');
  probe.style.cssText =
    'position:fixed;inset:0 auto auto 0;inline-size:1px;block-size:1px;opacity:0;pointer-events:none;contain:strict';
  document.body.append(probe);
  const end = performance.now() + limitMs;
  let done = false;
  const observer = new ResizeObserver(() => {
    if (done) return;
    const held = holds();
    if (!held && performance.now() < end) return;
    done = true;
    observer.disconnect();
    probe.remove();
    const afterFrame = new MessageChannel();
    afterFrame.port1.onmessage = () => {
      afterFrame.port1.close();
      resolve(held ? performance.now() : NaN);
    };
    afterFrame.port2.postMessage(null);
  });
  observer.observe(probe);
  let wide = false;
  // The observer is only notified about an element whose size has changed.
  const again = (): void => {
    if (done) return;
    wide = !wide;
    probe.style.inlineSize = wide ? '2px' : '1px';
    requestAnimationFrame(again);
  };
  again();
  return promise;
}
