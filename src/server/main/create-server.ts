import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { DESK_ACTIONS } from '#contract/desk/actions.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/addresses.ts';
import { StoreFailure } from '#sql/store-failure.ts';
import { createMetricsToken, type MetricsToken } from '#server/people/accounts/viewers.ts';
import { type AccessRoom, openAccessRoom } from '#server/people/open-access-room.ts';
import type { Activity, Metrics } from '#server/readings/status/metrics.ts';
import { createBrowserSessions } from '#server/web/browser-sessions.ts';
import { type AccessLogEntry, logRequest } from '#server/web/request-context.ts';
import { limitRequests } from '#server/web/request-limits.ts';
import { createRouter, joinRoutes, reservedSegmentsOf, type Routes } from '#server/web/router.ts';
import type { Handler, ResponseListeners, ServerPorts } from '#server/core/ports.ts';
import { type AppFiles, createStaticFiles } from '#server/web/app-files.ts';
import type { Identify } from '#server/core/viewer.ts';
import { openAlerts } from '#server/alerts/open-alerts.ts';
import { createChanges } from '#server/core/topics.ts';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import { createSealedCursors } from '#server/core/sealed-texts.ts';
import { createUniqueIds } from '#server/core/unique-ids.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toPublicRequest } from '#server/core/venue-request.ts';
import { type JournalRoom, openJournalRoom } from '#server/journal/open-journal-room.ts';
import { type DatabaseFile, STORE_FILE } from '#server/ops/backup/data-files.ts';
import { prepareDataFolder } from '#server/ops/process/data-folder.ts';
import type { ServerSettings } from '#server/ops/process/server-settings.ts';
import { openLinkKey } from '#server/ops/process/link-key.ts';
import { readVersion } from '#server/ops/process/version.ts';
import { auditActions } from '#server/people/accounts/recorded-requests.ts';
import { createSavedPerformers, createSavedResponders } from '#server/people/saved/saved-actions.ts';
import { createSavedStore } from '#server/people/saved/saved-store.ts';
import { openProxy } from '#server/proxy/open-proxy.ts';
import type { TransportLimits } from '#server/proxy/upstream/transport.ts';
import { type Live, openLive } from '#server/push/open-live.ts';
import { createActionRoutes } from '#server/readings/action-routes.ts';
import { openAliasRegistry } from '#server/readings/alias-registry.ts';
import { createReadRoutes } from '#server/readings/desk-api.ts';
import { createEstimateStore } from '#server/readings/funding/estimate-store.ts';
import { createPerpetualSymbols } from '#server/readings/funding/open-funding-records.ts';
import { openReadings } from '#server/readings/open-readings.ts';
import { createHistoryReader, toOutcomeReader } from '#server/readings/working-orders/read-history.ts';
import { createHealthProbe, type HealthProbe } from '#server/readings/status/health-probe.ts';
import { createDropCheck } from '#server/readings/working-orders/drop-check.ts';
import { createLease } from '#server/store/lease.ts';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';
import { arrivalOf, homeOf, ownOriginOf } from '#server/web/arrival.ts';
import { createSender, type SendResponse } from '#server/web/send-response.ts';
import { createOidcRoutes } from '#server/web/provider-routes.ts';

export interface ServerConfig
  extends
    Pick<ServerSettings, 'credential' | 'budget' | 'dataDir' | 'databaseUrl'>,
    Partial<
      Pick<ServerSettings, 'compressesLive' | 'journalSeconds' | 'journalBytes' | 'channels' | 'access' | 'given'>
    > {
  readonly profile: VenueProfile & { readonly baseUrl: string };
  /** Identifies the exchange in the store if its address changes with each start; the default is its address. */
  readonly venueId?: string;
  /** Overrides of the default timeouts. */
  readonly limits?: Partial<TransportLimits>;
  /** The service that identifies people, if Perpdesk does not do so itself. */
  readonly provider?: ProviderSettings | null;
  /** The address on which the server listens. */
  readonly address?: string;
  /** The built app; without it, every path outside the API is a 404. */
  readonly app?: AppFiles;
}

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
  /** Ends the live streams, which would otherwise never end. */
  readonly endStreams: () => void;
  readonly close: () => Promise<void>;
}

const MAX_ESTIMATES = 50_000;
const JOURNAL_BYTES = 5 * 1_024 ** 3;
const WITHOUT_PEOPLE = { mode: 'local', sessionHours: 168, idleHours: 12, metricsToken: null } as const;

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

