import { usePreferences } from '../preferences/use-preferences.tsx';
import { useMedia } from '../use-media.ts';

/** A text that differs whenever the colours of the page do. */
export function useLook(): string {
  const { theme, palette } = usePreferences();
  return `${theme} ${palette} ${useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light'}`;
}
