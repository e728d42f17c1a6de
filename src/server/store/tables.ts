import type { Table } from '#sql/driver.ts';

/** Responses that can never change again. */
export const keptAnswers = {
  name: 'kept_answer',
  key: ['key'],
  columns: { key: 'text', body: 'bytes', content_type: 'text', answered_at: 'bigint', tag: 'text' },
} as const satisfies Table;

/** Requests that count against the budget. `settled_at` is null while in flight. */
export const spentPermits = {
  name: 'spent_permit',
  key: ['id'],
  onlyGrows: true,
  nullable: ['settled_at', 'settled_elapsed'],
  columns: { id: 'bigint', purpose: 'text', settled_at: 'bigint', settled_elapsed: 'double precision' },
} as const satisfies Table;

const fundingPerpetuals = {
  name: 'funding_perpetual',
  key: ['venue', 'product_id'],
  columns: { venue: 'text', product_id: 'bigint', base_symbol: 'text', reads: 'bigint', last_read_at: 'bigint' },
} as const satisfies Table;

export const fundingPrints = {
  name: 'funding_print',
  key: ['venue', 'product_id', 'end_at', 'place'],
  onlyGrows: true,
  columns: { venue: 'text', product_id: 'bigint', end_at: 'text', place: 'bigint', row: 'text' },
} as const satisfies Table;

export const fundingLeftOut = {
  name: 'funding_left_out',
  key: ['venue', 'product_id', 'end_at', 'row'],
  columns: { venue: 'text', product_id: 'bigint', end_at: 'text', row: 'text' },
} as const satisfies Table;

const fundingEstimates = {
  name: 'funding_estimate',
  key: ['venue', 'base_symbol', 'end_at', 'step'],
  nullable: ['settled'],
  columns: {
    venue: 'text',
    base_symbol: 'text',
    end_at: 'text',
    step: 'bigint',
    share: 'double precision',
    estimate: 'text',
    settled: 'text',
    read_at: 'bigint',
  },
} as const satisfies Table;

export const ownerCodes = {
  name: 'owner_code',
  key: ['scope', 'kind', 'code'],
  columns: { scope: 'text', kind: 'text', code: 'text' },
} as const satisfies Table;

export const writeChecks = {
  name: 'write_check',
  key: ['id'],
  columns: { id: 'bigint' },
} as const satisfies Table;

/**
 * Readings of the working set that are in no segment yet, each with the changes it showed. A reading that was stored
 * although the database’s reply was lost is replaced by the next one, which has its number and includes its changes.
 */
export const journalReadings = {
  name: 'journal_reading',
  key: ['number'],
  columns: {
    number: 'bigint',
    scope: 'text',
    read_from: 'bigint',
    read_to: 'bigint',
    is_complete: 'bigint',
    is_after_gap: 'bigint',
    changes: 'bytes',
  },
} as const satisfies Table;

/** The readings of a stretch of time, which never change again. */
export const journalSegments = {
  name: 'journal_segment',
  key: ['number'],
  onlyGrows: true,
  columns: {
    number: 'bigint',
    scope: 'text',
    from_at: 'bigint',
    to_at: 'bigint',
    changes: 'bigint',
    bytes: 'bigint',
    readings: 'bytes',
  },
} as const satisfies Table;

/** The orders of a segment: their rows at its start, and their changes. */
export const journalBlocks = {
  name: 'journal_block',
  key: ['segment', 'place'],
  onlyGrows: true,
  columns: { segment: 'bigint', place: 'bigint', content: 'bytes' },
} as const satisfies Table;

/** The block of a segment that has the changes of an order. `order_key` has the low bits of its ID. */
export const journalOrders = {
  name: 'journal_order',
  key: ['order_key', 'segment'],
  columns: { order_key: 'bigint', segment: 'bigint', place: 'bigint' },
} as const satisfies Table;

/** The counted changes of a segment. `reaches_back` is the earliest change or disappearance that it counts. */
export const journalSummaries = {
  name: 'journal_summary',
  key: ['segment'],
  columns: { segment: 'bigint', reaches_back: 'bigint', content: 'bytes' },
} as const satisfies Table;

/** The holders of leases, for work that one of the servers sharing the store does: see `createLease`. */
const deskLeases = {
  name: 'desk_lease',
  key: ['name'],
  columns: { name: 'text', holder: 'text', beat: 'bigint' },
} as const satisfies Table;

/** The rules, as JSON. */
export const deskRules = {
  name: 'desk_rule',
  key: ['scope', 'id'],
  columns: { scope: 'text', id: 'text', body: 'text' },
} as const satisfies Table;

/** The history of changes to rules. */
export const ruleChanges = {
  name: 'rule_change',
  key: ['scope', 'number'],
  onlyGrows: true,
  columns: { scope: 'text', number: 'bigint', body: 'text' },
} as const satisfies Table;

/** The state of a rule for one subject. */
export const alertStates = {
  name: 'alert_state',
  key: ['scope', 'rule_id', 'group_name'],
  columns: { scope: 'text', rule_id: 'text', group_name: 'text', body: 'text' },
} as const satisfies Table;

/** The changes of alerts, with their evidence at the time. */
export const alertChanges = {
  name: 'alert_change',
  key: ['scope', 'number'],
  onlyGrows: true,
  columns: { scope: 'text', number: 'bigint', rule_id: 'text', body: 'text' },
} as const satisfies Table;

export const alertSilences = {
  name: 'alert_silence',
  key: ['scope', 'id'],
  columns: { scope: 'text', id: 'text', body: 'text' },
} as const satisfies Table;

