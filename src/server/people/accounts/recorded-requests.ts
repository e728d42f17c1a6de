import type { AuditLog } from '../audit/audit-log.ts';
import { type AuditKind, LONGEST_FILTER } from '../audit/audit-store.ts';
import type { AddressOf, Requesting } from './requesting.ts';
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

/** Records who reads private data, and who is rejected. */
export interface Observer {
  readonly noteResult: (seen: Seen, result: Result) => void;
  /** Records the topics of a stream when it opens, since its result is only known when it ends. */
  readonly noteStream: (seen: Pick<Seen, 'viewer' | 'request'>, follows: readonly Followed[]) => void;
}

const PRIVATE_NEEDS: readonly Need[] = ['orders', 'operations'];
/** These parameters differ between the pages of one query. */
const PAGING: readonly string[] = ['cursor', 'limit'];
const READ_STATUSES: readonly number[] = [200, 304];

/** The private endpoints, by their name in the log. */
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

/** Records requests that are rejected before the sender is known, such as forged ones. */
export function withRejections(identify: Identify, audit: Pick<AuditLog, 'gather'>, addressOf: AddressOf): Identify {
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

interface ActionInput {
  readonly query: Readonly<Record<string, string>>;
  readonly context: Requesting;
}

/** The fields of an action's body that name what it changes. */
interface Named {
  readonly rule?: { readonly id: string; readonly name: string };
  readonly rules?: readonly { readonly id: string }[];
  readonly rule_id?: string;
  readonly group?: string;
  readonly until?: string;
}

/** A shared view as its actions return it. */
interface Shared {
  readonly id?: string;
  readonly list?: string;
  readonly role?: string;
  readonly by?: string;
}

type Describe = (body: Named, query: ActionInput['query'], done: Shared) => string;

const RECORDED: Readonly<Record<string, readonly [AuditKind, Describe]>> = {
  putRule: ['rule changed', ({ rule }) => `Saved the rule "${rule?.name ?? ''}" (${rule?.id ?? ''}).`],
  importRules: [
    'rule changed',
    ({ rules = [] }) =>
      `Imported ${String(rules.length)} rules: ${rules
        .slice(0, MOST_NAMED)
        .map(({ id }) => id)
        .join(', ')}${rules.length > MOST_NAMED ? ' and others' : ''}.`,
  ],
  deleteRule: ['rule changed', (_, query) => `Deleted the rule ${query['id'] ?? ''}.`],
  acknowledgeAlert: [
    'alert changed',
    ({ rule_id: id = '', group = '' }) =>
      `Acknowledged the alert of the rule ${id}${group === '' ? '' : ` for ${group}`}.`,
  ],
  silenceAlerts: ['alert changed', ({ until = '' }) => `Silenced alerts until ${until}.`],
  endSilence: ['alert changed', (_, query) => `Ended the silence ${query['id'] ?? ''}.`],
  shareView: ['view shared', (_, __, view) => `Shared the view ${describeShared(view)}.`],
  unshareView: ['view shared', (_, __, view) => `Stopped sharing the view ${describeShared(view)}.`],
  testChannel: ['alert changed', (_, query) => `Sent a test notification to the channel ${query['channel'] ?? ''}.`],
};

/**
 * Omits the view's name, which may be that of an account: readers of the audit log need not be allowed to see orders.
 */
function describeShared({ id = '', list = '', role = '', by = '' }: Shared): string {
  return `${id} (${list}) of ${by} with the role ${role}`;
}

const MOST_NAMED = 20;

/** Wraps actions so that each is recorded once it is done. */
export function auditActions<Performers extends object>(
  performers: Performers,
  audit: Pick<AuditLog, 'record'>,
  addressOf: AddressOf,
): Performers {
  const entries = Object.entries(
    performers as Readonly<Record<string, (input: ActionInput & { readonly body: unknown }) => Promise<unknown>>>,
  );
  const recorded = entries.map(([name, perform]): readonly [string, unknown] => {
    const [kind, describe] = RECORDED[name] ?? [];
    if (kind === undefined || describe === undefined) return [name, perform];
    const performRecorded: typeof perform = async (input) => {
      const done = await perform(input);
      const { viewer, request } = input.context;
      await audit.record({
        kind,
        who: viewer.id,
        name: viewer.name,
        address: addressOf(request),
        detail: describe(input.body ?? {}, input.query, done ?? {}),
      });
      return done;
    };
    return [name, performRecorded];
  });
  return Object.fromEntries(recorded) as Performers;
}
