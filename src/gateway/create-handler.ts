import { randomUUID } from 'node:crypto';
import type { MetricsToken } from './access/metrics-token.ts';
import type { AccessRoom } from './access/open-access-room.ts';
import type { Activity } from './desk-api/introspection/activity.ts';
import type { Metrics } from './desk-api/introspection/metrics.ts';
import { createBrowserSessions } from './http/browser-sessions.ts';
import { logRequest } from './http/log-requests.ts';
import type { AccessLogEntry } from './http/request-context.ts';
import { limitRequests } from './http/request-limits.ts';
import { createRouter, reservedSegmentsOf, type Routes } from './http/router.ts';
import type { GatewayPorts, Handler } from './ports.ts';
import type { AppFiles } from './static/app-files.ts';
import { createStaticFiles } from './static/static-files.ts';
import type { Identify } from './viewer.ts';

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
