import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';

/** Calls, how many wait and what they said are about the alerts of all. */
export function requireAllOrders({ scope }: Pick<Viewer, 'scope'>): void {
  if (scope === 'all') return;
  throw new VenueFailure({
    type: 'not-allowed',
    detail:
      'Calls can be about the orders of any account, so only people whose scope is all orders can see them. An administrator of this Perpdesk can grant that scope.',
  });
}
