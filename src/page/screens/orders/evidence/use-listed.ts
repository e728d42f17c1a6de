import { useVenueOffset } from '#page/client/react/use-venue-time.ts';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { toListSubject, type ListSubject } from '#model/tables/orders/order-subject.ts';

/** The list as it is arranged. Without the filters of a link that is not resolved, the rows would be others. */
export function useListed({ state, link }: Pick<ListControl, 'state' | 'link'>): () => Omit<ListSubject, 'screen'> {
  const [zone] = useZone();
  const isNarrow = useMedia(NARROW);
  const offsetMs = useVenueOffset();
  return () => {
    if (link.is !== 'resolved') throw new Error('The filters of this link are not known yet.');
    return toListSubject(state, { zone, isNarrow, offsetMs });
  };
}
