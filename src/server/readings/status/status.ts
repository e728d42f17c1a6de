import { API_PREFIX } from '#contract/desk/desk.ts';
import { type Endpoint, ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/addresses.ts';
import { type Topic, type TopicName, topicNameOf, TOPICS } from '#contract/desk/topics.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { FailureCount, RateLimiter, Reader, Venue, VenueState } from '#server/core/ports.ts';
import type { Store, StoreState } from '#server/store/store.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { JournalState } from '#server/journal/journal.ts';
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
  readonly store: Pick<Store, 'state'>;
  readonly activity: Pick<Activity, 'endpoints'>;
  readonly funding: { readonly store: Pick<FundingRecords['store'], 'list'> };
  readonly healthProbe: Pick<HealthProbe, 'lastSelfTest'>;
  readonly live: () => LiveState;
  readonly journal: Pick<JournalRoom, 'state'>;
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

/** Returns the contract’s `DeskStatus` as an object. Only administrators see the activity of private endpoints. */
export async function describeStatus(deps: StatusDeps, { roles }: Pick<Viewer, 'roles'>): Promise<object> {
  const isAdmin = roles.has('admin');
  const funding = await listFunding(deps.funding.store);
  const { lastReads } = deps.venue.state();
  return {
    now: toInstant(deps.now()),
    started_at: toInstant(deps.startedAt),
    version: deps.version,
    venue: { ...describeVenue(deps), ...(!isAdmin && { last_failure: null, last_refusal: null }) },
    budget: { ...describeBudget(deps.rateLimiter.state(), deps.now()), ...(!isAdmin && { by_purpose: null }) },
    answers: describeResponses(deps.reader.state(), isAdmin),
    endpoints: deps.activity
      .endpoints()
      .filter(({ endpoint }) => isAdmin || ENDPOINTS[endpoint].access === 'public')
      .map((activity) => describeEndpoint(activity, lastReads.get(activity.endpoint))),
    store: { ...describeStore(deps.store.state()), ...(!isAdmin && { place: '', last_failure: null }) },
    funding: funding?.map(describeFunding) ?? null,
    journal: {
      ...describeJournal(deps.journal.state()),
      ...(!isAdmin && { changes: null, bytes: null }),
      ...(!isAdmin && !roles.has('orders') && { kept_from: null, read_to: null }),
    },
    live: describeLive(deps.live(), isAdmin),
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

function describeVenue({ profile: { name, env }, venue, now }: StatusDeps): object {
  const { baseUrl, clockOffsetMs, ignoredDate, circuit, retryMs, lastResponseAt, lastFailure, lastRejection } =
    venue.state();
  return {
    name,
    env,
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

function describeBudget(
  { limit, used, nextFreeMs, allFreeMs, waiting, byPurpose }: ReturnType<RateLimiter['state']>,
  now: number,
): object {
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

function describeResponses(
  { responses, bytes, ofPublic, onDisk, outcomes, failed, causes }: ReturnType<Reader['state']>,
  isAdmin: boolean,
): object {
  const inMemory = isAdmin ? { responses, bytes } : ofPublic;
  const { 'disk-hit': diskHit, ...others } = outcomes;
  return {
    ...others,
    disk_hit: diskHit,
    failed,
    causes: { venue: describeFailures(causes.venue), budget: describeFailures(causes.budget) },
    in_memory: { answers: inMemory.responses, bytes: inMemory.bytes },
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

function describeFunding({ baseSymbol, productId, prints, reads, lastReadAt }: KnownFunding): object {
  return { base_symbol: baseSymbol, product_id: productId, prints, reads, last_read_at: toInstant(lastReadAt) };
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
