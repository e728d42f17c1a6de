import { useEffect, useMemo, useState } from 'react';
import { createRecentlyViewed } from './recently-viewed.ts';
import { createStoredValue } from './stored-value.ts';

/**
 * What was last viewed of a kind (a product, say) on any screen: the default for a screen whose address names none.
 * `now` is what the address names, null for nothing. Returns '' where the address names something or nothing was viewed.
 */
export function useLastViewed(kind: string, now: string | null): string {
  const [stored] = useState(() =>
    createStoredValue(window, `perpdesk.last.${kind}`, { parse: (text) => text ?? '', format: (text) => text }),
  );
  const [recent] = useState(() => createRecentlyViewed(window, kind));
  useEffect(() => {
    if (now === null) return;
    if (now !== stored.read()) stored.write(now);
    recent.add(now);
  }, [stored, recent, now]);
  // Read only when `now` changes: another tab must not change this screen.
  return useMemo(() => (now === null ? stored.read() : ''), [stored, now]);
}
