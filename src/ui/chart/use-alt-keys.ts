import { useLayoutEffect } from 'react';

/** Alt with a key, anywhere on the page. Keys are named by where they are: with Alt many of them type something else. */
export function useAltKeys(keys: Readonly<Record<string, () => void>>): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const run = keys[event.code];
      if (run === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [keys]);
}
