import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { topicNameOf, TOPICS, type Topic, type TopicName } from '#contract/desk/topics.ts';
import type { VenueProfile } from '#contract/exchange/venues.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { FailureCount, RateLimiter, Reader, Venue, VenueState } from '#server/core/ports.ts';
import type { Store, StoreState } from '#server/store/store.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { JournalState } from '#server/journal/journal.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { Activity, EndpointActivity } from './activity.ts';
import type { FundingBook } from '../funding/funding-book.ts';
import type { KnownFunding } from '../funding/funding-reads.ts';
import type { SelfTestReport, HealthProbe } from './health-probe.ts';

export interface StatusParts {
  readonly profile: VenueProfile;
  readonly reader: Pick<Reader, 'state'>;
  readonly venue: Pick<Venue, 'state'>;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  readonly store: Pick<Store, 'state'>;
  readonly activity: Pick<Activity, 'endpoints'>;
  readonly funding: { readonly store: Pick<FundingBook['store'], 'list'> };
  readonly healthProbe: Pick<HealthProbe, 'lastSelfTest'>;
  readonly live: () => LiveState;
  readonly journal: Pick<JournalRoom, 'state'>;
  readonly startedAt: number;
  readonly version: string;
  readonly now: () => number;
}

/** What is pushed, by the room that pushes. */
export interface LiveState {
  readonly streams: number;
  readonly topics: readonly {
    readonly address: string;
    readonly followers: number;
    readonly watchedEvery: number | null;
    readonly everySeconds: number;
    readonly leastSeconds: number;
    /** Requests that a reading takes; null before the first one. */
    readonly cost: number | null;
    readonly readAt: number | null;
  }[];
}

/** `DeskStatus` of the contract, not yet as text: what private endpoints do is for administrators. */
export async function describeStatus(parts: StatusParts, { roles }: Pick<Viewer, 'roles'>): Promise<object> {
  const isAdmin = roles.has('admin');
  const funding = await listFunding(parts.funding.store);
  const { lastReads } = parts.venue.state();
  return {
    now: toInstant(parts.now()),
    started_at: toInstant(parts.startedAt),
    version: parts.version,
    venue: { ...describeVenue(parts), ...(!isAdmin && { last_failure: null, last_refusal: null }) },
    budget: { ...describeBudget(parts.rateLimiter.state(), parts.now()), ...(!isAdmin && { by_purpose: null }) },
    answers: describeResponses(parts.reader.state(), isAdmin),
    endpoints: parts.activity
      .endpoints()
      .filter(({ endpoint }) => isAdmin || ENDPOINTS[endpoint].access === 'public')
      .map((activity) => describeEndpoint(activity, lastReads.get(activity.endpoint))),
    store: { ...describeStore(parts.store.state()), ...(!isAdmin && { place: '', last_failure: null }) },
    funding: funding?.map(describeFunding) ?? null,
    journal: {
      ...describeJournal(parts.journal.state()),
      ...(!isAdmin && { changes: null, bytes: null }),
      ...(!isAdmin && !roles.has('orders') && { kept_from: null, read_to: null }),
    },
    live: describeLive(parts.live(), isAdmin),
    self_test: describeSelfTest(parts.healthProbe.lastSelfTest(), isAdmin),
  };
}

/** Null if it cannot be read: the rest of the status then says why. */
async function listFunding({ list }: StatusParts['funding']['store']): Promise<readonly KnownFunding[] | null> {
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

function describeVenue({ profile: { name, env }, venue, now }: StatusParts): object {
  const { baseUrl, clockOffsetMs, ignoredDate, circuit, retryMs, lastAnswerAt, lastFailure, lastRefusal } =
    venue.state();
  return {
    name,
    env,
    base_url: baseUrl,
    clock_offset_ms: clockOffsetMs,
    ignored_date: ignoredDate && toPrintable(ignoredDate),
    circuit,
    retry_at: toInstantOrNull(retryMs === null ? null : now() + retryMs),
    last_answer_at: toInstantOrNull(lastAnswerAt),
    last_failure: describeFailure(lastFailure),
    last_refusal: describeFailure(lastRefusal),
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

/** Of those that name an owner, only those of private endpoints do. */
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
