import { createPageLimit } from '#contract/desk/page-limit.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import type { SealedCursors } from '#server/core/sealed-texts.ts';
import { isRejectedRequest } from '#server/core/venue-failure.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Routes } from '#server/web/router.ts';
import { createDeskApi, createResponders, type DeskApiDeps, type Responders } from './desk-api.ts';
import { openFundingRecords, openPredictedRates, type PredictedRates } from './funding/open-funding-records.ts';
import { type Activity, createActivity, createMetrics, type MeasuredDeps, type Metrics } from './status/metrics.ts';
import { createScopedOrders, type ReadScoped } from './working-orders/scoped-orders.ts';

interface ReadingsDeps
  extends
    Omit<DeskApiDeps, 'activity' | 'funding' | 'metrics' | 'startedAt'>,
    Pick<ServerPorts, 'processMetrics' | 'schedule' | 'log'>,
    Pick<MeasuredDeps, 'sessionRefreshes' | 'signIns' | 'auditUsage'> {
  /** Identifies the environment of the exchange whose funding is stored. */
  readonly fundingId: string;
  readonly cursors: SealedCursors;
  readonly lease: Pick<Lease, 'isHeld'>;
}

/** Perpdesk’s own endpoints, composed from the exchange’s responses and from the store. */
export interface Readings {
  /** By endpoint of the contract. */
  readonly responders: Responders;
  readonly routes: Routes['exact'];
  readonly readScoped: ReadScoped;
  readonly readPredicted: PredictedRates['read'];
  readonly activity: Activity;
  readonly metrics: Metrics;
  /** Begins to read what is read also while no one looks. */
  readonly start: () => void;
  readonly close: () => void;
}

export function openReadings(deps: ReadingsDeps): Readings {
  const activity = createActivity();
  const metrics = createMetrics({ ...deps, activity });
  const funding = openFundingRecords({ ...deps, venueId: deps.fundingId });
  const desk: DeskApiDeps = { ...deps, activity, metrics, funding, startedAt: deps.now() };
  const responders = createResponders(desk);
  const readScoped = createScopedOrders({
    ...deps,
    withLimit: createPageLimit(isRejectedRequest),
    readWorking: async (query, viewer, options) => responders.working({ query, viewer, ...options }),
  });
  const { start, read: readPredicted, close } = openPredictedRates(deps);
  const routes = createDeskApi(desk, responders);
  return { responders, routes, readScoped, readPredicted, activity, metrics, start, close };
}
