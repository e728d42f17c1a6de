import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { DESK_ACTIONS } from '#contract/desk/actions.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { StoreFailure } from '#sql/store-failure.ts';
import { createMetricsToken, type MetricsToken } from '#server/people/accounts/viewers.ts';
import { type AccessRoom, openAccessRoom } from '#server/people/open-access-room.ts';
import type { Activity, Metrics } from '#server/readings/status/metrics.ts';
import { createBrowserSessions } from '#server/web/browser-sessions.ts';
import { type AccessLogEntry, logRequest } from '#server/web/request-context.ts';
import { limitRequests } from '#server/web/request-limits.ts';
import { createRouter, joinRoutes, reservedSegmentsOf, type Routes } from '#server/web/router.ts';
import type { Handler, ResponseListeners, ServerPorts, VenueResponse } from '#server/core/ports.ts';
import { type AppFiles, createStaticFiles } from '#server/web/app-files.ts';
import type { Identify } from '#server/core/viewer.ts';
import { openAlerts } from '#server/alerts/open-alerts.ts';
import { AUDIT_DEFAULTS } from '#server/core/audit-settings.ts';
import { openHolidays } from '#server/core/holidays.ts';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toPublicRequest } from '#server/core/venue-request.ts';
import type { PriceRoom } from '#server/journal/prices/open-price-room.ts';
import type { DatabaseFile } from '#server/ops/backup/data-files.ts';
import { prepareDataFolder, STORE_FILE } from '#server/ops/process/data-folder.ts';
import { auditActions } from '#server/people/accounts/recorded-requests.ts';
import { createSavedPerformers, createSavedResponders } from '#server/people/saved/saved-actions.ts';
import { createSavedStore } from '#server/people/saved/saved-store.ts';
import { openProxy } from '#server/proxy/open-proxy.ts';
import { openLive } from '#server/push/open-live.ts';
import { createActionRoutes } from '#server/readings/action-routes.ts';
import { type AliasRegistry, openAliasRegistry } from '#server/readings/alias-registry.ts';
import { createReadRoutes } from '#server/readings/desk-api.ts';
import { createEstimateStore } from '#server/readings/funding/estimate-store.ts';
import {
  createLatestNote,
  createListedCodes,
  createStoredRates,
} from '#server/readings/funding/open-funding-records.ts';
import { openReadings } from '#server/readings/open-readings.ts';
import { createOrderConflicts, type OrderConflicts } from '#server/readings/working-orders/order-conflicts.ts';
import { createUnlistedOrders } from '#server/readings/working-orders/unlisted-orders.ts';
import { createHistoryReader } from '#server/readings/working-orders/read-history.ts';
import { tryToParseRows } from '#server/core/rows.ts';
import { createHealthProbe, type HealthProbe } from '#server/readings/status/health-probe.ts';
import { createDropCheck } from '#server/readings/working-orders/drop-check.ts';
import { openStore } from '#server/store/open-store.ts';
import type { SharedFiles } from '#server/store/shared-files.ts';
import { giveUpIfAway, type Store } from '#server/store/store.ts';
import { arrivalOf, homeOf, ownOriginOf } from '#server/web/arrival.ts';
import type { SendResponse } from '#server/web/send-response.ts';
import { createOidcRoutes } from '#server/web/provider-routes.ts';
import { keepJournal, openJournal, openPrices } from './keep-journal.ts';
import { type Core, openCore } from './open-core.ts';
import { type ServerConfig, toJournalSeconds, toIds, WITHOUT_PEOPLE } from './server-config.ts';

interface Secrets {
  /** Null if the exchange needs none, or none is configured. */
  readonly token: string | null;
  readonly channels: readonly ChannelSettings[];
  /** Null if only administrators may read the metrics. */
  readonly metricsToken: string | null;
}

