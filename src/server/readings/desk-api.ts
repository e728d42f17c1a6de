import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS, type Endpoint } from '#contract/exchange/endpoints.ts';
import { WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import { createPageLimit, type PageLimit } from '#contract/desk/page-limit.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import type { VenueProfile } from '#contract/exchange/venues.ts';
import { READ_NEEDS } from '#contract/desk/needs.ts';
import type { Need } from '#contract/desk/roles.ts';
import type { Calls } from '#server/alerts/calls/open-call-room.ts';
import { sendFailure, sendProblem } from '#server/web/problem-document.ts';
import {
  abortOnDisconnect,
  pagePurposeOf,
  type RequestContext,
  type RouteHandler,
  type RouteResult,
} from '#server/web/request-context.ts';
import type { Routes } from '#server/web/router.ts';
import { provenanceHeaders, toTextBody, type SendResponse } from '#server/web/send-response.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type {
  Payers,
  Purpose,
  RateLimiter,
  ReadCause,
  ReadOptions,
  Reader,
  Venue,
  VenueRequest,
} from '#server/core/ports.ts';
import { createRowReader, type ListStep, type RowReading } from '#server/core/row-list.ts';
import { countRowsIn, parseRows, toRowCheck } from '#server/core/rows.ts';
import { createWriteCheck, type Store } from '#server/store/store.ts';
import { isRejectedRequest } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { isProblem, parseQuery, toLimitPairs, toVenueRequest } from '#server/core/venue-request.ts';
import type { AliasBook } from './aliases/alias-book.ts';
import { describeCalls, describeDeliveries } from '#server/alerts/calls/describe-calls.ts';
import { describeEstimates, describeFunding } from './funding/describe-funding.ts';
import type { EstimateStore } from './funding/estimate-store.ts';
import type { FundingBook } from './funding/funding-book.ts';
import { toPerpetuals } from './funding/open-funding-book.ts';
import type { Activity } from './status/activity.ts';
import { isReady, type HealthProbe } from './status/health-probe.ts';
import type { Metrics } from './status/metrics.ts';
import { describePolicy } from './status/policy.ts';
import { describeStatus, type LiveState } from './status/status.ts';
import { describeActivity } from './journal/describe-activity.ts';
import { describeBook, describeChanges, describeJournal, describeOrder } from './journal/describe-journal.ts';
import { createDirectoryReader, readDirectory, type DirectoryParts } from './products/product-directory.ts';
import type { Provenance } from '#server/core/provenance.ts';
import { describeWorkingSet, findDoubts, provenanceOfSplit } from './working-orders/describe-working-set.ts';
import type { DropCheck } from './working-orders/drop-check.ts';
import { createFindOwn, type FindOwn } from './working-orders/part-of-working-set.ts';
import { toPart } from './working-orders/part.ts';
import type { PartReader, Split } from './working-orders/read-in-parts.ts';
import { createWorkingSets, type WorkingSets } from './working-orders/working-sets.ts';
import type { Reading } from '#server/journal/compare-reading.ts';

export interface DeskApiParts {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: Venue;
  readonly rateLimiter: RateLimiter;
  readonly store: Store;
  readonly activity: Activity;
  readonly funding: FundingBook;
  readonly estimates: EstimateStore;
  readonly aliases: AliasBook;
  readonly healthProbe: Pick<HealthProbe, 'lastSelfTest'>;
  readonly live: () => LiveState;
  readonly journal: JournalRoom;
  readonly drops: DropCheck;
  readonly calls: Calls;
  readonly startedAt: number;
  readonly version: string;
  readonly send: SendResponse;
  readonly now: () => number;
  /** The exchange's time; null while it is unknown. */
  readonly venueNow: () => number | null;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly metrics: Pick<Metrics, 'contentType' | 'describe'>;
}

interface DeskRequest {
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Declared by the page. */
  readonly purpose: Purpose | undefined;
  /** Of what has to be read from the exchange for it. */
  readonly payers: Payers;
  readonly signal: AbortSignal;
  readonly viewer: Viewer;
}

interface DeskResponse {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
  /** How its rows differ from those read before, where that is known. */
  readonly step?: ListStep | undefined;
  /** Where the exchange's data in it came from. */
  readonly provenance?: Provenance | undefined;
  /** How many responses of the exchange it is made of that are read anew each time. */
  readonly reads?: number;
  /** How many requests to the exchange were sent for it: fewer, where some of those were cached. */
  readonly sent?: number;
}

/** What a request says of its reads. */
type Cause = Pick<DeskRequest, 'purpose' | 'payers'>;

