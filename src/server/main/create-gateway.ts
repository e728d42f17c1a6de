import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { DESK_ACTIONS } from '#contract/desk/actions.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { API_PREFIX } from '#contract/desk/desk.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { createPageLimit } from '#contract/desk/page-limit.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/venues.ts';
import { StoreFailure } from '#sql/store-failure.ts';
import { auditActions } from '#server/people/accounts/audit-actions.ts';
import { createMetricsToken, type MetricsToken } from '#server/people/accounts/metrics-token.ts';
import { openAccessRoom, type AccessRoom } from '#server/people/open-access-room.ts';
import { createHandler } from './create-handler.ts';
import { createOidcRoutes } from './oidc-routes.ts';
import type { DatabaseFile } from '#server/ops/backup/copy-databases.ts';
import { STORE_FILE } from '#server/ops/backup/data-files.ts';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import { openCallRoom, type Calls } from '#server/alerts/calls/open-call-room.ts';
import { openDiskCache } from '#server/proxy/cache/disk-cache.ts';
import { createMemoryCache } from '#server/proxy/cache/memory-cache.ts';
import { createReader } from '#server/proxy/cache/reader.ts';
import { openAliasBook } from '#server/readings/aliases/alias-book.ts';
import { recordOwners } from '#server/readings/aliases/record-owners.ts';
import { createActionRoutes } from '#server/readings/action-routes.ts';
import { createChannelTest } from '#server/alerts/calls/test-channel.ts';
import { createDeskApi, createReadRoutes, createResponders, type Responders } from '#server/readings/desk-api.ts';
import { createEstimateStore } from '#server/readings/funding/estimate-store.ts';
import { openFundingBook } from '#server/readings/funding/open-funding-book.ts';
import { createPerpetualSymbols } from '#server/readings/funding/perpetual-symbols.ts';
import { recordEstimates } from '#server/readings/funding/record-estimates.ts';
import { createActivity } from '#server/readings/status/activity.ts';
import { createHealthProbe, type HealthProbe } from '#server/readings/status/health-probe.ts';
import { createMetrics } from '#server/readings/status/metrics.ts';
import {
  createPartOfOrders,
  type PartOfOrdersParts,
  type ReadPart,
} from '#server/readings/working-orders/part-of-orders.ts';
import { createHistoryReader, toOutcomeReader } from '#server/readings/orders/read-history.ts';
import { createDropCheck, type DropCheck, type DropCheckParts } from '#server/readings/working-orders/drop-check.ts';
import { arrivalOf, homeOf, ownOriginOf } from '#server/web/arrival.ts';
import { createResponseEncoder } from '#server/web/encoded-responses.ts';
import { createRequestParser } from '#server/proxy/request-parser.ts';
import { joinRoutes, type Routes } from '#server/web/router.ts';
import { createVenueProxy } from '#server/proxy/venue-proxy.ts';
import { openJournalRoom, type JournalRoom } from '#server/journal/open-journal-room.ts';
import { openLive, type Live } from '#server/push/open-live.ts';
import type { GatewayPorts, Handler, RateLimiter, Reader, Venue } from '#server/core/ports.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import { prepareDataFolder } from '#server/ops/process/data-folder.ts';
import type { GatewaySettings } from '#server/ops/process/gateway-settings.ts';
import { openLinkKey } from '#server/ops/process/link-key.ts';
import { readVersion } from '#server/ops/process/version.ts';
import { createPermitLog } from '#server/proxy/budget/permit-log.ts';
import { createRateLimiter } from '#server/proxy/budget/rate-limiter.ts';
import { openSlidingWindow } from '#server/proxy/budget/sliding-window.ts';
import { openRulesRoom } from '#server/alerts/rules/open-rules-room.ts';
import { createRulePerformers, createRuleResponders } from '#server/alerts/rules/rule-actions.ts';
import { createSavedPerformers, createSavedResponders } from '#server/people/saved/saved-actions.ts';
import { createSavedStore } from '#server/people/saved/saved-store.ts';
import type { AppFiles } from '#server/web/static/app-files.ts';
import { createLease, type Lease } from '#server/store/lease.ts';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';
import { createSealedCursors } from '#server/core/sealed-cursors.ts';
import { createUniqueIds } from '#server/core/unique-ids.ts';
import { createSigner, type Signer } from '#server/proxy/upstream/signer.ts';
import { createTransport, type TransportLimits } from '#server/proxy/upstream/transport.ts';
import { createVenueClient } from '#server/proxy/upstream/venue-client.ts';
import { createVenueClock } from '#server/proxy/upstream/venue-clock.ts';
import { isRejectedRequest, VenueFailure } from '#server/core/venue-failure.ts';
import { toPublicRequest } from '#server/core/venue-request.ts';

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

const MEMORY_BYTES = 32 * 1_024 * 1_024;
const DISK_BYTES = 512 * 1_024 * 1_024;
const MAX_ESTIMATES = 50_000;
const JOURNAL_BYTES = 5 * 1_024 ** 3;
const WITHOUT_PEOPLE = { mode: 'local', sessionHours: 168, idleHours: 12, metricsToken: null } as const;

