import { useMemo, useSyncExternalStore } from 'react';

/** A phone, on which some controls are left out or moved behind a tap. */
export const NARROW = '(width < 700px)';

/** Room for two charts side by side. Styles name the same width. */
export const WIDE = '(width >= 1900px)';

/** Room for a panel beside a list with all of its columns. Styles name the same width. */
export const WIDEST = '(width >= 2200px)';

/** Returns whether a media query matches, for what CSS alone cannot do. */
export function useMedia(query: string): boolean {
  const [subscribe, holds] = useMemo(() => watch(query), [query]);
  return useSyncExternalStore(subscribe, holds);
}

function watch(query: string) {
  const media = matchMedia(query);
  const subscribe = (listener: () => void): (() => void) => {
    media.addEventListener('change', listener);
    return () => {
      media.removeEventListener('change', listener);
    };
  };
  return [subscribe, () => media.matches] as const;
}