/** Composes the response of one of the desk's own endpoints. */
type Respond = (request: DeskRequest) => DeskResponse | Promise<DeskResponse>;

const PLAIN_TEXT = 'text/plain; charset=utf-8';

export type Responders = Readonly<Record<keyof typeof DESK_ENDPOINTS, Respond>>;

export function createResponders(parts: DeskApiParts): Responders {
  const withLimit = createPageLimit(isRejectedRequest);
  const readerFor = (options: ReadOptions) => createPartReader(parts, options, withLimit);
  const workingSets = createWorkingSets({
    limit: parts.rateLimiter.state().limit,
    now: parts.now,
    elapsed: parts.elapsed,
    readerFor,
  });
  const findOwn = createFindOwn(parts.drops.missing);
  const readWhole = createRowReader('id');
  return {
    products: async (request) => {
      const { directory, provenance } = await readDirectory(directoryParts(parts, request), request.signal);
      return { ...json(directory), provenance };
    },
    working: (request) => respondWorking({ ...parts, workingSets, readWhole }, findOwn, request),
    funding: async (request) => ({
      text: await describeFunding(fundingParts(parts, request), Object.fromEntries(request.query)),
    }),
    estimates: async ({ query: [first] }) => ({ text: await describeEstimates(parts.estimates, first?.[1] ?? null) }),
    journal: async ({ query, viewer }) => ({ text: await describeJournal(parts.journal, query, viewer.scope) }),
    journalChanges: async ({ query, viewer }) => ({ text: await describeChanges(parts.journal, query, viewer.scope) }),
    journalActivity: async ({ query, viewer }) => ({
      text: await describeActivity(parts.journal, query, viewer.scope),
    }),
    journalOrder: async ({ query, viewer }) => ({ text: await describeOrder(parts.journal, query, viewer.scope) }),
    journalBook: async ({ query, viewer }) => ({ text: await describeBook(parts.journal, query, viewer.scope) }),
    calls: async ({ viewer }) => ({ text: await describeCalls(parts.calls, viewer) }),
    callDeliveries: async ({ query, viewer }) => ({ text: await describeDeliveries(parts.calls, query, viewer) }),
    aliases: ({ viewer }) => json({ aliases: parts.aliases.list(viewer.scope) }),
    status: async ({ viewer }) => json(await describeStatus(parts, viewer)),
    policy: () => json(describePolicy(parts.profile)),
  };
}

/** What the gateway composes itself, and the probes for monitoring: a handler for each path. */
export function createDeskApi(parts: DeskApiParts, responders: Responders): Routes['exact'] {
  const findWriteProblem = createWriteCheck(parts.store, parts.elapsed);
  const probes: Readonly<Record<string, { readonly needs: Need; readonly respond: Respond }>> = {
    '/healthz': { needs: 'nothing', respond: () => ({ type: PLAIN_TEXT, text: 'ok\n' }) },
    '/readyz': { needs: 'nothing', respond: async () => readiness(parts.venue, await findWriteProblem()) },
    // Of the probes, only the counters say what others do.
    '/metrics': {
      needs: 'admin',
      respond: async () => ({ type: parts.metrics.contentType, text: await parts.metrics.describe() }),
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
            handle: toHandler({ path, access, known: query, rows, respond }, parts),
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
              handle: toHandler({ path, access: 'public', known: {}, rows: '', respond }, parts),
            },
          },
        ] as const,
    ),
  ]);
}

type ReadEndpoint = Pick<Endpoint, 'path' | 'access' | 'query'> & { readonly rows: string };

