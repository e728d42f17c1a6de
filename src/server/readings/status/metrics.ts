import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ENDPOINT_NAMES, type EndpointName } from '#contract/exchange/endpoints.ts';
import { PROBLEMS } from '#contract/desk/problems.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import type { AccessLogEntry } from '#server/web/request-context.ts';
import type { Notifications } from '#server/alerts/notifications/open-notification-room.ts';
import type { JournalState } from '#server/journal/journal-copy.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { RateLimiter, Reader, ServerPorts, Venue } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';

/** The sources of the metrics. */
export interface MeasuredDeps extends Pick<ServerPorts, 'processMetrics'> {
  readonly version: string;
  readonly activity: Pick<Activity, 'counts'>;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  readonly reader: Pick<Reader, 'state'>;
  readonly venue: Pick<Venue, 'state'>;
  readonly store: Pick<Store, 'state'>;
  readonly journal: Pick<JournalRoom, 'state' | 'refresh'>;
  readonly notifications: Pick<Notifications, 'describe'>;
  /** Counts by result; null without a provider. */
  readonly sessionRefreshes: () => Readonly<Record<string, number>> | null;
  /** Counts by outcome; null without sign-in. */
  readonly signIns: () => Readonly<Record<string, number>> | null;
  readonly auditUsage: () => Promise<{
    readonly bytes: number;
    readonly maxBytes: number;
    /** Null if the log is empty. */
    readonly oldestAt: number | null;
  }>;
}

export interface Metrics {
  readonly contentType: string;
  readonly record: (entry: Pick<AccessLogEntry, 'endpoint' | 'outcome' | 'tookMs'>) => void;
  /** In the text format of Prometheus. */
  readonly describe: () => Promise<string>;
}

type Labels = Readonly<Record<string, string>>;
type Samples = readonly (readonly [value: number, labels?: Labels])[];

/** In seconds: from a cached response to one that waits for the exchange. */
const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics(deps: MeasuredDeps): Metrics {
  const registry = new Registry();
  defineAll(registry, deps);
  const durations = new Histogram({
    name: 'perpdesk_request_duration_seconds',
    help: 'How long requests took, by outcome; without live streams.',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    record: ({ endpoint, outcome, tookMs }) => {
      if (endpoint !== LIVE_PATH) durations.observe({ outcome }, tookMs / 1_000);
    },
    describe: async () => (await registry.metrics()) + (await deps.processMetrics()),
  };
}

/** Reads each value from its source when the metrics are requested, so that nothing is counted twice. */
function defineAll(
  registry: Registry,
  {
    version,
    activity,
    rateLimiter,
    reader,
    venue,
    store,
    journal,
    notifications,
    sessionRefreshes,
    signIns,
    auditUsage,
  }: MeasuredDeps,
): void {
  const counter = (name: string, help: string, labelNames: readonly string[], read: () => Samples): void => {
    const metric = new Counter({
      ...{ name, help, labelNames, registers: [registry] },
      collect: () => {
        metric.reset();
        for (const [value, labels = {}] of read()) metric.inc(labels, value);
      },
    });
  };
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Samples | Promise<Samples>,
  ): void => {
    const metric = new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      collect: async () => {
        const samples = await read();
        metric.reset();
        for (const [value, labels = {}] of samples) metric.set(labels, value);
      },
    });
  };
  gauge('perpdesk_build_info', 'The version that runs; always 1.', ['version'], () => [[1, { version }]]);
  counter(
    'perpdesk_requests_total',
    'Requests handled, by endpoint, status and outcome.',
    ['endpoint', 'status', 'outcome'],
    () =>
      activity
        .counts()
        .map(({ endpoint, status, outcome, count }) => [count, { endpoint, status: String(status), outcome }]),
  );
  counter('perpdesk_responses_total', 'Responses served through the cache, by outcome.', ['outcome'], () =>
    byLabel('outcome', reader.state().outcomes),
  );
  counter('perpdesk_reads_failed_total', 'Requests that got no response.', [], () => [[reader.state().failed]]);
  gauge('perpdesk_budget_used', 'Requests that count against the budget, by purpose.', ['purpose'], () =>
    byLabel('purpose', rateLimiter.state().byPurpose),
  );
  gauge('perpdesk_budget_limit', 'Requests that the budget allows per window; 0 for no limit.', [], () => [
    [rateLimiter.state().limit?.requests ?? 0],
  ]);
  gauge('perpdesk_budget_waiting', 'Reads that wait for a permit.', [], () => [[rateLimiter.state().waiting]]);
  gauge('perpdesk_cache_bytes', 'Size of cached responses.', ['where'], () => [
    [reader.state().bytes, { where: 'memory' }],
    [reader.state().onDisk.bytes, { where: 'disk' }],
  ]);
  counter('perpdesk_disk_writes_failed_total', 'Failed writes to the store.', [], () => [[store.state().failedWrites]]);
  gauge('perpdesk_venue_up', 'Whether reads of the exchange are enabled (circuit closed).', [], () => [
    [venue.state().circuit === 'closed' ? 1 : 0],
  ]);
  gauge(
    'perpdesk_venue_clock_offset_seconds',
    'How far the exchange’s clock is ahead of this machine’s; none while unknown.',
    [],
    () => toSeconds(venue.state().clockOffsetMs),
  );
  gauge(
    'perpdesk_venue_last_response_timestamp_seconds',
    'When the exchange last responded; none before that.',
    [],
    () => toSeconds(venue.state().lastResponseAt),
  );
  const journalState = async (): Promise<JournalState> => {
    await journal.refresh();
    return journal.state();
  };
  gauge('perpdesk_journal_bytes', 'Size of the journal.', [], () =>
    unlessUnreadable(async () => [[(await journalState()).bytes]]),
  );
  gauge(
    'perpdesk_journal_last_reading_timestamp_seconds',
    'When working orders were last read for the journal; none before that.',
    [],
    () => unlessUnreadable(async () => toSeconds((await journalState()).lastReading?.to ?? null)),
  );
  counter(
    'perpdesk_session_refreshes_total',
    'Sessions whose groups were read again at the OpenID provider, by what came of it; none without one.',
    ['outcome'],
    () => byLabel('outcome', sessionRefreshes() ?? {}),
  );
  counter(
    'perpdesk_sign_ins_total',
    'Sign-ins, by outcome: succeeded, refused, or locked_out after too many refused ones; none without sign-in.',
    ['outcome'],
    () => byLabel('outcome', signIns() ?? {}),
  );
  gauge('perpdesk_audit_bytes', 'Size of the audit log, about as on disk.', [], () =>
    unlessUnreadable(async () => [[(await auditUsage()).bytes]]),
  );
  gauge('perpdesk_audit_limit_bytes', 'Size beyond which the oldest entries of the audit log are dropped.', [], () =>
    unlessUnreadable(async () => [[(await auditUsage()).maxBytes]]),
  );
  gauge(
    'perpdesk_audit_oldest_timestamp_seconds',
    'When the oldest entry of the audit log was written; none if it is empty.',
    [],
    () => unlessUnreadable(async () => toSeconds((await auditUsage()).oldestAt)),
  );
  gauge('perpdesk_calls_waiting', 'Events of alerts that are not delivered yet, by channel.', ['channel'], () =>
    unlessUnreadable(async () =>
      (await notifications.describe()).channels.map(({ name: channel, waiting }) => [waiting, { channel }]),
    ),
  );
}

