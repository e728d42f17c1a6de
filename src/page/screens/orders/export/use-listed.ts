import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { type ListSubject, toListSubject } from '#model/tables/orders/order-evidence.ts';
import type { ListControl } from '../list-state/use-list-state.ts';

/**
 * Returns a function that captures the list's arrangement for evidence. It throws while a link is unresolved, since
 * the rows would differ without its filters.
 */
export function useListed({ state, link }: Pick<ListControl, 'state' | 'link'>): () => Omit<ListSubject, 'screen'> {
  const [zone] = useZone();
  const isNarrow = useMedia(NARROW);
  const offsetMs = useVenueOffset();
  return () => {
    if (link.is !== 'resolved') throw new Error('The filters of this link are not known yet.');
    return toListSubject(state, { zone, isNarrow, offsetMs });
  };
}
