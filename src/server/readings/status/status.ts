import { API_PREFIX } from '#contract/desk/desk.ts';
import { type Endpoint, ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/addresses.ts';
import { type Topic, type TopicName, topicNameOf, TOPICS } from '#contract/desk/topics.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import type { FailureCount, Payer, RateLimiter, Reader, Venue, VenueState } from '#server/core/ports.ts';
import type { Members } from '#server/store/members.ts';
import type { Store, StoreState } from '#server/store/store.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { ignoring, isProblemOf } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { JournalState } from '#server/journal/journal-copy.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { FundingRecords } from '../funding/funding-records.ts';
import type { KnownFunding } from '../funding/funding-store.ts';
import type { Activity, EndpointActivity } from './metrics.ts';
import type { HealthProbe, SelfTestReport } from './health-probe.ts';

export interface StatusDeps {
  readonly profile: VenueProfile;
  readonly reader: Pick<Reader, 'state'>;
  readonly venue: Pick<Venue, 'state'>;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  readonly store: Pick<Store, 'state' | 'isShared'>;
  readonly members: Pick<Members, 'own' | 'alive'>;
  readonly activity: Pick<Activity, 'endpoints'>;
  readonly funding: { readonly store: Pick<FundingRecords['store'], 'list'> };
  readonly healthProbe: Pick<HealthProbe, 'lastSelfTest'>;
  /** For one payer, what they follow themselves; for null, what all follow. */
  readonly live: (payer: Payer | null) => LiveState;
  readonly journal: Pick<JournalRoom, 'state' | 'refresh'>;
  readonly startedAt: number;
  readonly version: string;
  readonly now: () => number;
}

/** The state of the streams and their topics. */
export interface LiveState {
  readonly streams: number;
  readonly topics: readonly {
    readonly address: string;
    readonly followers: number;
    readonly watchedEvery: number | null;
    readonly everySeconds: number;
    readonly leastSeconds: number;
    /** Requests per reading; null before the first one. */
    readonly cost: number | null;
    readonly readAt: number | null;
  }[];
}

/** Returns the contract’s `DeskStatus` as an object. Only administrators see the activity of private endpoints,
 * and of others. */
export async function describeStatus(
  deps: StatusDeps,
  { roles, payer }: Pick<Viewer, 'roles' | 'payer'>,
): Promise<object> {
  const isAdmin = roles.has('admin');
  const funding = await listFunding(deps.funding.store);
  // If it cannot be read, the time of the last reading shows how old this is.
  await ignoring(deps.journal.refresh(), 'desk-cannot-read');
  const { lastReads } = deps.venue.state();
  return {
    now: toInstant(deps.now()),
    started_at: toInstant(deps.startedAt),
    version: deps.version,
    venue: { ...describeVenue(deps), ...(!isAdmin && { last_failure: null, last_refusal: null }) },
    budget: isAdmin
      ? describeBudget(deps.rateLimiter.state(), deps.now())
      : { ...describeBudget(toCoarse(deps.rateLimiter.state(), deps.now()), deps.now()), by_purpose: null },
    answers: isAdmin ? describeResponses(deps.reader.state()) : null,
    endpoints: isAdmin
      ? deps.activity.endpoints().map((activity) => describeEndpoint(activity, lastReads.get(activity.endpoint)))
      : [],
    store: { ...describeStore(deps.store.state()), ...(!isAdmin && { place: '', last_failure: null }) },
    funding: funding?.flatMap((known) => describeFunding(known, isAdmin)) ?? null,
    desks: isAdmin ? describeDesks(deps) : null,
    journal: {
      ...describeJournal(deps.journal.state()),
      ...(!isAdmin && { changes: null, bytes: null }),
      ...(!isAdmin && !roles.has('orders') && { kept_from: null, read_to: null }),
    },
    live: describeLive(deps.live(isAdmin ? null : payer), isAdmin),
    self_test: describeSelfTest(deps.healthProbe.lastSelfTest(), isAdmin),
  };
}

/** Returns null if the store cannot be read: the rest of the status then says why. */
async function listFunding({ list }: StatusDeps['funding']['store']): Promise<readonly KnownFunding[] | null> {
  try {
    return await list();
  } catch (error) {
    if (isProblemOf(error, 'desk-cannot-read')) return null;
    throw error;
  }
}

function describeStore({ kind, place, failedWrites, lastFailure }: StoreState): object {
  return { kind, place, failed_writes: failedWrites, last_failure: describeFailure(lastFailure) };
}

/** Returns null for a desk that is alone on its store. */
function describeDesks({ store, members }: StatusDeps): readonly object[] | null {
  if (!store.isShared) return null;
  return members.alive().map(({ id, name, version, startedAt, activity: { leads, streams } }) => ({
    ...{ name, leads, is_this: id === members.own.id, version, started_at: toInstant(startedAt), streams },
  }));
}

function describeVenue({ profile: { name, env, simulated }, venue, now }: StatusDeps): object {
  const { baseUrl, clockOffsetMs, ignoredDate, circuit, retryMs, lastResponseAt, lastFailure, lastRejection } =
    venue.state();
  return {
    name,
    env: simulated === true ? 'simulated' : env,
    base_url: baseUrl,
    clock_offset_ms: clockOffsetMs,
    ignored_date: ignoredDate && toPrintable(ignoredDate),
    circuit,
    retry_at: toInstantOrNull(retryMs === null ? null : now() + retryMs),
    last_answer_at: toInstantOrNull(lastResponseAt),
    last_failure: describeFailure(lastFailure),
    last_refusal: describeFailure(lastRejection),
  };
}

function describeFailure(failure: VenueState['lastFailure']): object | null {
  return failure && { at: toInstant(failure.at), type: failure.problem.type, detail: failure.problem.detail };
}

type BudgetState = ReturnType<RateLimiter['state']>;

const TENTHS = 10;
const MINUTE_MS = 60_000;

/** Rounds up, so that it never shows more requests left than there are. Says that the budget is spent only if it is. */
function toCoarse({ limit, used, waiting, nextFreeMs, allFreeMs, ...state }: BudgetState, now: number): BudgetState {
  const step = Math.max(1, Math.round((limit?.requests ?? 100) / TENTHS));
  const round = (count: number): number => Math.ceil(count / step) * step;
  const isSpent = limit !== null && used >= limit.requests;
  const roundTime = (ms: number | null): number | null =>
    ms === null ? null : Math.ceil((now + ms) / MINUTE_MS) * MINUTE_MS - now;
  return {
    ...state,
    limit,
    used: isSpent || limit === null ? round(used) : Math.min(round(used), limit.requests - 1),
    waiting: round(waiting),
    nextFreeMs: roundTime(nextFreeMs),
    allFreeMs: roundTime(allFreeMs),
  };
}

function describeBudget({ limit, used, nextFreeMs, allFreeMs, waiting, byPurpose }: BudgetState, now: number): object {
  const fromNow = (ms: number | null): string | null => toInstantOrNull(ms && now + ms);
  return {
    limit,
    used,
    next_back_at: fromNow(nextFreeMs),
    all_back_at: fromNow(allFreeMs),
    waiting,
    by_purpose: byPurpose,
  };
}

function describeResponses({
  responses,
  bytes,
  onDisk,
  outcomes,
  failed,
  causes,
}: ReturnType<Reader['state']>): object {
  const { 'disk-hit': diskHit, ...others } = outcomes;
  return {
    ...others,
    disk_hit: diskHit,
    failed,
    causes: { venue: describeFailures(causes.venue), budget: describeFailures(causes.budget) },
    in_memory: { answers: responses, bytes },
    on_disk: { answers: onDisk.responses, bytes: onDisk.bytes },
  };
}

function describeFailures({ stale, failed, firstAt, lastAt }: FailureCount): object {
  return { stale, failed, first_at: toInstantOrNull(firstAt), last_at: toInstantOrNull(lastAt) };
}

type PastRead = ReturnType<VenueState['lastReads']['get']>;

function describeEndpoint(
  { endpoint, requests, failed, overBudget, lastAt, lastStatus, lastOutcome }: EndpointActivity,
  read: PastRead,
): object {
  return {
    endpoint,
    asked: requests,
    failed,
    over_budget: overBudget,
    last_at: toInstantOrNull(lastAt),
    last_status: lastStatus,
    last_how: lastOutcome,
    venue_at: toInstantOrNull(read?.at ?? null),
    venue_ms: read?.tookMs ?? null,
  };
}

/** Without the role admin, only what the screens mark as revised: the rest says what was read, and so what others look at. */
function describeFunding(
  { baseSymbol, productId, prints, reads, lastReadAt, revised }: KnownFunding,
  isAdmin: boolean,
): readonly object[] {
  if (!isAdmin && revised === null) return [];
  const cost = { prints, reads, last_read_at: toInstant(lastReadAt) };
  return [
    {
      base_symbol: baseSymbol,
      product_id: productId,
      ...(isAdmin ? cost : { prints: null, reads: null, last_read_at: null }),
      revised: revised && {
        interval_end: revised.endAt,
        before: (JSON.parse(revised.text) as FundingRateData).funding_rate,
      },
    },
  ];
}

function describeLive({ streams, topics }: LiveState, isAdmin: boolean): object {
  return {
    streams,
    topics: topics
      .filter(({ address }) => isAdmin || isPublic(address))
      .map(({ address, followers, everySeconds, watchedEvery, leastSeconds, cost, readAt }) => ({
        topic: address,
        followers,
        every_seconds: Math.round(everySeconds * 10) / 10,
        least_seconds: leastSeconds,
        watched_seconds: watchedEvery,
        requests: cost,
        read_at: toInstantOrNull(readAt),
      })),
  };
}

function describeJournal({ from, lastReading, changes, bytes, maxBytes }: JournalState): object {
  return {
    kept_from: toInstantOrNull(from),
    read_to: toInstantOrNull(lastReading?.to ?? null),
    changes,
    bytes,
    max_bytes: maxBytes,
  };
}

/** Only topics of private endpoints name an owner. */
function isPublic(address: string): boolean {
  const { account }: Topic = TOPICS[topicNameOf(address) as TopicName];
  return account === null;
}

function describeSelfTest(report: SelfTestReport | null, isAdmin: boolean): object | null {
  return (
    report && { at: toInstant(report.at), rows: report.rows.filter(({ subject }) => isAdmin || !isPrivate(subject)) }
  );
}

/** A path of the exchange begins with the prefix of its mount. */
function isPrivate(subject: string): boolean {
  return PRIVATE_PATHS.some((path) => subject.endsWith(path));
}

const PRIVATE_PATHS = Object.values(ENDPOINTS)
  .filter(({ access }) => access === 'signed')
  .map(({ path }) => path);

/** Describes the endpoint table for people: the only requests that Perpdesk sends to the exchange. */
export function describePolicy(profile: VenueProfile): object {
  return {
    venue: profile.name,
    methods: ['GET', 'HEAD'],
    endpoints: ENDPOINT_NAMES.map((name) => ({ name, ...describePermitted(ENDPOINTS[name], profile) })),
  };
}

function describePermitted(endpoint: Endpoint, profile: VenueProfile): object {
  const { path, mount, summary, access, paged, stability, optional, reuseSeconds, settled, purpose } = endpoint;
  return {
    path: API_PREFIX + path,
    upstream: toMountPrefix(profile, mount) + path,
    summary,
    access,
    paged,
    stability,
    optional,
    reuse_seconds: reuseSeconds,
    settled_after_seconds: settled?.afterSeconds ?? null,
    purpose,
    path_parameters: describeParameters(endpoint.pathParameters),
    query: describeParameters(endpoint.query),
  };
}

function describeParameters(parameters: Endpoint['query']): readonly object[] {
  return Object.entries(parameters).map(([name, { grammar, repeatable = false }]) => ({
    name,
    must_be: grammar.sentence,
    repeatable,
  }));
}
