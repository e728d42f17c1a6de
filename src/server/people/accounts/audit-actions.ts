import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditKind } from '../audit/chain.ts';
import type { AddressOf, Requesting } from './requesting.ts';

interface ActionInput {
  readonly query: Readonly<Record<string, string>>;
  readonly context: Requesting;
}

/** Where an action names what it changes: it may be in its body or its query. */
interface Named {
  readonly rule?: { readonly id: string; readonly name: string };
  readonly rules?: readonly { readonly id: string }[];
  readonly rule_id?: string;
  readonly group?: string;
  readonly until?: string;
}

/** A shared view, as its actions return it. */
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
  testChannel: ['alert changed', (_, query) => `Sent a test call to the channel ${query['channel'] ?? ''}.`],
};

/** Without its name, which may be that of an account: who reads the audit need not be allowed to see orders. */
function describeShared({ id = '', list = '', role = '', by = '' }: Shared): string {
  return `${id} (${list}) of ${by} with the role ${role}`;
}

const MOST_NAMED = 20;

/** The same actions, each recorded once it is done. */
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
