import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS, type Endpoint } from '#contract/exchange/endpoints.ts';
import { WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import { createPageLimit, type PageLimit } from '#contract/desk/page-limit.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import { READ_NEEDS } from '#contract/desk/needs.ts';
import type { Need } from '#contract/desk/roles.ts';
import type { ShownNotifications } from '#server/alerts/notifications/describe-notifications.ts';
import { sendFailure, sendProblem } from '#server/web/error-responses.ts';
import {
  abortOnDisconnect,
  pagePurposeOf,
  type RequestContext,
  type RouteHandler,
  type RouteResult,
} from '#server/web/request-context.ts';
import type { Routes } from '#server/web/router.ts';
import { provenanceHeaders, toTextBody, type SendResponse } from '#server/web/send-response.ts';
import type { GapCause } from '#server/journal/journal-store.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { PriceReader } from '#server/journal/prices/read-prices.ts';
import type {
  Payers,
  Provenance,
  Purpose,
  RateLimiter,
  ReadCause,
  Reader,
  ReadOptions,
  Venue,
  VenueRequest,
} from '#server/core/ports.ts';
import { createRowReader, type ListStep, type RowReading } from '#server/core/row-list.ts';
import { countRowsIn, parseRows, toRowCheck } from '#server/core/rows.ts';
import { createWriteCheck, type Store } from '#server/store/store.ts';
import { concernsVenue, isProblemOf, isRejectedRequest, VenueFailure } from '#server/core/venue-failure.ts';
import type { NamedTopic } from '#server/core/topics.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { isProblem, parseQuery, toLimitPairs, toVenueRequest } from '#server/core/venue-request.ts';
import { describeNotifications, describeDeliveries } from '#server/alerts/notifications/describe-notifications.ts';
import type { Reading } from '#server/journal/compare-reading.ts';
import type { AliasRegistry } from './alias-registry.ts';
import { describeEstimates, describeFunding } from './funding/describe-funding.ts';
import type { EstimateStore } from './funding/estimate-store.ts';
import type { FundingRecords } from './funding/funding-records.ts';
import { toPerpetuals } from './funding/open-funding-records.ts';
import type { Activity, Metrics } from './status/metrics.ts';
import { describeUnready, type HealthProbe } from './status/health-probe.ts';
import { describePolicy, describeStatus, type StatusDeps } from './status/status.ts';
import {
  describeActivity,
  describeBook,
  describeChanges,
  describeJournal,
  describeOrder,
  describePrices,
} from './describe-journal.ts';
import { describeObservedPrices } from './describe-observed.ts';
import { createDirectoryReader, readDirectory, type DirectoryDeps } from './products/product-directory.ts';
import {
  createFindOwn,
  describeWorkingSet,
  findDoubts,
  type FindOwn,
  provenanceOfSplit,
} from './working-orders/describe-working-set.ts';
import type { OrderConflicts } from './working-orders/order-conflicts.ts';
import type { DropCheck } from './working-orders/drop-check.ts';
import type { HistoryReader } from './working-orders/read-history.ts';
import type { UnlistedOrders } from './working-orders/unlisted-orders.ts';
import {
  createWorkingSets,
  type PartReader,
  type Split,
  toPart,
  type WorkingSets,
} from './working-orders/working-sets.ts';

export interface DeskApiDeps {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: Venue;
  readonly rateLimiter: RateLimiter;
  readonly store: Store;
  readonly activity: Activity;
  readonly funding: FundingRecords;
  readonly estimates: EstimateStore;
  readonly aliases: AliasRegistry;
  readonly healthProbe: Pick<HealthProbe, 'lastSelfTest'>;
  readonly live: StatusDeps['live'];
  readonly members: StatusDeps['members'];
  /** Whether this desk has sent its browsers to others. */
  readonly isStopping: () => boolean;
  /** The last response of a topic that another desk reads for all; null if there is none that is recent enough. */
  readonly readElsewhere: (
    topic: NamedTopic,
    maxAgeMs: number,
  ) => Pick<DeskResponse, 'text' | 'step' | 'provenance'> | null;
  readonly journal: JournalRoom;
  readonly prices: PriceReader;
  readonly drops: DropCheck;
  readonly conflicts: OrderConflicts;
  readonly unlisted: UnlistedOrders;
  readonly readHistory: HistoryReader;
  readonly notifications: ShownNotifications;
  readonly startedAt: number;
  readonly version: string;
  readonly send: SendResponse;
  readonly now: () => number;
  /** The exchange’s time; null while it is unknown. */
  readonly venueNow: () => number | null;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly metrics: Pick<Metrics, 'contentType' | 'describe'>;
}

interface DeskRequest {
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Declared by the page. */
  readonly purpose: Purpose | undefined;
  /** Who pays for the reads of the exchange that it needs. */
  readonly payers: Payers;
  readonly signal: AbortSignal;
  readonly viewer: Viewer;
}

interface DeskResponse {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
  /** The difference between its rows and an earlier reading, if it is known. */
  readonly step?: ListStep | undefined;
  /** The source of the exchange’s data in it. */
  readonly provenance?: Provenance | undefined;
  /** The number of exchange responses in it that are read anew each time. */
  readonly reads?: number;
  /** The number of requests actually sent to the exchange: fewer if some responses were cached. */
  readonly sent?: number;
}

/** Why a request reads from the exchange, and who pays for it. */
type Cause = Pick<DeskRequest, 'purpose' | 'payers'>;

/** Composes the response of one of Perpdesk’s own endpoints. */
type Respond = (request: DeskRequest) => DeskResponse | Promise<DeskResponse>;

const PLAIN_TEXT = 'text/plain; charset=utf-8';

export type Responders = Readonly<Record<keyof typeof DESK_ENDPOINTS, Respond>>;

export function createResponders(deps: DeskApiDeps): Responders {
  const withLimit = createPageLimit(isRejectedRequest);
  const readerFor = (options: ReadOptions) => createPartReader(deps, options, withLimit);
  const workingSets = createWorkingSets({
    limit: deps.rateLimiter.state().limit,
    now: deps.now,
    elapsed: deps.elapsed,
    readerFor,
  });
  const findOwn = createFindOwn(deps.drops.missing);
  const readWhole = createRowReader('id');
  return {
    products: async (request) => {
      const known = deps.readElsewhere({ name: 'products', pairs: [] }, ENDPOINTS.productSpecs.reuseSeconds * 1_000);
      if (known !== null) return known;
      const { directory, provenance } = await readDirectory(directoryParts(deps, request), request.signal);
      return { ...json(directory), provenance };
    },
    working: (request) => respondWorking({ ...deps, workingSets, readWhole }, findOwn, request),
    funding: async (request) => ({
      text: await describeFunding(fundingParts(deps, request), Object.fromEntries(request.query)),
    }),
    estimates: async ({ query }) => ({
      text: await describeEstimates(deps.estimates, Object.fromEntries(query)),
    }),
    journal: async ({ query, viewer }) => ({ text: await describeJournal(deps.journal, query, viewer.scope) }),
    journalChanges: async ({ query, viewer }) => ({ text: await describeChanges(deps.journal, query, viewer.scope) }),
    journalActivity: async ({ query, viewer }) => ({
      text: await describeActivity(deps.journal, query, viewer.scope),
    }),
    journalOrder: async ({ query, viewer }) => ({ text: await describeOrder(deps.journal, query, viewer.scope) }),
    journalBook: async ({ query, viewer }) => ({ text: await describeBook(deps.journal, query, viewer.scope) }),
    journalPrices: async ({ query }) => ({ text: await describePrices(deps.prices, query) }),
    observedPrices: async ({ query }) => ({ text: await describeObservedPrices(deps.prices, query, deps.now()) }),
    calls: async ({ viewer }) => ({ text: await describeNotifications(deps.notifications, viewer) }),
    callDeliveries: async ({ query, viewer }) => ({
      text: await describeDeliveries(deps.notifications, query, viewer),
    }),
    aliases: async ({ viewer }) => {
      await deps.aliases.refresh();
      return json({ aliases: deps.aliases.list(viewer.scope) });
    },
    status: async ({ viewer }) => json(await describeStatus(deps, viewer)),
    policy: () => json(describePolicy(deps.profile)),
  };
}

/** Creates a handler for each endpoint that Perpdesk composes itself, and for the monitoring probes. */
export function createDeskApi(deps: DeskApiDeps, responders: Responders): Routes['exact'] {
  const findWriteProblem = createWriteCheck(deps.store, deps.elapsed);
  const probes: Readonly<Record<string, { readonly needs: Need; readonly respond: Respond }>> = {
    '/healthz': { needs: 'nothing', respond: () => ({ type: PLAIN_TEXT, text: 'ok\n' }) },
    '/readyz': {
      needs: 'nothing',
      respond: async ({ viewer }) =>
        readiness(deps.isStopping() ? STOPPING : describeUnready(deps.venue.state(), await findWriteProblem(), viewer)),
    },
    // The only probe that reveals what people do.
    '/metrics': {
      needs: 'admin',
      respond: async () => ({ type: deps.metrics.contentType, text: await deps.metrics.describe() }),
    },
  };
  return Object.fromEntries([
    ...Object.entries(responders).map(([name, respond]) => {
      const { path, query, access, rows } = DESK_ENDPOINTS[name as keyof typeof DESK_ENDPOINTS];
      return [
        path,
        {
          GET: {
            needs: READ_NEEDS[name as keyof typeof DESK_ENDPOINTS],
            handle: toHandler({ path, access, known: query, rows, respond }, deps),
          },
        },
      ] as const;
    }),
    ...Object.entries(probes).map(
      ([path, { needs, respond }]) =>
        [
          path,
          {
            GET: {
              needs,
              handle: toHandler({ path, access: 'public', known: {}, rows: '', respond }, deps),
            },
          },
        ] as const,
    ),
  ]);
}

type ReadEndpoint = Pick<Endpoint, 'path' | 'access' | 'query'> & { readonly rows: string };

/** Creates a handler for each endpoint of a table; the responses are JSON texts. */
export function createReadRoutes<Name extends keyof typeof READ_NEEDS>(
  endpoints: Readonly<Record<Name, ReadEndpoint>>,
  readers: Readonly<Record<Name, (query: DeskRequest['query'], viewer: Viewer) => Promise<string>>>,
  deps: Pick<DeskApiDeps, 'now' | 'send'>,
): Routes['exact'] {
  return Object.fromEntries(
    Object.entries<ReadEndpoint>(endpoints).map(([name, { path, access, query: known, rows }]) => {
      const respond: Respond = async ({ query, viewer }) => ({ text: await readers[name as Name](query, viewer) });
      return [
        path,
        {
          GET: {
            needs: READ_NEEDS[name as Name],
            handle: toHandler({ path, access, known, rows, respond }, deps),
          },
        },
      ];
    }),
  );
}

interface DeskRoute {
  readonly path: string;
  readonly access: Endpoint['access'];
  readonly known: Endpoint['query'];
  /** The name of the field with the rows. */
  readonly rows: string;
  readonly respond: Respond;
}

function toHandler(
  { path, access, known, rows, respond }: DeskRoute,
  { now, send }: Pick<DeskApiDeps, 'now' | 'send'>,
): RouteHandler {
  const handle = async ({
    request,
    response,
    requestId,
    rawQuery,
    viewer,
  }: RequestContext): Promise<Omit<RouteResult, 'endpoint'>> => {
    const query = readParameters(path, known, rawQuery);
    if (isProblem(query)) return { status: sendProblem(response, query, requestId), outcome: query.type };
    try {
      const {
        status = 200,
        type = 'application/json',
        text,
        provenance,
      } = await respond({
        query,
        purpose: pagePurposeOf(request),
        payers: [viewer.payer],
        signal: abortOnDisconnect(response),
        viewer,
      });
      const headers = provenance === undefined ? [] : provenanceHeaders(provenance, now());
      return {
        status: await send(request, response, { status, type, ...toTextBody(text), requestId, access, headers }),
        outcome: 'computed',
        rows: () => countRowsIn(text, rows),
      };
    } catch (error) {
      return sendFailure(response, error, requestId);
    }
  };
  return async (context) => ({ endpoint: path, ...(await handle(context)) });
}

function readParameters(path: string, known: Endpoint['query'], rawQuery: string): ReturnType<typeof parseQuery> {
  if (rawQuery !== '' && Object.keys(known).length === 0) return noParameters;
  return parseQuery(path, known, rawQuery);
}

const noParameters = { type: 'bad-parameter', detail: 'This path takes no parameters.' } as const;

function json(value: object): DeskResponse {
  return { text: JSON.stringify(value) };
}

function directoryParts({ reader, profile }: DeskApiDeps, cause: Cause): DirectoryDeps {
  return { read: createDirectoryReader(reader, (name) => toVenueRequest(profile, name, {}, []), cause) };
}

/**
 * Gives viewers with a limited scope a filtered copy of the full reading, whatever filter they request, so that neither
 * its content nor its timing reveals other people’s orders.
 */
async function respondWorking(deps: WorkingDeps, findOwn: FindOwn, request: DeskRequest): Promise<DeskResponse> {
  const {
    query,
    viewer: { scope, entitlement },
  } = request;
  if (scope === 'all') return readWorking(deps, request);
  const whole = await readWorking(deps, { ...request, query: [] });
  return {
    ...whole,
    ...(await findOwn(whole, { scope, entitlement }, query, (filter) =>
      readWorking(deps, { ...request, query: filter }),
    )),
  };
}

interface WorkingDeps extends Pick<
  DeskApiDeps,
  'profile' | 'now' | 'journal' | 'live' | 'drops' | 'conflicts' | 'unlisted' | 'readHistory' | 'readElsewhere'
> {
  readonly workingSets: WorkingSets;
  /** Compares each reading of the whole set with the previous one: once, for everything that needs the difference. */
  readonly readWhole: ReturnType<typeof createRowReader>;
}

async function readWorking(
  {
    profile,
    now,
    journal,
    live,
    drops,
    conflicts,
    unlisted,
    readHistory,
    workingSets,
    readWhole,
    readElsewhere,
  }: WorkingDeps,
  { query: pairs, purpose, payers, signal }: Omit<DeskRequest, 'viewer'>,
): Promise<DeskResponse> {
  const beganAt = now();
  const { query, endpoint } = toVenueRequest(profile, 'ordersWorking', {}, pairs);
  const known = readElsewhere({ name: 'working-orders', pairs: query }, endpoint.reuseSeconds * 1_000);
  if (known !== null) return known;
  const isWhole = query.length === 0;
  const split = await workingSets
    .read(Object.fromEntries(query), { purpose: purpose ?? endpoint.purpose, payers, signal })
    .catch((error: unknown) => {
      const cause = isWhole ? toGapCause(error, payers) : null;
      if (cause !== null) journal.noteFailure(cause);
      throw error;
    });
  const doubts = findDoubts(split, now());
  const rows = isWhole ? readWhole(split.parts.map(({ text }) => text)) : undefined;
  const reading = toReading(split, doubts.length === 0, rows);
  if (rows !== undefined) {
    conflicts.take(rows, Math.max(...reading.parts.map(({ at }) => at)));
    unlisted.take(reading, readHistory);
  }
  const drop =
    reading.parts.length === 0
      ? null
      : isWhole
        ? drops.take(reading, toExpectedMs(split, live(null)))
        : drops.takePart(query, reading);
  const sent = split.parts.filter(
    ({ provenance: { outcome, respondedAt } }) => outcome === 'miss' && respondedAt >= beganAt,
  ).length;
  const lacks =
    drop === null
      ? unlisted.describe(
          query,
          split.parts.flatMap((part) => part.rows),
        )
      : [];
  return {
    text: describeWorkingSet(split, [...doubts, ...lacks], drop, isWhole ? conflicts.list() : []),
    step: rows,
    provenance: provenanceOfSplit(split, endpoint.reuseSeconds),
    reads: split.parts.length,
    sent,
  };
}

function fundingParts(deps: DeskApiDeps, { purpose, payers }: Cause) {
  // The result is stored for everyone, so the read continues when one client leaves.
  const { signal } = new AbortController();
  const perpetuals = async () =>
    toPerpetuals((await readDirectory(directoryParts(deps, { purpose, payers }), signal)).directory);
  const cause: ReadCause = { purpose: purpose ?? ENDPOINTS.fundingRates.purpose, payers };
  return { book: deps.funding, perpetuals, cause };
}

function createPartReader(deps: DeskApiDeps, options: ReadOptions, withLimit: PageLimit): PartReader {
  const { profile, reader } = deps;
  const read = (request: VenueRequest, refresh = false) => reader.read(request, { ...options, refresh });
  return {
    readPart: async (filter, refresh) => {
      const request = toVenueRequest(profile, 'ordersWorking', {}, Object.entries(filter));
      const part = toPart(filter, await read(request, refresh), toRowCheck(request, deps.venueNow()));
      deps.aliases.add(part.rows);
      return part;
    },
    maxOrders: WORKING_ORDERS_LIMIT,
    // Specifications may come from an hour-old cache, and orders of a product listed since would be in no part.
    directory: () =>
      readDirectory(
        { read: (name) => read(toVenueRequest(profile, name, {}, []), name === 'productSpecs') },
        options.signal,
      ),
    accounts: async () => {
      const { response } = await withLimit(LARGEST_LIMIT.orders, (limit) =>
        read(toVenueRequest(profile, 'orders', {}, toLimitPairs(limit))),
      );
      return [...new Set(parseRows(response).map((row) => String(row['account_id'])))].sort();
    },
  };
}

const STOPPING = 'Perpdesk is stopping.';

function readiness(reason: string | null): DeskResponse {
  if (reason === null) return { type: PLAIN_TEXT, text: 'ready\n' };
  return { status: 503, type: PLAIN_TEXT, text: `not ready: ${reason}\n` };
}

/** Returns why the journal lacks a reading. If a person’s share is used up, the journal’s own readings go on. */
function toGapCause(error: unknown, payers: Payers): GapCause | null {
  if (isProblemOf(error, 'budget-spent')) return payers.includes('journal') ? 'budget' : null;
  return error instanceof VenueFailure && concernsVenue(error) ? 'exchange' : null;
}

/** The expected interval between readings while no one follows the topic. */
const QUIET_MS = 30_000;

/** Converts the whole working set to what the journal records. */
function toReading({ parts }: Split, isComplete: boolean, rows?: RowReading): Reading {
  return { parts: parts.map(({ text, provenance }) => ({ text, at: provenance.respondedAt })), isComplete, rows };
}

/**
 * Returns the planned interval in milliseconds, which is longer where the budget allows no more: a set that is read in
 * parts is complete again after a round.
 */
function toExpectedMs({ roundMs = 0 }: Split, { topics }: ReturnType<DeskApiDeps['live']>): number {
  const planned = topics.find(({ address }) => address === 'working-orders');
  return Math.max(planned === undefined ? QUIET_MS : planned.everySeconds * 1_000, roundMs);
}
