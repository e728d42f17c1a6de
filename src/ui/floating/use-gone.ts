import { useEffect, useEffectEvent } from 'react';

/** Tells when an element has left the page, of which no event says anything. Null: none to watch. */
export function useGone(element: Element | null, onGone: () => void): void {
  const tell = useEffectEvent(onGone);
  useEffect(() => {
    if (element === null) return undefined;
    const watch = new MutationObserver(() => {
      if (!element.isConnected) tell();
    });
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
    };
  }, [element]);
}