/** A handler for each endpoint of a table, whose responses are texts of JSON. */
export function createReadRoutes<Name extends keyof typeof READ_NEEDS>(
  endpoints: Readonly<Record<Name, ReadEndpoint>>,
  readers: Readonly<Record<Name, (query: DeskRequest['query'], viewer: Viewer) => Promise<string>>>,
  parts: Pick<DeskApiParts, 'now' | 'send'>,
): Routes['exact'] {
  return Object.fromEntries(
    Object.entries<ReadEndpoint>(endpoints).map(([name, { path, access, query: known, rows }]) => {
      const respond: Respond = async ({ query, viewer }) => ({ text: await readers[name as Name](query, viewer) });
      return [
        path,
        {
          GET: {
            needs: READ_NEEDS[name as Name],
            handle: toHandler({ path, access, known, rows, respond }, parts),
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
  /** The field that has them. */
  readonly rows: string;
  readonly respond: Respond;
}

function toHandler(
  { path, access, known, rows, respond }: DeskRoute,
  { now, send }: Pick<DeskApiParts, 'now' | 'send'>,
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

function directoryParts({ reader, profile }: DeskApiParts, cause: Cause): DirectoryParts {
  return { read: createDirectoryReader(reader, (name) => toVenueRequest(profile, name, {}, []), cause) };
}

/** Those who may see some of the orders get a part of what is read for all, whatever they filter by: whose orders there are shows neither in it nor in when it is read. */
async function respondWorking(parts: WorkingParts, findOwn: FindOwn, request: DeskRequest): Promise<DeskResponse> {
  const {
    query,
    viewer: { scope, entitlement },
  } = request;
  if (scope === 'all') return readWorking(parts, request);
  const whole = await readWorking(parts, { ...request, query: [] });
  return {
    ...whole,
    ...(await findOwn(whole, { scope, entitlement }, query, (filter) =>
      readWorking(parts, { ...request, query: filter }),
    )),
  };
}

interface WorkingParts extends Pick<DeskApiParts, 'profile' | 'now' | 'drops'> {
  readonly workingSets: WorkingSets;
  /** Compares each reading of the whole with the one before: once, for all who need to know how they differ. */
  readonly readWhole: ReturnType<typeof createRowReader>;
}

async function readWorking(
  { profile, now, drops, workingSets, readWhole }: WorkingParts,
  { query: pairs, purpose, payers, signal }: Omit<DeskRequest, 'viewer'>,
): Promise<DeskResponse> {
  const beganAt = now();
  const { query, endpoint } = toVenueRequest(profile, 'ordersWorking', {}, pairs);
  const split = await workingSets.read(Object.fromEntries(query), {
    purpose: purpose ?? endpoint.purpose,
    payers,
    signal,
  });
  const doubts = findDoubts(split, now());
  const isWhole = query.length === 0;
  const rows = isWhole ? readWhole(split.parts.map(({ text }) => text)) : undefined;
  const reading = toReading(split, doubts.length === 0, rows);
  const drop =
    reading.parts.length === 0
      ? null
      : isWhole
        ? drops.take(reading, toExpectedMs(split))
        : drops.takePart(query, reading);
  const sent = split.parts.filter(
    ({ provenance: { outcome, answeredAt } }) => outcome === 'miss' && answeredAt >= beganAt,
  ).length;
  return {
    text: describeWorkingSet(split, doubts, drop),
    step: rows,
    provenance: provenanceOfSplit(split, endpoint.reuseSeconds),
    reads: split.parts.length,
    sent,
  };
}

function fundingParts(parts: DeskApiParts, { purpose, payers }: Cause) {
  // The result is stored for everyone, so the read continues when one client leaves.
  const { signal } = new AbortController();
  const perpetuals = async () =>
    toPerpetuals((await readDirectory(directoryParts(parts, { purpose, payers }), signal)).directory);
  const cause: ReadCause = { purpose: purpose ?? ENDPOINTS.fundingRates.purpose, payers };
  return { book: parts.funding, perpetuals, cause };
}

function createPartReader(parts: DeskApiParts, options: ReadOptions, withLimit: PageLimit): PartReader {
  const { profile, reader } = parts;
  const read = (request: VenueRequest, refresh = false) => reader.read(request, { ...options, refresh });
  return {
    readPart: async (filter, refresh) => {
      const request = toVenueRequest(profile, 'ordersWorking', {}, Object.entries(filter));
      const part = toPart(filter, await read(request, refresh), toRowCheck(request, parts.venueNow()));
      parts.aliases.add(part.rows);
      return part;
    },
    maxOrders: WORKING_ORDERS_LIMIT,
    // Cached specifications may be an hour old: orders of a product listed since would be in no part.
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

function readiness(venue: Venue, writeProblem: string | null): DeskResponse {
  if (isReady(venue) && writeProblem === null) return { type: PLAIN_TEXT, text: 'ready\n' };
  const reason = writeProblem ?? venue.state().lastFailure?.problem.detail ?? 'no response from the exchange yet';
  return { status: 503, type: PLAIN_TEXT, text: `not ready: ${reason}\n` };
}

/** How long after a reading the next one is expected, where nobody looks. */
const QUIET_MS = 30_000;

/** The whole working set, as the journal records it. */
function toReading({ parts }: Split, isComplete: boolean, rows?: RowReading): Reading {
  return { parts: parts.map(({ text, provenance }) => ({ text, at: provenance.answeredAt })), isComplete, rows };
}

/** One that is read in parts is complete again after a round. */
function toExpectedMs({ roundMs = 0 }: Split): number {
  return Math.max(QUIET_MS, roundMs);
}
