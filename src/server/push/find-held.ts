import { setBounded } from '#server/core/bounded-map.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Cursors, Tick } from './cursors.ts';

/** What a client that comes back with this id has; null: nothing of use. */
export type FindHeld = (cursorId: string, viewer: Pick<Viewer, 'id' | 'entitlement'>) => Tick | null;

const MAX_VIEWERS = 4_096;

/** Ticks count for all viewers alike, but what one was sent before their roles or scope changed is no part of what they are sent now. */
export function createFindHeld({ next, toTick }: Cursors): FindHeld {
  const seen = new Map<string, { readonly entitlement: string; readonly since: Tick }>();
  return (cursorId, { id, entitlement }) => {
    const known = seen.get(id);
    const since = known?.entitlement === entitlement ? known.since : next().tick;
    setBounded(seen, id, { entitlement, since }, MAX_VIEWERS);
    const tick = toTick(cursorId);
    return tick !== null && tick >= since ? tick : null;
  };
}
