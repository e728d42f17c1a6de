import type { DeskStatus } from '#contract/desk.ts';
import type { DeskPolicy } from '#contract/desk-policy.ts';
import { toCsv } from '#ui/csv.ts';

type Outcome = NonNullable<DeskStatus['self_test']>['rows'][number]['outcome'];

/** One endpoint as it is known from status, policy and self-test together. */
export interface EndpointRow {
  readonly name: string;
  readonly asked: number;
  readonly failed: number;
  readonly lastAt: string | null;
  readonly lastStatus: number | null;
  readonly lastHow: string | null;
  /** When the venue itself last answered it, whoever asked. */
  readonly venueAt: string | null;
  /** How long that took, in milliseconds. */
  readonly venueMs: number | null;
  /** How often it is read again at most; null before the policy is known. */
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
      asked: each.asked,
      failed: each.failed,
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

const USUAL: ReadonlySet<string> = new Set<Outcome>(['good', 'not offered', 'not tried']);

/** Also where a newer desk says a word that nobody here knows. */
export function isOddOutcome(outcome: string): boolean {
  return !USUAL.has(outcome);
}

export function isOdd({ failed, shape }: EndpointRow): boolean {
  return failed > 0 || (shape !== null && isOddOutcome(shape));
}

export function endpointRowsToCsv(rows: readonly EndpointRow[]): string {
  const heading = ['endpoint', 'asked', 'failed', 'last_at', 'last_status', 'last_how', 'venue_at', 'venue_ms', 'reuse_seconds', 'shape'];
  return toCsv(
    heading,
    rows.map((row) => [row.name, row.asked, row.failed, row.lastAt, row.lastStatus, row.lastHow, row.venueAt, row.venueMs, row.everySeconds, row.shape]),
  );
}
