import { useEffect, useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

const { notify, subscribe } = createListeners();
let subject: string | null = null;

function setSubject(text: string | null): void {
  subject = text;
  notify();
}

/** Names what the screen shows in the window's title, for as long as the component is mounted. */
export function useTitleSubject(text: string): void {
  useEffect(() => {
    setSubject(text);
  }, [text]);
  useEffect(
    () => () => {
      setSubject(null);
    },
    [],
  );
}

/** Returns what the screen shows; null if it has not said. */
export function useShownSubject(): string | null {
  return useSyncExternalStore(subscribe, () => subject);
}
