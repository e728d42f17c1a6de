import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LIVE_PATH } from '#contract/desk/live.ts';
import type { Calls } from '#server/alerts/calls/open-call-room.ts';
import type { AccessLogEntry } from '#server/web/request-context.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { GatewayPorts, RateLimiter, Reader, Venue } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { Activity } from './activity.ts';

/** What is measured where. */
export interface MeasuredParts extends Pick<GatewayPorts, 'processMetrics'> {
  readonly version: string;
  readonly activity: Pick<Activity, 'counts'>;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  readonly reader: Pick<Reader, 'state'>;
  readonly venue: Pick<Venue, 'state'>;
  readonly store: Pick<Store, 'state'>;
  readonly journal: Pick<JournalRoom, 'state'>;
  readonly calls: Pick<Calls, 'describe'>;
  /** By what came of them; null: nobody signs in at a provider. */
  readonly sessionRefreshes: () => Readonly<Record<string, number>> | null;
}

export interface Metrics {
  readonly contentType: string;
  readonly record: (entry: Pick<AccessLogEntry, 'endpoint' | 'outcome' | 'tookMs'>) => void;
  /** In the text format of Prometheus. */
  readonly describe: () => Promise<string>;
}

type Labels = Readonly<Record<string, string>>;
type Samples = readonly (readonly [value: number, labels?: Labels])[];

/** From a response in memory to one that the exchange is waited for. */
const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics(parts: MeasuredParts): Metrics {
  const registry = new Registry();
  defineAll(registry, parts);
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
    describe: async () => (await registry.metrics()) + (await parts.processMetrics()),
  };
}

/** Each value is read from the part that counts it when the metrics are requested, so that none is counted twice. */
function defineAll(
  registry: Registry,
  { version, activity, rateLimiter, reader, venue, store, journal, calls, sessionRefreshes }: MeasuredParts,
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
    () => toSeconds(venue.state().lastAnswerAt),
  );
  gauge('perpdesk_journal_bytes', 'Size of the journal.', [], () => [[journal.state().bytes]]);
  gauge(
    'perpdesk_journal_last_reading_timestamp_seconds',
    'When working orders were last read for the journal; none before that.',
    [],
    () => toSeconds(journal.state().lastReading?.to ?? null),
  );
  counter(
    'perpdesk_session_refreshes_total',
    'Sessions whose groups were read again at the OpenID provider, by what came of it; none without one.',
    ['outcome'],
    () => byLabel('outcome', sessionRefreshes() ?? {}),
  );
  gauge('perpdesk_calls_waiting', 'Events of alerts that are not delivered yet, by channel.', ['channel'], () =>
    countWaiting(calls),
  );
}

/** Whether the store can be read is another metric, which must not be lost with this one. */
async function countWaiting({ describe }: Pick<Calls, 'describe'>): Promise<Samples> {
  try {
    return (await describe()).channels.map(({ name: channel, waiting }) => [waiting, { channel }]);
  } catch (error) {
    if (isProblemOf(error, 'desk-cannot-read')) return [];
    throw error;
  }
}

/** What is unknown has no value: a zero would be one. */
function toSeconds(milliseconds: number | null): Samples {
  return milliseconds === null ? [] : [[milliseconds / 1_000]];
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Samples {
  return Object.entries(values).map(([word, value]) => [value, { [label]: word }]);
}
