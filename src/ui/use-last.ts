import { useEffect, useMemo, useState } from 'react';
import { createKeptValue } from './kept-value.ts';

/**
 * What was last looked at of a kind (a product, say), on any screen: the default for a screen whose address names none.
 * `now` is what the address names, null for nothing. Returns '' where the address names something or nothing was looked at.
 */
export function useLast(kind: string, now: string | null): string {
  const [kept] = useState(() => createKeptValue(window, `perpdesk.last.${kind}`, { parse: (text) => text ?? '', format: (text) => text }));
  useEffect(() => {
    if (now !== null && now !== kept.read()) kept.write(now);
  }, [kept, now]);
  // Read only when `now` changes: what another tab looks at meanwhile must not change this screen.
  return useMemo(() => (now === null ? kept.read() : ''), [kept, now]);
}
