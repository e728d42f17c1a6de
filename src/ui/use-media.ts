import { useMemo, useSyncExternalStore } from 'react';

/** A phone: what it has no room for is left out, or waits behind a touch. */
export const NARROW = '(width < 700px)';

/** Whether a media query holds, for what style alone cannot do. */
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
