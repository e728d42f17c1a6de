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
  readonly rule?: { readonly name: string };
  readonly alerts?: readonly { readonly rule_id: string; readonly group: string }[];
  readonly matches?: readonly { readonly rule_id?: string }[];
  readonly assignee?: string;
  readonly until?: string;
}

/** What actions return about what they changed. */
interface Done {
  readonly ids?: readonly string[];
  readonly count?: number;
  readonly silences?: readonly { readonly id: string }[];
  readonly id?: string;
  readonly list?: string;
  readonly role?: string;
  readonly by?: string;
  readonly channel?: string;
}

type Describe = (body: Named, query: ActionInput['query'], done: Done) => string;

const RECORDED: Readonly<Record<string, readonly [AuditKind, Describe]>> = {
  putRule: ['rule changed', ({ rule }, _, { ids = [] }) => `Saved the rule "${rule?.name ?? ''}" (${ids.join('')}).`],
  importRules: [
    'rule changed',
    (_, __, { ids = [] }) =>
      `Imported ${String(ids.length)} rules: ${ids.slice(0, MOST_NAMED).join(', ')}${
        ids.length > MOST_NAMED ? ' and others' : ''
      }.`,
  ],
  deleteRule: ['rule changed', (_, query) => `Deleted the rule ${query['id'] ?? ''}.`],
  acknowledgeAlerts: [
    'alert changed',
    (body, _, done) =>
      `Acknowledged ${describeActed(body, done)}${body.assignee === undefined ? '' : `, for ${body.assignee}`}` +
      `${done.channel === undefined ? '' : `, by the link of a notification to ${done.channel}`}.`,
  ],
  endAcknowledgements: [
    'alert changed',
    (body, _, done) => `Ended the acknowledgement of ${describeActed(body, done)}.`,
  ],
  noteAlerts: ['alert changed', (body, _, done) => `Put a note on ${describeActed(body, done)}.`],
  putShiftNote: ['alert changed', () => 'Changed the shift note.'],
  silenceAlerts: [
    'alert changed',
    ({ until = '', matches = [] }, _, { silences = [] }) =>
      `Silenced alerts of ${nameRules(matches)} until ${until} (${silences.map(({ id }) => id).join(', ')}).`,
  ],
  endSilence: ['alert changed', (_, query) => `Ended the silence ${query['id'] ?? ''}.`],
  shareView: ['view shared', (_, __, view) => `Shared the view ${describeShared(view)}.`],
  unshareView: ['view shared', (_, __, view) => `Stopped sharing the view ${describeShared(view)}.`],
  testChannel: ['alert changed', (_, query) => `Sent a test notification to the channel ${query['channel'] ?? ''}.`],
};

/**
 * Omits the view's name, which may be that of an account: readers of the audit log need not be allowed to see orders.
 */
function describeShared({ id = '', list = '', role = '', by = '' }: Done): string {
  return `${id} (${list}) of ${by} with the role ${role}`;
}

/** `29 alerts of the rules many, far`. */
function describeActed({ alerts = [] }: Named, { count = 0 }: Done): string {
  const [first] = alerts;
  const subject = alerts.length === 1 && first !== undefined && first.group !== '' ? ` for ${first.group}` : '';
  return `${count === 1 ? 'the alert' : `${String(count)} alerts`} of ${nameRules(alerts)}${subject}`;
}

function nameRules(named: readonly { readonly rule_id?: string }[]): string {
  const ids = [...new Set(named.map(({ rule_id: id }) => id))];
  const known = ids.filter((id) => id !== undefined);
  if (known.length < ids.length || known.length === 0) return 'any rule';
  const more = known.length - MOST_NAMED;
  return (
    `the ${known.length === 1 ? 'rule' : 'rules'} ${known.slice(0, MOST_NAMED).join(', ')}` +
    (more > 0 ? ` and ${String(more)} others` : '')
  );
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
