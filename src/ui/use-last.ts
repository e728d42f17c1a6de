import { useEffect, useMemo, useState } from 'react';
import { createKeptValue } from './kept-value.ts';

/**
 * What of a kind was looked at last, on whichever screen: a screen that is not told what to show shows that. `now` is what
 * it was told, null for nothing. Empty where nothing was looked at yet, or the screen was told.
 */
export function useLast(kind: string, now: string | null): string {
  const [kept] = useState(() => createKeptValue(window, `perpdesk.last.${kind}`, { parse: (text) => text ?? '', format: (text) => text }));
  useEffect(() => {
    if (now !== null && now !== kept.read()) kept.write(now);
  }, [kept, now]);
  // Asked when it counts, and kept to: other tabs may look at something else meanwhile.
  return useMemo(() => (now === null ? kept.read() : ''), [kept, now]);
}
