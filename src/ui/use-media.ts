import { useMemo, useSyncExternalStore } from 'react';

/** A phone: what it has no room for is left out, or waits behind a touch. */
export const NARROW = '(width < 700px)';

/** Whether a media query holds, for what style alone cannot do. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener('change', listener);
      return () => {
        media.removeEventListener('change', listener);
      };
    },
    () => media.matches,
  );
}
