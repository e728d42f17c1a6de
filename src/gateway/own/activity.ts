import { ENDPOINT_NAMES } from '#contract/endpoints.ts';
import type { AnsweredRequest } from '../front/api.ts';

/** What was answered, counted: by endpoint, and how. */
export interface Activity {
  readonly note: (request: AnsweredRequest, at: number) => void;
  readonly endpoints: () => readonly EndpointActivity[];
  readonly counts: () => readonly Count[];
}

export interface EndpointActivity {
  readonly endpoint: string;
  readonly asked: number;
  readonly failed: number;
  readonly lastAt: number | null;
  readonly lastStatus: number | null;
  readonly lastHow: string | null;
  /** How long it took when the venue itself was last asked. */
  readonly venueMs: number | null;
}

export interface Count {
  readonly endpoint: string;
  readonly status: number;
  readonly how: string;
  count: number;
}

const FIRST_FAILURE = 400;
const FROM_THE_VENUE = 'miss';

interface Latest {
  readonly at: number;
  readonly status: number;
  readonly how: string;
  readonly venueMs: number | null;
}

export function createActivity(): Activity {
  const counts = new Map<string, Count>();
  const latest = new Map<string, Latest>();
  return {
    note: ({ endpoint, status, how, tookMs }, at) => {
      const key = `${endpoint} ${String(status)} ${how}`;
      const known = counts.get(key) ?? { endpoint, status, how, count: 0 };
      known.count += 1;
      counts.set(key, known);
      latest.set(endpoint, { at, status, how, venueMs: how === FROM_THE_VENUE ? tookMs : (latest.get(endpoint)?.venueMs ?? null) });
    },
    endpoints: () => ENDPOINT_NAMES.map((endpoint) => summarise(endpoint, [...counts.values()], latest.get(endpoint))),
    counts: () => [...counts.values()],
  };
}

function summarise(endpoint: string, counts: readonly Count[], last: Latest | undefined): EndpointActivity {
  const own = counts.filter((entry) => entry.endpoint === endpoint);
  const sum = (entries: readonly Count[]): number => entries.reduce((total, { count }) => total + count, 0);
  return {
    endpoint,
    asked: sum(own),
    failed: sum(own.filter(({ status }) => status >= FIRST_FAILURE)),
    lastAt: last?.at ?? null,
    lastStatus: last?.status ?? null,
    lastHow: last?.how ?? null,
    venueMs: last?.venueMs ?? null,
  };
}