export interface DeskServer {
  readonly handle: Handler;
  /** Runs the self-test, then probes the exchange whenever it is not responding. */
  readonly start: () => void;
  /** Sets another token of the same connection, other channels and another metrics token, each from its next use on. */
  readonly changeSecrets: (secrets: Secrets) => Promise<void>;
  readonly selfTest: HealthProbe['selfTest'];
  readonly access: Pick<AccessRoom, 'hasNobody' | 'inviteFirst' | 'commands'>;
  /** The database in the data folder; null for PostgreSQL. */
  readonly database: DatabaseFile | null;
  /** Ends the live streams, which would otherwise never end, after their browsers have moved to other desks. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Half a year of those that are read while no one looks, of seventeen perpetuals. */
const MAX_ESTIMATES = 200_000;

/** Creates the server from its settings. */
export async function createDeskServer(config: ServerConfig, ports: ServerPorts): Promise<DeskServer> {
  const { log, now, elapsed } = ports;
  prepareDataFolder(config.dataDir, (reason) => {
    log('warn', 'data folder made private', { reason });
  });
  const store = await openStore(config, {
    now,
    elapsed,
    report: (event, reason) => {
      log('error', event, { reason });
    },
  });
  try {
    return await putTogether(config, ports, store);
  } catch (error) {
    await store.close();
    throw toOpeningFailure(error);
  }
}

/** Prefers the database’s own error at the start: it says more than the resulting problem. */
function toOpeningFailure(error: unknown): unknown {
  return error instanceof VenueFailure && error.cause instanceof StoreFailure ? error.cause : error;
}

/** Passes a page of the order history on to all that learn from it. */
function noteOrders(
  response: VenueResponse,
  to: { readonly aliases: AliasRegistry } & Readonly<
    Record<'conflicts' | 'unlisted', Pick<OrderConflicts, 'noteHistory'>>
  >,
): void {
  const rows = tryToParseRows(response);
  to.aliases.add(rows);
  to.conflicts.noteHistory(rows, response.respondedAt);
  to.unlisted.noteHistory(rows, response.respondedAt);
}

/** Creates the listeners of all that learns from responses of the exchange. */
function createListeners(
  { store, now }: Pick<ServerPorts, 'now'> & { readonly store: Store },
  fundingId: string,
  {
    estimates,
    prices,
    ...ofOrders
  }: Parameters<typeof noteOrders>[1] & {
    readonly estimates: ReturnType<typeof createEstimateStore>;
    readonly prices: PriceRoom;
  },
): ResponseListeners {
  return {
    fundingEstimated: estimates.note,
    fundingRates: createLatestNote(store, fundingId, now),
    productDataAll: prices.note,
    orders: (_, response) => {
      noteOrders(response, ofOrders);
    },
  };
}

/** Opens the server modules from top to bottom, so that nothing is used before it exists. */
async function putTogether(config: ServerConfig, ports: ServerPorts, store: Store): Promise<DeskServer> {
  const core = await openCore(config, ports, store);
  const { profile, key, earlierKeys, lease, members } = core;
  const { venueId, fundingId } = toIds(config);
  const estimates = createEstimateStore(store, fundingId, MAX_ESTIMATES);
  const aliases = await openAliasRegistry(core);
  const [conflicts, unlisted] = [createOrderConflicts(), createUnlistedOrders(ports)];
  const prices = openPrices(config, core);
  const listeners = createListeners(core, fundingId, { estimates, prices, aliases, conflicts, unlisted });
  const proxy = await openProxy(
    { ...config, venueId, journalSeconds: toJournalSeconds(config) },
    { ...core, listeners },
  );
  const { reader, venue, rateLimiter, venueNow } = proxy;

  const readHistory = createHistoryReader(profile, reader);
  const journal = await openJournal(config, core, { ...proxy, readHistory });
  const onDecided = noteWorkingOrders(core);
  const drops = createDropCheck({ ...core, journal, readHistory, onDecided });

  const people = config.access ?? WITHOUT_PEOPLE;
  const metricsToken = createMetricsToken(people.metricsToken);
  const access = await openAccessRoom(
    {
      ...people,
      ...OF_REQUESTS,
      key,
      earlierKeys,
      provider: config.provider ?? null,
      given: config.given ?? {},
      auditing: config.auditing ?? AUDIT_DEFAULTS,
    },
    {
      ...core,
      holdsLease: lease.isHeld,
      deskName: store.isShared ? members.own.name : null,
      seenLately: members.seenLately,
    },
  );

  const live = openLive({
    ...core,
    ...{ reader, rateLimiter, venueNow },
    aliasOf: aliases.aliasOf,
    missing: drops.missing,
    onOrders: aliases.add,
    isCompressed: config.compressesLive ?? true,
    onStream: access.observer?.noteStream,
  });
  const healthProbe = createHealthProbe({ ...core, reader, venue: venue.state, request: toPublicRequest(profile) });
  const holidays = openHolidays(config.holidaysFile ?? null, ports);
  const alerts = await openAlerts({
    ...core,
    holidays: holidays.now,
    journal,
    prices: prices.reader,
    venue,
    rateLimiter,
    watch: live.watch,
    aliasOf: aliases.aliasOf,
    lastSelfTest: healthProbe.lastSelfTest,
    mayNotify: access.mayNotify,
    onSilenceOver: createSilenceRecord(access.audit),
    listed: createListedCodes(profile, reader),
    settledRatesOf: createStoredRates(store, fundingId),
    ...toNotifying(config),
    deskUrl: toDeskUrl(config.address),
  });
  const readings = openReadings({
    ...core,
    ...{ fundingId, reader, venue, venueNow, rateLimiter },
    estimates,
    aliases,
    journal,
    prices: prices.reader,
    drops: { ...drops, missing: live.missing },
    readElsewhere: live.readElsewhere,
    conflicts,
    unlisted,
    readHistory,
    healthProbe,
    notifications: alerts.notifications,
    live: live.state,
    isStopping: live.route.isDraining,
    sessionRefreshes: () => access.oidc?.refreshes() ?? null,
    signIns: access.signIns,
    auditUsage: access.auditUsage,
  });
  live.serve({
    ...readings.responders,
    alerts: async ({ query, viewer }) => ({ text: await alerts.responders.alerts(query, viewer) }),
  });

  const routes: Routes = {
    exact: joinRoutes(
      readings.routes,
      createAlertRoutes(alerts, access.audit, core),
      createAccessRoutes(access, core),
      createSavedRoutes(access, aliases, core),
      { [LIVE_PATH]: { GET: { needs: 'markets', handle: live.route.handle } } },
    ),
    below: proxy.routes(readings),
  };
  return {
    handle: createHandler(
      { ...core, ...readings, routes, access, metricsToken, countDesks: () => members.alive().length },
      ports,
    ),
    start: () => {
      access.start(core.version);
      healthProbe.start();
      readings.start();
      keepJournal(config, { live, journal, drops, lease });
      void lease.start();
      members.start(() => ({ leads: lease.isHeld(), streams: live.route.streams(null) }));
      alerts.start();
    },
    changeSecrets: ({ token, channels, metricsToken: ofMetrics }) => {
      metricsToken.change(ofMetrics);
      if (token !== null) proxy.changeToken(token);
      return alerts.notifications.changeChannels(channels);
    },
    selfTest: healthProbe.selfTest,
    access,
    database: store.copyTo && { name: STORE_FILE, copyTo: store.copyTo },
    drain: async () => {
      if (members.alive().length > 1) {
        // Another desk leads at once.
        await lease.close();
        await live.route.drain();
      }
      live.route.close();
      giveUpIfAway(store, ports.schedule);
    },
    close: async () => {
      core.sharedFiles.close();
      await closeInOrder([
        live,
        healthProbe,
        readings,
        rateLimiter,
        alerts,
        holidays,
        lease,
        journal,
        prices,
        access,
        reader,
        members,
        store,
      ]);
    },
  };
}

async function closeInOrder(parts: readonly { readonly close: () => void | Promise<void> }[]): Promise<void> {
  for (const { close } of parts) await close();
}

function addressOf(request: IncomingMessage): string {
  return arrivalOf(request).address;
}

const OF_REQUESTS = { originOf: ownOriginOf, homeOf, addressOf };

function createAccessRoutes(
  { responders, performers, oidc }: AccessRoom,
  core: Pick<ServerPorts, 'now' | 'elapsed'> & { readonly send: SendResponse },
): Routes['exact'] {
  return joinRoutes(
    oidc === null ? {} : createOidcRoutes(oidc, core.elapsed),
    createReadRoutes(ACCESS_ENDPOINTS, responders, core),
    createActionRoutes(ACCESS_ACTIONS, performers, core.send),
  );
}

/** Records the silences that no person ended. */
function createSilenceRecord(audit: AccessRoom['audit']): (silence: { readonly id: string }) => void {
  return ({ id }) =>
    void audit.record({
      ...{ kind: 'alert changed', who: '', name: '', address: '' },
      detail: `The silence ${id} ended by its time.`,
    });
}

function createAlertRoutes(
  { responders, performers }: Awaited<ReturnType<typeof openAlerts>>,
  audit: AccessRoom['audit'],
  core: Core,
): Routes['exact'] {
  return joinRoutes(
    createReadRoutes(RULE_ENDPOINTS, responders, core),
    createActionRoutes(DESK_ACTIONS, auditActions(performers, audit, addressOf), core.send),
  );
}

function createSavedRoutes(
  { mode, audit }: Pick<AccessRoom, 'mode' | 'audit'>,
  aliases: AliasRegistry,
  { store, now, send, elapsed }: Core,
): Routes['exact'] {
  const readCodes = async (): Promise<typeof aliases.list> => {
    await aliases.refresh();
    return aliases.list;
  };
  const parts = { store: createSavedStore(store), mode, readCodes, now, send, elapsed };
  return joinRoutes(
    createReadRoutes(SAVED_ENDPOINTS, createSavedResponders(parts), parts),
    createActionRoutes(SAVED_ACTIONS, auditActions(createSavedPerformers(parts), audit, addressOf), send),
  );
}

/** Returns where notifications and the heartbeat go, and how often the journal must be read for the latter. */
function toNotifying(config: ServerConfig) {
  const { channels: settings = [], heartbeat = null } = config;
  const seconds = toJournalSeconds(config);
  return { settings, heartbeat, journalMs: seconds === null ? null : seconds * 1_000 };
}

function noteWorkingOrders({ changes }: Pick<Core, 'changes'>): () => void {
  return () => {
    changes.note('working-orders');
  };
}

/** Returns null for a Unix socket, which a browser could not open. */
function toDeskUrl(address = ''): () => string | null {
  const url = address.startsWith('http') ? address : null;
  return () => url;
}

interface HandlerDeps {
  readonly routes: Routes;
  readonly access: Pick<AccessRoom, 'mode' | 'observer' | 'identify'>;
  readonly key: string;
  readonly metricsToken: Pick<MetricsToken, 'wrap'>;
  readonly app: AppFiles;
  readonly sharedFiles: Pick<SharedFiles, 'find'>;
  readonly nextRequestId: () => string;
  readonly activity: Activity;
  readonly metrics: Pick<Metrics, 'record'>;
  readonly countDesks: () => number;
}

/** Serves a request within the limits of its sender, and records it. */
function createHandler(
  { routes, access, key, metricsToken, app, sharedFiles, nextRequestId, activity, metrics, countDesks }: HandlerDeps,
  { now, elapsed, log }: ServerPorts,
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
      app: createStaticFiles(app, reservedSegmentsOf(routes), sharedFiles.find),
      now,
      nextRequestId,
      record,
    });
  if (access.mode !== 'local')
    return limitRequests(
      { identify: metricsToken.wrap(access.identify), elapsed, nextRequestId, record, countDesks },
      createLimited,
    );
  const browsers = createBrowserSessions(key, randomUUID);
  const handle = createLimited(metricsToken.wrap(browsers.identify));
  return (request, response) => {
    browsers.greet(request, response);
    return handle(request, response);
  };
}
