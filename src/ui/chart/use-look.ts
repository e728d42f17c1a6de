import { useSyncExternalStore } from 'react';
import { usePreferences } from '../preferences/use-preferences.tsx';

const DARK = '(prefers-color-scheme: dark)';

/** A text that differs whenever the colours of the page do. */
export function useLook(): string {
  const { theme, palette } = usePreferences();
  const dark = useSyncExternalStore(subscribe, isDark);
  return `${theme} ${palette} ${dark ? 'dark' : 'light'}`;
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', listener);
  return () => {
    query.removeEventListener('change', listener);
  };
}

function isDark(): boolean {
  return matchMedia(DARK).matches;
}
