import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { DESK_ACTIONS } from '#contract/desk/actions.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/venues.ts';
import { openAlerts } from '#server/alerts/open-alerts.ts';
import { createChanges } from '#server/core/changes.ts';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import type { GatewayPorts, Handler, ResponseListeners } from '#server/core/ports.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import { createSealedCursors } from '#server/core/sealed-cursors.ts';
import { createUniqueIds } from '#server/core/unique-ids.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toPublicRequest } from '#server/core/venue-request.ts';
import { openJournalRoom, type JournalRoom } from '#server/journal/open-journal-room.ts';
import type { DatabaseFile } from '#server/ops/backup/copy-databases.ts';
import { STORE_FILE } from '#server/ops/backup/data-files.ts';
import { prepareDataFolder } from '#server/ops/process/data-folder.ts';
import type { GatewaySettings } from '#server/ops/process/gateway-settings.ts';
import { openLinkKey } from '#server/ops/process/link-key.ts';
import { readVersion } from '#server/ops/process/version.ts';
import { auditActions } from '#server/people/accounts/audit-actions.ts';
import { createMetricsToken } from '#server/people/accounts/identify.ts';
import { openAccessRoom, type AccessRoom } from '#server/people/open-access-room.ts';
import { createSavedPerformers, createSavedResponders } from '#server/people/saved/saved-actions.ts';
import { createSavedStore } from '#server/people/saved/saved-store.ts';
import { openProxy } from '#server/proxy/open-proxy.ts';
import type { TransportLimits } from '#server/proxy/upstream/transport.ts';
import { openLive, type Live } from '#server/push/open-live.ts';
import { createActionRoutes } from '#server/readings/action-routes.ts';
import { openAliasBook } from '#server/readings/aliases/alias-book.ts';
import { createReadRoutes } from '#server/readings/desk-api.ts';
import { createEstimateStore } from '#server/readings/funding/estimate-store.ts';
import { createPerpetualSymbols } from '#server/readings/funding/perpetual-symbols.ts';
import { openReadings } from '#server/readings/open-readings.ts';
import { createHistoryReader, toOutcomeReader } from '#server/readings/orders/read-history.ts';
import { createHealthProbe, type HealthProbe } from '#server/readings/status/health-probe.ts';
import { createDropCheck } from '#server/readings/working-orders/drop-check.ts';
import { createLease } from '#server/store/lease.ts';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';
import { arrivalOf, homeOf, ownOriginOf } from '#server/web/arrival.ts';
import { joinRoutes, type Routes } from '#server/web/router.ts';
import { createSender, type SendResponse } from '#server/web/send-response.ts';
import type { AppFiles } from '#server/web/static/app-files.ts';
import { StoreFailure } from '#sql/store-failure.ts';
import { createHandler } from './create-handler.ts';
import { createOidcRoutes } from './oidc-routes.ts';

export interface GatewayConfig
  extends
    Pick<GatewaySettings, 'credential' | 'budget' | 'dataDir' | 'databaseUrl'>,
    Partial<
      Pick<GatewaySettings, 'compressesLive' | 'journalSeconds' | 'journalBytes' | 'channels' | 'access' | 'given'>
    > {
  readonly profile: VenueProfile & { readonly baseUrl: string };
  /** Identifies the exchange in the store, if its address changes with each start; the default is its address. */
  readonly venueId?: string;
  /** Overrides of the default timeouts. */
  readonly limits?: Partial<TransportLimits>;
  /** Who says who people are, where the desk does not keep them itself. */
  readonly provider?: ProviderSettings | null;
  /** Where this desk listens. */
  readonly address?: string;
  /** The built app; without it every path outside the API is a 404. */
  readonly app?: AppFiles;
}

interface Secrets {
  /** Null: the exchange needs none, or none is configured. */
  readonly token: string | null;
  readonly channels: readonly ChannelSettings[];
  /** Null: only administrators read the metrics. */
  readonly metricsToken: string | null;
}

export interface Gateway {
  readonly handle: Handler;
  /** Runs the self-test, then probes the exchange whenever it is not responding. */
  readonly start: () => void;
  /** Another token of the same connection, other channels and another token for the metrics, each from its next use on. */
  readonly changeSecrets: (secrets: Secrets) => Promise<void>;
  readonly selfTest: HealthProbe['selfTest'];
  readonly access: Pick<AccessRoom, 'hasNobody' | 'inviteFirst' | 'commands'>;
  /** What it stores in the data folder; null if that is in PostgreSQL. */
  readonly database: DatabaseFile | null;
  /** Ends the live streams, which no other end would. */
  readonly endStreams: () => void;
  readonly close: () => Promise<void>;
}

const MAX_ESTIMATES = 50_000;
const JOURNAL_BYTES = 5 * 1_024 ** 3;
const WITHOUT_PEOPLE = { mode: 'local', sessionHours: 168, idleHours: 12, metricsToken: null } as const;

/** The server, from its settings. */
export async function createGateway(config: GatewayConfig, ports: GatewayPorts): Promise<Gateway> {
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

/** At the start, what the database itself reports says more than that a response is missing. */
function toOpeningFailure(error: unknown): unknown {
  return error instanceof VenueFailure && error.cause instanceof StoreFailure ? error.cause : error;
}

/** From top to bottom: nothing is used before it is there. */
async function putTogether(config: GatewayConfig, ports: GatewayPorts, store: Store): Promise<Gateway> {
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
  const aliases = await openAliasBook({ store, key, scope });
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
    mayCall: access.mayCall,
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
    calls: alerts.calls,
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
    below: proxy.routes(readings.readPart),
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
      return alerts.calls.changeChannels(channels);
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

/** Under which names the data of this exchange are stored. */
function toIds({ profile, venueId = profile.baseUrl, credential }: GatewayConfig) {
  return {
    venueId,
    // Each environment of an exchange has its own data, and its own mount.
    fundingId: `${venueId} ${toMountPrefix(profile, 'funding')}`,
    // Whose orders these are, and where.
    scope: `${venueId} ${toMountPrefix(profile, 'orders')} ${credential?.connectionId ?? ''}`,
  };
}

function addressOf(request: IncomingMessage): string {
  return arrivalOf(request).address;
}

const OF_REQUESTS = { originOf: ownOriginOf, homeOf, addressOf };

function createAccessRoutes(
  { responders, performers, oidc }: AccessRoom,
  core: Pick<GatewayPorts, 'now' | 'elapsed'> & { readonly send: SendResponse },
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

/** Without a key nobody's orders are there to be read. */
function keepsJournal({ credential, journalSeconds }: GatewayConfig): boolean {
  return credential !== null && (journalSeconds ?? null) !== null;
}

function keepJournal(config: GatewayConfig, { watch }: Live, { start }: JournalRoom): void {
  if (!keepsJournal(config)) return;
  watch(
    { name: 'working-orders', pairs: [] },
    { everySeconds: config.journalSeconds ?? 0, payer: 'journal', onReading: () => undefined },
  );
  start();
}

/** A Unix socket is nothing that a browser could open. */
function toDeskUrl(address = ''): () => string | null {
  const url = address.startsWith('http') ? address : null;
  return () => url;
}
