import type { LedgerState, ReaderState, VenueState } from '../ports.ts';
import type { Count } from './activity.ts';

export interface Measured {
  readonly requests: readonly Count[];
  readonly ledger: LedgerState;
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
export function formatMetrics({ requests, ledger, reader, venue, failedWrites, residentBytes }: Measured): string {
  return [
    metric('perpdesk_requests_total', 'counter', 'Requests answered, by endpoint, status and how.', requests.map(toSample)),
    metric('perpdesk_answers_total', 'counter', 'Answers given, by where they came from.', byLabel('how', reader.asked)),
    metric('perpdesk_reads_failed_total', 'counter', 'Questions that got no answer.', [{ value: reader.failed }]),
    metric('perpdesk_budget_used', 'gauge', 'Requests of the budget that are spent, by purpose.', byLabel('purpose', ledger.byPurpose)),
    metric('perpdesk_budget_limit', 'gauge', 'Requests the budget allows in its window; 0 for no limit.', [{ value: ledger.limit?.requests ?? 0 }]),
    metric('perpdesk_budget_waiting', 'gauge', 'Reads that wait for the budget.', [{ value: ledger.waiting }]),
    metric('perpdesk_cache_bytes', 'gauge', 'Bytes of answers held.', [
      { labels: { where: 'memory' }, value: reader.bytes },
      { labels: { where: 'disk' }, value: reader.kept.bytes },
    ]),
    metric('perpdesk_disk_writes_failed_total', 'counter', 'Times that something could not be written to the disk.', [{ value: failedWrites }]),
    metric('perpdesk_venue_up', 'gauge', 'Whether the venue is being asked.', [{ value: venue.circuit === 'closed' ? 1 : 0 }]),
    metric('perpdesk_venue_clock_offset_seconds', 'gauge', 'How far the venue’s clock is ahead.', [{ value: (venue.clockOffsetMs ?? 0) / 1_000 }]),
    metric('perpdesk_resident_bytes', 'gauge', 'Memory of the process.', [{ value: residentBytes }]),
  ].join('');
}

function toSample({ endpoint, status, how, count }: Count): Sample {
  return { labels: { endpoint, status: String(status), how }, value: count };
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
