import { ENDPOINT_NAMES, type EndpointName } from '#contract/exchange/endpoints.ts';
import { PROBLEMS } from '#contract/desk/problems.ts';
import type { AccessLogEntry } from '#server/web/request-context.ts';

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
  /** How many of the failed ones had to wait for the request budget: they say nothing about the exchange. */
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