/** The tables of the first step. */
export const firstTables: readonly Table[] = [
  keptAnswers,
  spentPermits,
  fundingPerpetuals,
  fundingPrints,
  fundingLeftOut,
  fundingEstimates,
  ownerCodes,
  writeChecks,
];

export const firstIndexes: Readonly<Record<string, string>> = {
  // The body precedes the time in each row: without the index, finding the oldest would read every body.
  kept_answer_age: 'kept_answer (answered_at)',
  funding_estimate_age: 'funding_estimate (end_at)',
};

export const journalTables: readonly Table[] = [journalReadings, journalSegments, journalBlocks, journalOrders];

/**
 * Events for a channel; without a call, not in a notification yet. They are kept for a while afterwards, so that none
 * is sent twice.
 */
export const notificationEvents = {
  name: 'call_event',
  key: ['channel', 'key'],
  onlyGrows: true,
  columns: { channel: 'text', key: 'text', number: 'bigint', added_at: 'bigint', call: 'text', event: 'text' },
} as const satisfies Table;

/** Notifications to a channel, each with the events that it lists. */
export const deskCalls = {
  name: 'desk_call',
  key: ['id'],
  columns: {
    id: 'text',
    channel: 'text',
    number: 'bigint',
    made_at: 'bigint',
    attempts: 'bigint',
    next_at: 'bigint',
    state: 'text',
  },
} as const satisfies Table;

/** Deliveries: the attempts to send a notification, and their results. */
export const callDeliveries = {
  name: 'call_delivery',
  key: ['number'],
  onlyGrows: true,
  nullable: ['status'],
  columns: {
    number: 'bigint',
    channel: 'text',
    call: 'text',
    attempt: 'bigint',
    events: 'bigint',
    summary: 'text',
    at: 'bigint',
    took_ms: 'bigint',
    outcome: 'text',
    status: 'bigint',
    reason: 'text',
    answer: 'text',
  },
} as const satisfies Table;

export const notificationTables: readonly Table[] = [deskLeases, notificationEvents, deskCalls, callDeliveries];

export const callIndexes: Readonly<Record<string, string>> = {
  call_event_waiting: 'call_event (call, channel, number)',
  call_event_number: 'call_event (number)',
  desk_call_waiting: 'desk_call (state, channel, number)',
};

/**
 * Who saved a rule last: it uses their share of the budget, and their right to notify counts. Rules have no author if
 * no sign-in is required.
 */
export const ruleAuthors = {
  name: 'rule_author',
  key: ['scope', 'id'],
  columns: { scope: 'text', id: 'text', person: 'text' },
} as const satisfies Table;

export const ruleTables: readonly Table[] = [deskRules, ruleChanges, alertStates, alertChanges, alertSilences];

/** Returns the table of one kind of record about the people who use Perpdesk, as JSON. */
function accessTable(name: string) {
  return { name, key: ['id'], columns: { id: 'text', body: 'text' } } as const satisfies Table;
}

/** Who may sign in, with which passkeys, in which browsers they are signed in, and which tokens act for them. */
export const accessRecords = {
  people: accessTable('access_person'),
  passkeys: accessTable('access_passkey'),
  sessions: accessTable('access_session'),
  tokens: accessTable('access_token'),
  invitations: accessTable('access_invitation'),
  provided: accessTable('access_provided'),
} as const;

/** Counts the changes of these records: a server that did not make the last one reads them again. */
export const accessVersions = {
  name: 'access_version',
  key: ['id'],
  columns: { id: 'bigint', version: 'bigint' },
} as const satisfies Table;

/** The audit log. `body` is the text that is hashed, together with the hash before it. */
export const auditEntries = {
  name: 'audit_entry',
  key: ['number'],
  onlyGrows: true,
  columns: { number: 'bigint', who: 'text', kind: 'text', body: 'text', hash: 'text' },
} as const satisfies Table;

/** Other state of the audit log, by name: the last dropped entry, the last entry, the settings. */
export const auditNotes = {
  name: 'audit_note',
  key: ['name'],
  columns: { name: 'text', body: 'text' },
} as const satisfies Table;

/** People of a provider or proxy were added in a later step. */
const { provided, ...firstAccessRecords } = accessRecords;
export const accessTables: readonly Table[] = [
  ...Object.values(firstAccessRecords),
  accessVersions,
  auditEntries,
  auditNotes,
];
export const providedTables: readonly Table[] = [provided];

export const accessIndexes: Readonly<Record<string, string>> = {
  audit_entry_who: 'audit_entry (who, number)',
  audit_entry_kind: 'audit_entry (kind, number)',
};

/**
 * What people save, each item with its number of changes. `owner` is the person and the mode in which they are known.
 */
export const savedItems = {
  name: 'saved_item',
  key: ['owner', 'name'],
  columns: { owner: 'text', name: 'text', body: 'text', version: 'bigint', saved_at: 'bigint' },
} as const satisfies Table;

/** Views that people share with a role, as JSON. */
export const sharedViews = {
  name: 'shared_view',
  key: ['id'],
  columns: { id: 'text', owner: 'text', body: 'text', version: 'bigint', shared_at: 'bigint' },
} as const satisfies Table;

export const savedTables: readonly Table[] = [savedItems, sharedViews];

export const tables: readonly Table[] = [
  ...firstTables,
  ...journalTables,
  journalSummaries,
  ...notificationTables,
  ...ruleTables,
  ...accessTables,
  ...savedTables,
  ...providedTables,
  ruleAuthors,
];
