import { defaultScheduler, notifyManager } from '@tanstack/react-query';

/**
 * Calls back before the next frame is drawn, and has screens notified at once of what the call puts into the query cache.
 * By itself the library notifies in a task of its own: after that frame, so that each change would cost two.
 */
export function createBeforeFrame(onFrame: (call: () => void) => void): (call: () => void) => void {
  let isBeforeFrame = false;
  notifyManager.setScheduler((notify) => {
    if (isBeforeFrame) queueMicrotask(notify);
    else defaultScheduler(notify);
  });
  return (call) => {
    onFrame(() => {
      isBeforeFrame = true;
      try {
        call();
      } finally {
        isBeforeFrame = false;
      }
    });
  };
}
