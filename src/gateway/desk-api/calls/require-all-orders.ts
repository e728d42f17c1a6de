import { VenueFailure } from '../../venue-failure.ts';
import type { Viewer } from '../../viewer.ts';

/** Calls, how many wait and what they said are about the alerts of all. */
export function requireAllOrders({ scope }: Pick<Viewer, 'scope'>): void {
  if (scope === 'all') return;
  throw new VenueFailure({ type: 'not-allowed', detail: 'Calls are about the orders of all accounts, and only those who may see all orders may see them. An administrator of this Perpdesk can grant it.' });
}