/** Wires all rooms of the gateway together. */
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
    return await wire(config, ports, store);
  } catch (error) {
    await store.close();
    throw toOpeningFailure(error);
  }
}

/** At the start, what the database itself reports says more than that a response is missing. */
function toOpeningFailure(error: unknown): unknown {
  return error instanceof VenueFailure && error.cause instanceof StoreFailure ? error.cause : error;
}

// oxlint-disable-next-line eslint/max-lines-per-function -- what each part needs, in the order in which they are made
async function wire(config: GatewayConfig, ports: GatewayPorts, store: Store): Promise<Gateway> {
  const { profile, credential } = config;
  const { now, elapsed, schedule, log } = ports;
  const window = await openSlidingWindow({
    budget: config.budget,
    keepsJournal: keepsJournal(config),
    log: createPermitLog(store, { now, elapsed }),
    elapsed,
  });
  const rateLimiter = createRateLimiter(window, schedule, elapsed);
  const venueId = config.venueId ?? profile.baseUrl;
  // Each environment of an exchange has its own data, and its own mount.
  const fundingId = `${venueId} ${toMountPrefix(profile, 'funding')}`;
  const estimates = createEstimateStore(store, fundingId, MAX_ESTIMATES);
  const identity = credential?.connectionId ?? '';
  // Whose orders these are, and where.
  const scope = `${venueId} ${toMountPrefix(profile, 'orders')} ${identity}`;
  const key = openLinkKey(config.dataDir);
  const aliases = await openAliasBook({ store, key, scope });
  const cursors = createSealedCursors(key);
  const signer = credential && createSigner(credential.connectionId, credential.token);
  const venue = recordOwners(recordEstimates(openVenue(config, ports, rateLimiter, signer), estimates), aliases);
  const reader = createReader({
    venue,
    memoryCache: createMemoryCache(MEMORY_BYTES),
    diskCache: await openDiskCache(store, DISK_BYTES),
    now,
    elapsed,
    venueId,
    identity,
  });
  const { journal, drops } = await openJournal(config, ports, {
    store,
    scope,
    reader,
    onDecided: () => {
      live.noteChange('working-orders');
    },
  });
  const people = config.access ?? WITHOUT_PEOPLE;
  const metricsToken = createMetricsToken(people.metricsToken);
  const lease = createLease({ store, name: 'rules and calls', holder: randomBytes(16).toString('hex'), ...ports });
  const access = await openAccessRoom(
    {
      ...people,
      key,
      provider: config.provider ?? null,
      originOf: ownOriginOf,
      homeOf,
      addressOf,
      given: config.given ?? {},
    },
    { ...ports, store, holdsLease: lease.isHeld },
  );
  const calls = openCalls(config, ports, store, lease);
  const venueNow = createVenueNow(venue, now);
  const funding = openFundingBook({ store, venueId: fundingId, profile, reader, venue, estimates, now, elapsed });
  const activity = createActivity();
  const healthProbe = createHealthProbe({
    profile,
    reader,
    venue: venue.state,
    request: toPublicRequest(profile),
    schedule,
    now,
    log,
  });
  const version = readVersion();
  const metrics = createMetrics({
    ...ports,
    version,
    activity,
    rateLimiter,
    reader,
    venue,
    store,
    journal,
    calls,
    sessionRefreshes: () => access.oidc?.refreshes() ?? null,
  });
  const deskParts = {
    profile,
    reader,
    venue,
    rateLimiter,
    store,
    activity,
    funding,
    estimates,
    aliases,
    journal,
    drops,
    calls,
    healthProbe,
    live: () => live.state(),
    startedAt: now(),
    version,
    now,
    venueNow,
    elapsed,
    metrics,
  };
  const responders = createResponders(deskParts);
  const readPart = openPartOfOrders({ profile, reader, cursors, now }, responders);
  const nextRequestId = createUniqueIds(now());
  const live = openLive({
    profile,
    aliasOf: aliases.aliasOf,
    reader,
    responders: {
      ...responders,
      alerts: async ({ query, viewer }) => ({ text: await ruleResponders.alerts(query, viewer) }),
    },
    rateLimiter,
    venueNow,
    now,
    elapsed,
    schedule,
    log,
    missing: drops.missing,
    isCompressed: config.compressesLive ?? true,
    onStream: access.observer?.noteStream,
    nextRequestId,
  });
  const rules = await openRulesRoom({
    ...ports,
    store,
    scope,
    journal,
    calls,
    lease,
    watch: live.watch,
    venue,
    rateLimiter,
    lastSelfTest: healthProbe.lastSelfTest,
    mayCall: access.mayCall,
    onChange: () => {
      live.noteChange('alerts');
    },
  });
  const ruleResponders = createRuleResponders(rules, { now, cursors });
  const performers = auditActions(
    {
      ...createRulePerformers(rules, { ...ports, journal, perpetuals: createPerpetualSymbols(profile, reader) }),
      testChannel: createChannelTest(calls),
    },
    access.audit,
    addressOf,
  );
  const routes: Routes = {
    exact: joinRoutes(
      createDeskApi(deskParts, responders),
      createReadRoutes(RULE_ENDPOINTS, ruleResponders, now),
      createActionRoutes(DESK_ACTIONS, performers),
      createAccessRoutes(access, ports),
      createSavedRoutes(
        { store: createSavedStore(store), mode: access.mode, codesOf: aliases.list, now },
        access.audit,
      ),
      { [LIVE_PATH]: { GET: { needs: 'markets', handle: live.route.handle } } },
    ),
    below: {
      prefix: API_PREFIX,
      needs: 'markets',
      handle: createVenueProxy({
        parser: createRequestParser(API_PREFIX, profile),
        reader,
        readPart,
        encoder: createResponseEncoder(),
        now,
        venueNow,
      }),
    },
  };
  return {
    handle: createHandler(
      { routes, access, key, metricsToken, app: config.app, nextRequestId, activity, metrics },
      ports,
    ),
    start: () => {
      access.start(version);
      healthProbe.start();
      keepJournal(config, live, journal);
      lease.start();
      calls.start();
      rules.start();
    },
    changeSecrets: secretsChanger(signer, calls, metricsToken),
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
        rules,
        calls,
        lease,
        journal,
        access,
        reader,
        store,
      ]),
  };
}

