import type { ApiResponse } from '../../response.ts';
import type { Fact } from '../../format/provenance.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import type { DeskPolicy } from '#contract/desk/policy.ts';
import { toCsv } from '../../format/csv.ts';

/** Returns the provenance of a figure from one of Perpdesk’s own responses. */
export function toProvenance(response: ApiResponse<unknown>, field: string, raw: unknown): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${response.target}`, code: true },
    { name: 'Field', value: field, code: true },
    { name: 'Raw value', value: JSON.stringify(raw), code: true },
    { name: 'Conversion', value: 'none' },
    { name: 'Received', value: formatInAllZones(response.receivedAt) },
    { name: 'Request ID', value: response.requestId ?? 'unknown', code: true },
  ];
}

type Outcome = NonNullable<DeskStatus['self_test']>['rows'][number]['outcome'];

/** What status, policy and self-test report about one endpoint. */
export interface EndpointRow {
  readonly name: string;
  readonly requests: number;
  readonly failed: number;
  /** How many of the failed requests had no budget left. */
  readonly overBudget: number;
  readonly lastAt: string | null;
  readonly lastStatus: number | null;
  readonly lastHow: string | null;
  /** When the exchange last responded, to a page or to Perpdesk itself. */
  readonly venueAt: string | null;
  /** How long that response took, in milliseconds. */
  readonly venueMs: number | null;
  /** Null until the policy is known. */
  readonly everySeconds: number | null;
  readonly shape: Outcome | null;
}

export function toEndpointRows(status: DeskStatus, policy: DeskPolicy | undefined): readonly EndpointRow[] {
  const policies = new Map(policy?.endpoints.map((each) => [each.name, each]));
  const outcomes = new Map(status.self_test?.rows.map(({ subject, outcome }) => [subject, outcome]));
  return status.endpoints.map((each) => {
    const known = policies.get(each.endpoint);
    return {
      name: each.endpoint,
      requests: each.asked,
      failed: each.failed,
      overBudget: each.over_budget,
      lastAt: each.last_at,
      lastStatus: each.last_status,
      lastHow: each.last_how,
      venueAt: each.venue_at,
      venueMs: each.venue_ms,
      everySeconds: known?.reuse_seconds ?? null,
      shape: outcomes.get(known?.upstream ?? '') ?? null,
    };
  });
}

const EXPECTED: ReadonlySet<string> = new Set<Outcome>(['good', 'not offered', 'not tried']);

/** Whether an outcome is an issue, including one that only a newer server knows. */
export function isIssue(outcome: string): boolean {
  return !EXPECTED.has(outcome);
}

export function hasIssue({ failed, shape }: EndpointRow): boolean {
  return failed > 0 || (shape !== null && isIssue(shape));
}

export function endpointRowsToCsv(rows: readonly EndpointRow[]): string {
  const heading = [
    'endpoint',
    'client_requests',
    'failed_requests',
    'last_request_at',
    'last_http_status',
    'last_source',
    'exchange_responded_at',
    'latency_ms',
    'refresh_interval_s',
    'schema_check',
    'over_budget_requests',
  ] as const;
  return toCsv(
    heading,
    rows.map((row) => [
      row.name,
      row.requests,
      row.failed,
      row.lastAt,
      row.lastStatus,
      row.lastHow,
      row.venueAt,
      row.venueMs,
      row.everySeconds,
      row.shape,
      row.overBudget,
    ]),
  );
}
