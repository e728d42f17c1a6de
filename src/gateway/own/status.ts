import type { VenueProfile } from '#contract/venues.ts';
import type { Ledger, Reader, Venue, VenueState } from '../ports.ts';
import type { Activity, EndpointActivity } from './activity.ts';
import type { FundingBook } from './funding/funding-book.ts';
import type { KnownFunding } from './funding/funding-store.ts';
import type { SelfTestReport, Watch } from './watch.ts';

export interface StatusParts {
  readonly profile: VenueProfile;
  readonly reader: Pick<Reader, 'state'>;
  readonly venue: Pick<Venue, 'state'>;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly activity: Pick<Activity, 'endpoints'>;
  readonly funding: { readonly store: Pick<FundingBook['store'], 'list'> };
  readonly watch: Pick<Watch, 'lastSelfTest'>;
  readonly startedAt: number;
  readonly now: () => number;
}

/** `DeskStatus` of the contract, not yet as text. */
export function describeStatus(parts: StatusParts): object {
  const { lastReads } = parts.venue.state();
  return {
    now: toInstant(parts.now()),
    started_at: toInstant(parts.startedAt),
    venue: describeVenue(parts),
    budget: describeBudget(parts.ledger.state(), parts.now()),
    answers: describeAnswers(parts.reader.state()),
    endpoints: parts.activity.endpoints().map((activity) => describeEndpoint(activity, lastReads.get(activity.endpoint))),
    funding: parts.funding.store.list().map(describeFunding),
    self_test: describeSelfTest(parts.watch.lastSelfTest()),
  };
}

function describeVenue({ profile: { name, env }, venue }: StatusParts): object {
  const { baseUrl, clockOffsetMs, circuit, lastAnswerAt, lastFailure, lastRefusal } = venue.state();
  return {
    name,
    env,
    base_url: baseUrl,
    clock_offset_ms: clockOffsetMs,
    circuit,
    last_answer_at: toInstantOrNull(lastAnswerAt),
    last_failure: describeFailure(lastFailure),
    last_refusal: describeFailure(lastRefusal),
  };
}

function describeFailure(failure: VenueState['lastFailure']): object | null {
  return failure && { at: toInstant(failure.at), type: failure.problem.type, detail: failure.problem.detail };
}

function describeBudget({ limit, used, nextBackMs, allBackMs, waiting, byPurpose }: ReturnType<Ledger['state']>, now: number): object {
  const later = (ms: number | null): string | null => toInstantOrNull(ms && now + ms);
  return { limit, used, next_back_at: later(nextBackMs), all_back_at: later(allBackMs), waiting, by_purpose: byPurpose };
}

function describeAnswers({ answers, bytes, kept, asked, failed }: ReturnType<Reader['state']>): object {
  return { ...asked, failed, in_memory: { answers, bytes }, on_disk: kept };
}

type PastRead = ReturnType<VenueState['lastReads']['get']>;

function describeEndpoint({ endpoint, asked, failed, lastAt, lastStatus, lastHow }: EndpointActivity, read: PastRead): object {
  return {
    endpoint,
    asked,
    failed,
    last_at: toInstantOrNull(lastAt),
    last_status: lastStatus,
    last_how: lastHow,
    venue_at: toInstantOrNull(read?.at ?? null),
    venue_ms: read?.tookMs ?? null,
  };
}

function describeFunding({ baseSymbol, productId, prints, reads, lastReadAt }: KnownFunding): object {
  return { base_symbol: baseSymbol, product_id: productId, prints, reads, last_read_at: toInstant(lastReadAt) };
}

function describeSelfTest(report: SelfTestReport | null): object | null {
  return report && { at: toInstant(report.at), rows: report.rows };
}

function toInstant(epochMillis: number): string {
  return new Date(epochMillis).toISOString();
}

function toInstantOrNull(epochMillis: number | null): string | null {
  return epochMillis === null ? null : toInstant(epochMillis);
}
