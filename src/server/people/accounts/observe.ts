import type { IncomingMessage } from 'node:http';
import { ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { READ_NEEDS } from '#contract/desk/needs.ts';
import { SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Need } from '#contract/desk/roles.ts';
import type { Topic } from '#contract/desk/topics.ts';
import type { Identify, Viewer } from '#server/core/viewer.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { LONGEST_FILTER } from '../audit/chain.ts';
import type { AddressOf } from './requesting.ts';

interface Seen {
  readonly viewer: Viewer;
  readonly request: IncomingMessage;
  readonly rawQuery: string;
}

interface Result {
  readonly endpoint: string;
  readonly status: number;
  readonly outcome: string;
  readonly rows?: () => number;
}

interface Followed {
  readonly topic: Topic;
  readonly address: string;
}

/** Records who reads what is private, and who is refused. */
export interface Observer {
  readonly noteResult: (seen: Seen, result: Result) => void;
  /** What a stream follows, once it may: it has a result only when it ends. */
  readonly noteStream: (seen: Pick<Seen, 'viewer' | 'request'>, follows: readonly Followed[]) => void;
}

const PRIVATE_NEEDS: readonly Need[] = ['orders', 'operations'];
/** They differ from page to page of one question. */
const PAGING: readonly string[] = ['cursor', 'limit'];
const READ_STATUSES: readonly number[] = [200, 304];

/** What is private, by the name that the log has for it. */
const PRIVATE: ReadonlySet<string> = new Set([
  ...Object.entries({ ...DESK_ENDPOINTS, ...RULE_ENDPOINTS, ...ACCESS_ENDPOINTS, ...SAVED_ENDPOINTS }).flatMap(
    ([name, { path }]) => (PRIVATE_NEEDS.includes(READ_NEEDS[name as keyof typeof READ_NEEDS]) ? [path] : []),
  ),
  ...Object.entries(ENDPOINTS).flatMap(([name, { access }]) => (access === 'signed' ? [name] : [])),
]);

export function createObserver(audit: Pick<AuditLog, 'gather'>, addressOf: AddressOf): Observer {
  const toWho = ({ viewer, request }: Pick<Seen, 'viewer' | 'request'>) => ({
    who: viewer.id,
    name: viewer.name,
    address: addressOf(request),
  });
  return {
    noteResult: (seen, { endpoint, status, outcome, rows }) => {
      const { method = '' } = seen.request;
      if (outcome === 'not-allowed')
        audit.gather({ kind: 'request refused', ...toWho(seen), detail: `${method} ${endpoint}` });
      else if (READ_STATUSES.includes(status) && PRIVATE.has(endpoint) && method === 'GET')
        audit.gather({
          kind: 'orders read',
          ...toWho(seen),
          detail: endpoint,
          filter: toFilter(seen.rawQuery),
          rows: rows?.() ?? null,
        });
    },
    noteStream: (seen, follows) => {
      const topics = follows.filter(({ topic }) => topic.account !== null).map(({ address }) => address);
      if (topics.length > 0)
        audit.gather({
          kind: 'orders read',
          ...toWho(seen),
          detail: 'Opened a live stream.',
          filter: cut(topics.join('&')),
        });
    },
  };
}

/** Records requests that are refused before it is known who sends them, such as forged ones. */
export function withRefusals(identify: Identify, audit: Pick<AuditLog, 'gather'>, addressOf: AddressOf): Identify {
  return async (request) => {
    const found = await identify(request);
    if ('type' in found)
      audit.gather({ kind: 'request refused', who: '', name: '', address: addressOf(request), detail: found.detail });
    return found;
  };
}

function toFilter(rawQuery: string): string {
  if (rawQuery === '') return '';
  const pairs = new URLSearchParams(rawQuery);
  for (const name of PAGING) pairs.delete(name);
  return cut(pairs.toString());
}

function cut(text: string): string {
  return text.slice(0, LONGEST_FILTER);
}
