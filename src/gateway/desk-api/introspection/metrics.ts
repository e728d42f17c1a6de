import type { RateLimiterState, ReaderState, VenueState } from '../../ports.ts';
import type { Count } from './activity.ts';

export interface Measurements {
  readonly requests: readonly Count[];
  readonly rateLimiter: RateLimiterState;
  readonly reader: ReaderState;
  readonly venue: VenueState;
  readonly failedWrites: number;
  readonly residentBytes: number;
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** In the text format of Prometheus. */
export function formatMetrics({ requests, rateLimiter, reader, venue, failedWrites, residentBytes }: Measurements): string {
  return [
    metric('perpdesk_requests_total', 'counter', 'Requests handled, by endpoint, status and outcome.', requests.map(toSample)),
    metric('perpdesk_responses_total', 'counter', 'Responses served through the cache, by outcome.', byLabel('outcome', reader.outcomes)),
    metric('perpdesk_reads_failed_total', 'counter', 'Requests that got no response.', [{ value: reader.failed }]),
    metric('perpdesk_budget_used', 'gauge', 'Requests that count against the budget, by purpose.', byLabel('purpose', rateLimiter.byPurpose)),
    metric('perpdesk_budget_limit', 'gauge', 'Requests that the budget allows per window; 0 for no limit.', [{ value: rateLimiter.limit?.requests ?? 0 }]),
    metric('perpdesk_budget_waiting', 'gauge', 'Reads that wait for a permit.', [{ value: rateLimiter.waiting }]),
    metric('perpdesk_cache_bytes', 'gauge', 'Size of cached responses in bytes.', [
      { labels: { where: 'memory' }, value: reader.bytes },
      { labels: { where: 'disk' }, value: reader.onDisk.bytes },
    ]),
    metric('perpdesk_disk_writes_failed_total', 'counter', 'Failed writes to the store.', [{ value: failedWrites }]),
    metric('perpdesk_venue_up', 'gauge', 'Whether reads of the exchange are enabled (circuit closed).', [{ value: venue.circuit === 'closed' ? 1 : 0 }]),
    metric('perpdesk_venue_clock_offset_seconds', 'gauge', 'How far the exchange’s clock is ahead of this machine’s.', [{ value: (venue.clockOffsetMs ?? 0) / 1_000 }]),
    metric('perpdesk_resident_bytes', 'gauge', 'Resident memory of the process.', [{ value: residentBytes }]),
  ].join('');
}

function toSample({ endpoint, status, outcome, count }: Count): Sample {
  return { labels: { endpoint, status: String(status), outcome }, value: count };
}

function byLabel(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([word, value]) => ({ labels: { [label]: word }, value }));
}

function metric(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${formatLabels(labels)} ${String(value)}\n`);
  return [`# HELP ${name} ${help}\n`, `# TYPE ${name} ${type}\n`, ...lines].join('');
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