function createAccessRoutes(
  { responders, performers, oidc }: AccessRoom,
  { now, elapsed }: GatewayPorts,
): Routes['exact'] {
  return joinRoutes(
    oidc === null ? {} : createOidcRoutes(oidc, elapsed),
    createReadRoutes(ACCESS_ENDPOINTS, responders, now),
    createActionRoutes(ACCESS_ACTIONS, performers),
  );
}

function createSavedRoutes(
  parts: Parameters<typeof createSavedPerformers>[0],
  audit: AccessRoom['audit'],
): Routes['exact'] {
  return joinRoutes(
    createReadRoutes(SAVED_ENDPOINTS, createSavedResponders(parts), parts.now),
    createActionRoutes(SAVED_ACTIONS, auditActions(createSavedPerformers(parts), audit, addressOf)),
  );
}

function addressOf(request: IncomingMessage): string {
  return arrivalOf(request).address;
}

function secretsChanger(signer: Signer | null, calls: Calls, metricsToken: MetricsToken): Gateway['changeSecrets'] {
  return ({ token, channels, metricsToken: ofMetrics }) => {
    metricsToken.change(ofMetrics);
    if (token !== null) signer?.changeToken(token);
    return calls.changeChannels(channels);
  };
}

async function closeInOrder(parts: readonly { readonly close: () => void | Promise<void> }[]): Promise<void> {
  for (const { close } of parts) await close();
}

function createVenueNow({ state }: Venue, now: () => number): () => number | null {
  return () => {
    const { clockOffsetMs } = state();
    return clockOffsetMs === null ? null : now() + clockOffsetMs;
  };
}

interface JournalingParts extends Pick<DropCheckParts, 'onDecided'> {
  readonly store: Store;
  readonly scope: string;
  readonly reader: Reader;
}

/** What the journal is given are readings that are believed. */
async function openJournal(
  { profile, journalBytes = JOURNAL_BYTES }: GatewayConfig,
  ports: GatewayPorts,
  { store, scope, reader, onDecided }: JournalingParts,
): Promise<{ readonly journal: JournalRoom; readonly drops: DropCheck }> {
  const readHistory = createHistoryReader(profile, reader);
  const journal = await openJournalRoom({
    ...ports,
    store,
    scope,
    maxBytes: journalBytes,
    readHistory: toOutcomeReader(readHistory),
  });
  return { journal, drops: createDropCheck({ ...ports, journal, readHistory, onDecided }) };
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

function openCalls({ channels, address = '' }: GatewayConfig, ports: GatewayPorts, store: Store, lease: Lease): Calls {
  // A Unix socket is nothing that a browser could open.
  const deskUrl = address.startsWith('http') ? address : null;
  return openCallRoom({ store, lease, settings: channels ?? [], deskUrl: () => deskUrl, ...ports });
}

function openPartOfOrders(
  parts: Pick<PartOfOrdersParts, 'profile' | 'reader' | 'cursors' | 'now'>,
  { working }: Responders,
): ReadPart {
  return createPartOfOrders({
    ...parts,
    withLimit: createPageLimit(isRejectedRequest),
    readWorking: async (query, viewer, options) => working({ query, viewer, ...options }),
  });
}

function openVenue(
  { profile, limits }: GatewayConfig,
  { now, elapsed, pause, random, schedule }: GatewayPorts,
  rateLimiter: RateLimiter,
  signer: Signer | null,
): Venue {
  const { baseUrl } = profile;
  return createVenueClient({
    profile,
    baseUrl,
    basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
    transport: createTransport({ baseUrl, schedule, limits }),
    rateLimiter,
    clock: createVenueClock(),
    signer,
    now,
    elapsed,
    pause,
    random,
  });
}
