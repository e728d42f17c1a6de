const NAME = 'perpdesk.visible-page';

/** As long as the page is visible, it shares a lock with the other visible ones; the browser takes it from a page that ends in whatever way. */
export function holdWhileVisible(): () => void {
  // Browsers have locks on this machine and on https only, as they have notifications.
  if (!('locks' in navigator)) return () => undefined;
  let release: (() => void) | null = null;
  const update = (): void => {
    if (document.hidden) {
      release?.();
      release = null;
      return;
    }
    release ??= holdLock();
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    release?.();
  };
}

function holdLock(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  void navigator.locks.request(NAME, { mode: 'shared' }, () => promise);
  return () => {
    resolve(undefined);
  };
}

/** Whether any page of this browser is visible. */
export async function isAnyPageVisible(): Promise<boolean> {
  if (!document.hidden) return true;
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === NAME);
}