/** Opens the server modules from top to bottom, so that nothing is used before it exists. */
async function putTogether(config: ServerConfig, ports: ServerPorts, store: Store): Promise<DeskServer> {
  const { profile } = config;
  const { venueId, fundingId, scope } = toIds(config);
  const key = openLinkKey(config.dataDir);
  const changes = createChanges();
  const nextRequestId = createUniqueIds(ports.now());
  const core = {
    ...ports,
    store,
    profile,
    scope,
    changes,
    cursors: createSealedCursors(key),
    nextRequestId,
    send: createSender(),
  };

  const estimates = createEstimateStore(store, fundingId, MAX_ESTIMATES);
  const aliases = await openAliasRegistry({ store, key, scope });
  const listeners: ResponseListeners = {
    fundingEstimated: estimates.note,
    orders: (_, response) => {
      aliases.addHistory(response);
    },
  };
  const proxy = await openProxy({ ...config, venueId, keepsJournal: keepsJournal(config) }, { ...core, listeners });
  const { reader, venue, rateLimiter, venueNow } = proxy;

  const readHistory = createHistoryReader(profile, reader);
  const maxBytes = config.journalBytes ?? JOURNAL_BYTES;
  const journal = await openJournalRoom({ ...core, maxBytes, readHistory: toOutcomeReader(readHistory) });
  const onDecided = (): void => {
    changes.note('working-orders');
  };
  const drops = createDropCheck({ ...core, journal, readHistory, onDecided });

  const lease = createLease({ ...core, name: 'rules and calls', holder: randomBytes(16).toString('hex') });
  const people = config.access ?? WITHOUT_PEOPLE;
  const metricsToken = createMetricsToken(people.metricsToken);
  const access = await openAccessRoom(
    { ...people, ...OF_REQUESTS, key, provider: config.provider ?? null, given: config.given ?? {} },
    { ...core, holdsLease: lease.isHeld },
  );

  const live = openLive({
    ...core,
    reader,
    rateLimiter,
    venueNow,
    aliasOf: aliases.aliasOf,
    missing: drops.missing,
    isCompressed: config.compressesLive ?? true,
    onStream: access.observer?.noteStream,
  });
  const healthProbe = createHealthProbe({ ...core, reader, venue: venue.state, request: toPublicRequest(profile) });
  const alerts = await openAlerts({
    ...core,
    journal,
    venue,
    rateLimiter,
    lease,
    watch: live.watch,
    lastSelfTest: healthProbe.lastSelfTest,
    mayNotify: access.mayNotify,
    perpetuals: createPerpetualSymbols(profile, reader),
    settings: config.channels ?? [],
    deskUrl: toDeskUrl(config.address),
  });
  const version = readVersion();
  const readings = openReadings({
    ...core,
    fundingId,
    reader,
    venue,
    venueNow,
    rateLimiter,
    estimates,
    aliases,
    journal,
    drops,
    healthProbe,
    version,
    notifications: alerts.notifications,
    live: live.state,
    sessionRefreshes: () => access.oidc?.refreshes() ?? null,
  });
  live.serve({
    ...readings.responders,
    alerts: async ({ query, viewer }) => ({ text: await alerts.responders.alerts(query, viewer) }),
  });

  const routes: Routes = {
    exact: joinRoutes(
      readings.routes,
      createReadRoutes(RULE_ENDPOINTS, alerts.responders, core),
      createActionRoutes(DESK_ACTIONS, auditActions(alerts.performers, access.audit, addressOf), core.send),
      createAccessRoutes(access, core),
      createSavedRoutes(
        { store: createSavedStore(store), mode: access.mode, codesOf: aliases.list, now: ports.now, send: core.send },
        access.audit,
      ),
      { [LIVE_PATH]: { GET: { needs: 'markets', handle: live.route.handle } } },
    ),
    below: proxy.routes(readings.readScoped),
  };
  return {
    handle: createHandler({ ...readings, routes, access, key, metricsToken, app: config.app, nextRequestId }, ports),
    start: () => {
      access.start(version);
      healthProbe.start();
      keepJournal(config, live, journal);
      lease.start();
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
    endStreams: live.route.close,
    close: () =>
      closeInOrder([
        live.route,
        live.feeds,
        live.hub,
        healthProbe,
        rateLimiter,
        alerts,
        lease,
        journal,
        access,
        reader,
        store,
      ]),
  };
}

async function closeInOrder(parts: readonly { readonly close: () => void | Promise<void> }[]): Promise<void> {
  for (const { close } of parts) await close();
}

/** Returns the names under which the data of this exchange are stored. */
function toIds({ profile, venueId = profile.baseUrl, credential }: ServerConfig) {
  return {
    venueId,
    // Each environment of an exchange has its own data, and its own mount.
    fundingId: `${venueId} ${toMountPrefix(profile, 'funding')}`,
    // Whose orders these are, and in which environment.
    scope: `${venueId} ${toMountPrefix(profile, 'orders')} ${credential?.connectionId ?? ''}`,
  };
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

function createSavedRoutes(
  parts: Parameters<typeof createSavedPerformers>[0] & { readonly send: SendResponse },
  audit: AccessRoom['audit'],
): Routes['exact'] {
  return joinRoutes(
    createReadRoutes(SAVED_ENDPOINTS, createSavedResponders(parts), parts),
    createActionRoutes(SAVED_ACTIONS, auditActions(createSavedPerformers(parts), audit, addressOf), parts.send),
  );
}

/** Whether the journal is recorded; never without a key, with which alone orders can be read. */
function keepsJournal({ credential, journalSeconds }: ServerConfig): boolean {
  return credential !== null && (journalSeconds ?? null) !== null;
}

function keepJournal(config: ServerConfig, { watch }: Live, { start }: JournalRoom): void {
  if (!keepsJournal(config)) return;
  watch(
    { name: 'working-orders', pairs: [] },
    { everySeconds: config.journalSeconds ?? 0, payer: 'journal', onReading: () => undefined },
  );
  start();
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
  readonly app: AppFiles | undefined;
  readonly nextRequestId: () => string;
  readonly activity: Activity;
  readonly metrics: Pick<Metrics, 'record'>;
}

/** Serves a request within the limits of its sender, and records it. */
function createHandler(
  { routes, access, key, metricsToken, app, nextRequestId, activity, metrics }: HandlerDeps,
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
