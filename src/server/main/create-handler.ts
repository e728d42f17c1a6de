import { randomUUID } from 'node:crypto';
import type { MetricsToken } from '#server/people/accounts/identify.ts';
import type { AccessRoom } from '#server/people/open-access-room.ts';
import type { Activity } from '#server/readings/status/activity.ts';
import type { Metrics } from '#server/readings/status/metrics.ts';
import { createBrowserSessions } from '#server/web/browser-sessions.ts';
import { logRequest, type AccessLogEntry } from '#server/web/request-context.ts';
import { limitRequests } from '#server/web/request-limits.ts';
import { createRouter, reservedSegmentsOf, type Routes } from '#server/web/router.ts';
import type { GatewayPorts, Handler } from '#server/core/ports.ts';
import type { AppFiles } from '#server/web/static/app-files.ts';
import { createStaticFiles } from '#server/web/static/static-files.ts';
import type { Identify } from '#server/core/viewer.ts';

interface HandlerParts {
  readonly routes: Routes;
  readonly access: Pick<AccessRoom, 'mode' | 'observer' | 'identify'>;
  readonly key: string;
  readonly metricsToken: Pick<MetricsToken, 'wrap'>;
  readonly app: AppFiles | undefined;
  readonly nextRequestId: () => string;
  readonly activity: Activity;
  readonly metrics: Pick<Metrics, 'record'>;
}

/** Serves a request within the limits of who sends it, and records it. */
export function createHandler(
  { routes, access, key, metricsToken, app, nextRequestId, activity, metrics }: HandlerParts,
  { now, elapsed, log }: GatewayPorts,
): Handler {
  const record = (entry: AccessLogEntry): void => {
    activity.record(entry, now());
    metrics.record(entry);
    logRequest(log, entry);
  };
  const createLimited = (limited: Identify): Handler =>
    createRouter({
      routes,
      identify: limited,
      observe: access.observer?.noteResult,
      app: createStaticFiles(app ?? new Map(), reservedSegmentsOf(routes)),
      now,
      nextRequestId,
      record,
    });
  if (access.mode !== 'local')
    return limitRequests(
      { identify: metricsToken.wrap(access.identify), elapsed, nextRequestId, record },
      createLimited,
    );
  const browsers = createBrowserSessions(key, randomUUID);
  const handle = createLimited(metricsToken.wrap(browsers.identify));
  return (request, response) => {
    browsers.greet(request, response);
    return handle(request, response);
  };
}