/** Returns no samples if the store cannot be read: that has its own metric, which must not be lost with this one. */
async function unlessUnreadable(measure: () => Promise<Samples>): Promise<Samples> {
  try {
    return await measure();
  } catch (error) {
    if (isProblemOf(error, 'desk-cannot-read')) return [];
    throw error;
  }
}

/** An unknown value has no sample, because a zero would be a value. */
function toSeconds(milliseconds: number | null): Samples {
  return milliseconds === null ? [] : [[milliseconds / 1_000]];
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Samples {
  return Object.entries(values).map(([word, value]) => [value, { [label]: word }]);
}

/** Counts handled requests by endpoint, status and outcome. */
export interface Activity {
  readonly record: (entry: AccessLogEntry, at: number) => void;
  readonly endpoints: () => readonly EndpointActivity[];
  readonly counts: () => readonly Count[];
}

export interface EndpointActivity {
  readonly endpoint: EndpointName;
  readonly requests: number;
  readonly failed: number;
  /** The number of failures that were over the request budget: they say nothing about the exchange. */
  readonly overBudget: number;
  readonly lastAt: number | null;
  readonly lastStatus: number | null;
  readonly lastOutcome: string | null;
}

interface Count {
  readonly endpoint: string;
  readonly status: number;
  readonly outcome: string;
  count: number;
}

const FIRST_FAILURE = 400;

interface Latest {
  readonly at: number;
  readonly status: number;
  readonly outcome: string;
}

export function createActivity(): Activity {
  const counts = new Map<string, Count>();
  const latest = new Map<string, Latest>();
  return {
    record: ({ endpoint, status, outcome }, at) => {
      const key = `${endpoint} ${String(status)} ${outcome}`;
      const known = counts.get(key) ?? { endpoint, status, outcome, count: 0 };
      known.count += 1;
      counts.set(key, known);
      latest.set(endpoint, { at, status, outcome });
    },
    endpoints: () => ENDPOINT_NAMES.map((endpoint) => summarise(endpoint, [...counts.values()], latest.get(endpoint))),
    counts: () => [...counts.values()],
  };
}

function summarise(endpoint: EndpointName, counts: readonly Count[], last: Latest | undefined): EndpointActivity {
  const own = counts.filter((entry) => entry.endpoint === endpoint);
  const sum = (entries: readonly Count[]): number => entries.reduce((total, { count }) => total + count, 0);
  return {
    endpoint,
    requests: sum(own),
    failed: sum(own.filter(({ status }) => status >= FIRST_FAILURE)),
    overBudget: sum(own.filter(({ status }) => status === PROBLEMS['budget-spent'].status)),
    lastAt: last?.at ?? null,
    lastStatus: last?.status ?? null,
    lastOutcome: last?.outcome ?? null,
  };
}
