import { createPageLimit } from '#contract/desk/page-limit.ts';
import type { GatewayPorts } from '#server/core/ports.ts';
import type { SealedCursors } from '#server/core/sealed-cursors.ts';
import { isRejectedRequest } from '#server/core/venue-failure.ts';
import type { Routes } from '#server/web/router.ts';
import { createDeskApi, createResponders, type DeskApiParts, type Responders } from './desk-api.ts';
import { openFundingBook } from './funding/open-funding-book.ts';
import { createActivity, type Activity } from './status/activity.ts';
import { createMetrics, type MeasuredParts, type Metrics } from './status/metrics.ts';
import { createPartOfOrders, type ReadPart } from './working-orders/part-of-orders.ts';

interface ReadingsParts
  extends
    Omit<DeskApiParts, 'activity' | 'funding' | 'metrics' | 'startedAt'>,
    Pick<GatewayPorts, 'processMetrics'>,
    Pick<MeasuredParts, 'sessionRefreshes'> {
  /** Of the exchange's environment whose funding is stored. */
  readonly fundingId: string;
  readonly cursors: SealedCursors;
}

/** What Perpdesk composes from the responses of the exchange and from what it keeps. */
export interface Readings {
  /** By the endpoints of the contract. */
  readonly responders: Responders;
  readonly routes: Routes['exact'];
  readonly readPart: ReadPart;
  readonly activity: Activity;
  readonly metrics: Metrics;
}

export function openReadings(parts: ReadingsParts): Readings {
  const activity = createActivity();
  const metrics = createMetrics({ ...parts, activity });
  const funding = openFundingBook({ ...parts, venueId: parts.fundingId });
  const desk: DeskApiParts = { ...parts, activity, metrics, funding, startedAt: parts.now() };
  const responders = createResponders(desk);
  const readPart = createPartOfOrders({
    ...parts,
    withLimit: createPageLimit(isRejectedRequest),
    readWorking: async (query, viewer, options) => responders.working({ query, viewer, ...options }),
  });
  return { responders, routes: createDeskApi(desk, responders), readPart, activity, metrics };
}
