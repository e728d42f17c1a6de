import type { Table } from '#sql/driver.ts';

/** Responses that can never change again. */
export const keptAnswers = {
  name: 'kept_answer',
  key: ['key'],
  columns: { key: 'text', body: 'bytes', content_type: 'text', answered_at: 'bigint', tag: 'text' },
} as const satisfies Table;

/**
 * Requests that count against the budget of the only desk on its store; several desks have a ledger. `settled_at` is
 * null while in flight.
 */
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

/** Settled rates that the exchange has changed since, as they were, and rates that it no longer publishes. */
export const fundingRevisions = {
  name: 'funding_revision',
  key: ['venue', 'product_id', 'end_at', 'digest'],
  columns: {
    venue: 'text',
    product_id: 'bigint',
    end_at: 'text',
    digest: 'text',
    row: 'text',
    found_at: 'bigint',
    is_withdrawn: 'bigint',
  },
} as const satisfies Table;

/** When all settled rates of a perpetual were last compared, and whether the exchange confirms that none is earlier. */
export const fundingChecks = {
  name: 'funding_check',
  key: ['venue', 'product_id'],
  nullable: ['begins_here'],
  columns: { venue: 'text', product_id: 'bigint', checked_at: 'bigint', begins_here: 'bigint' },
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

/** Which codes own an order together. Written by any desk. */
export const orderOwners = {
  name: 'order_owner',
  key: ['scope', 'account', 'firm', 'connection'],
  columns: { scope: 'text', account: 'text', firm: 'text', connection: 'text' },
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

/** For each reading, the last read of the order history whose finds are recorded with it or before. */
export const journalHistory = {
  name: 'journal_history',
  key: ['number'],
  columns: { number: 'bigint', scope: 'text', history_to: 'bigint' },
} as const satisfies Table;

/**
 * When the leader stored its last reading of the working set, by the clock of the database: the next leader then knows
 * how long nothing was recorded. Written by the leader.
 */
export const journalLastStored = {
  name: 'journal_last_stored',
  key: ['scope'],
  columns: { scope: 'text', stored_at: 'bigint' },
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

/** Readings of product data that are in no segment yet, each with the market prices that changed. Written by the leader. */
export const priceReadings = {
  name: 'price_reading',
  key: ['scope', 'read_at'],
  columns: { scope: 'text', read_at: 'bigint', changes: 'bytes' },
} as const satisfies Table;

/** The market prices of a stretch of time, which never change again, and when they were read. Written by the leader. */
export const priceSegments = {
  name: 'price_segment',
  key: ['scope', 'from_at'],
  columns: { scope: 'text', from_at: 'bigint', to_at: 'bigint', times: 'bytes' },
} as const satisfies Table;

/** The prices of a segment: those before its first reading, and their changes. */
export const priceBlocks = {
  name: 'price_block',
  key: ['scope', 'from_at', 'place'],
  columns: { scope: 'text', from_at: 'bigint', place: 'bigint', content: 'bytes' },
} as const satisfies Table;

const priceTables: readonly Table[] = [priceReadings, priceSegments, priceBlocks];

/** The holders of leases, for work that one of the servers sharing the store does: see `createLease`. */
const deskLeases = {
  name: 'desk_lease',
  key: ['name'],
  columns: { name: 'text', holder: 'text', beat: 'bigint' },
} as const satisfies Table;

/** The number of takeovers of the lease: what only the leader writes is written only in its epoch. */
export const leaderEpochs = {
  name: 'leader_epoch',
  key: ['id'],
  columns: { id: 'bigint', epoch: 'bigint' },
} as const satisfies Table;

/** What all desks on this database have in common, as JSON. Written by any desk, when it starts. */
export const deskSets = {
  name: 'desk_set',
  key: ['id'],
  columns: { id: 'bigint', body: 'text' },
} as const satisfies Table;

/** The desks on this database, each with the database’s time at its last beat. Written by any desk, its own row. */
export const deskMembers = {
  name: 'desk_member',
  key: ['id'],
  columns: { id: 'text', name: 'text', body: 'text', beat: 'bigint' },
} as const satisfies Table;

/**
 * The requests of all desks that count against the budget, at times of the database. `settled_at` is null while in
 * flight. Written by any desk.
 */
export const budgetPermits = {
  name: 'budget_permit',
  key: ['desk', 'number'],
  nullable: ['settled_at'],
  columns: {
    desk: 'text',
    number: 'bigint',
    purpose: 'text',
    payers: 'text',
    is_of_reserve: 'bigint',
    granted_at: 'bigint',
    settled_at: 'bigint',
  },
} as const satisfies Table;

/**
 * One row, which a desk locks to decide about permits. `number` counts the decisions, and no permit is granted before
 * `withheld_until`. Written by any desk.
 */
export const budgetLedgers = {
  name: 'budget_ledger',
  key: ['id'],
  columns: { id: 'bigint', number: 'bigint', withheld_until: 'bigint' },
} as const satisfies Table;

/**
 * The last readings of each topic that streams of other desks follow, with a body unless that of the last one still
 * holds: written by the leader. `name` is that of the cursor.
 */
export const topicReadings = {
  name: 'topic_reading',
  key: ['number'],
  nullable: ['body', 'missing'],
  columns: {
    number: 'bigint',
    topic: 'text',
    name: 'text',
    at: 'bigint',
    facts: 'text',
    body: 'bytes',
    missing: 'bytes',
  },
} as const satisfies Table;

/** The topics that streams of each desk follow, with those who pay for them, as JSON: written by any desk. */
export const followedTopics = {
  name: 'followed_topic',
  key: ['desk'],
  columns: { desk: 'text', version: 'bigint', topics: 'text', at: 'bigint' },
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

/**
 * Counts the changes of rules and silences (`rules`), written by any desk, and those of alerts (`alerts`), written by
 * the leader, so that the other desks notice them. `evaluated` is when the leader last evaluated the rules, by the clock
 * of the database.
 */
export const ruleVersions = {
  name: 'rule_version',
  key: ['scope', 'kind'],
  columns: { scope: 'text', kind: 'text', version: 'bigint' },
} as const satisfies Table;

/**
 * What the leader shall do for another desk, and the result, as JSON. `state` is `waiting`, `taken` in `epoch`, or
 * `done`: what an earlier epoch took is not done again. Added by any desk, otherwise written by the leader.
 */
export const deskCommands = {
  name: 'desk_command',
  key: ['id'],
  columns: {
    id: 'text',
    name: 'text',
    body: 'text',
    added_at: 'bigint',
    epoch: 'bigint',
    state: 'text',
    result: 'text',
  },
} as const satisfies Table;

/** What the leader found when it last evaluated the rules, as JSON, for the other desks. Written by the leader. */
export const shownAlerts = {
  name: 'shown_alerts',
  key: ['scope'],
  columns: { scope: 'text', body: 'text' },
} as const satisfies Table;

/**
 * The files of the app of each version that a desk on this database runs, or ran lately, by their path. A name follows
 * from the content. Written by any desk.
 */
export const appFiles = {
  name: 'app_file',
  key: ['name'],
  columns: { name: 'text', body: 'bytes', seen_at: 'bigint' },
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

/**
 * The orders that met the condition of a rule when it was saved or turned on, as JSON with that condition. Written by
 * the leader.
 */
export const orderBaselines = {
  name: 'order_baseline',
  key: ['scope', 'rule_id'],
  columns: { scope: 'text', rule_id: 'text', body: 'text' },
} as const satisfies Table;

/** The rows that an alert was about when it began to fire, as JSON. */
export const alertEvidence = {
  name: 'alert_evidence',
  key: ['scope', 'rule_id', 'group_name'],
  columns: { scope: 'text', rule_id: 'text', group_name: 'text', at: 'bigint', body: 'text' },
} as const satisfies Table;

/** What one shift leaves to the next, as JSON. Written by any desk. */
export const shiftNotes = {
  name: 'shift_note',
  key: ['scope'],
  columns: { scope: 'text', body: 'text', version: 'bigint' },
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
/**
 * Failed attempts to sign in, at all desks together, by the keyed hash of a person or network. Times are of the
 * database. Written by any desk.
 */
export const signInFailures = {
  name: 'sign_in_failure',
  key: ['key'],
  columns: { key: 'text', times: 'text', last_at: 'bigint' },
} as const satisfies Table;

export const failureIndexes: Readonly<Record<string, string>> = { sign_in_failure_age: 'sign_in_failure (last_at)' };

/** What works only once, at whichever desk, and when it did by the database’s time. Written by any desk. */
export const usedOnce = {
  name: 'used_once',
  key: ['id'],
  columns: { id: 'text', used_at: 'bigint' },
} as const satisfies Table;

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

/** What several desks on one database need to serve as one. */
export const sharedTables: readonly Table[] = [
  leaderEpochs,
  deskSets,
  deskMembers,
  usedOnce,
  signInFailures,
  budgetPermits,
  budgetLedgers,
  journalLastStored,
  ruleVersions,
  deskCommands,
  orderOwners,
  shownAlerts,
  topicReadings,
  followedTopics,
  appFiles,
];

/** On which side of a level the prices of products were, by rule, as JSON. */
export const ruleSides = {
  name: 'rule_side',
  key: ['scope', 'rule_id'],
  columns: { scope: 'text', rule_id: 'text', body: 'text' },
} as const satisfies Table;

/** What the journal, rules and alerts remember beside orders. */
export const watchTables: readonly Table[] = [
  ...priceTables,
  journalHistory,
  orderBaselines,
  ruleSides,
  alertEvidence,
  shiftNotes,
];

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
  fundingRevisions,
  fundingChecks,
  ...sharedTables,
  ...watchTables,
];
