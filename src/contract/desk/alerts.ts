import { JournalGap } from './journal.ts';
import { AnyRule, DeskRuleChanges, DeskRules } from './rules.ts';
import { flag, instant, integer, text } from '../exchange/fields.ts';
import { Order } from '../exchange/order.ts';
import { pageOf } from '../exchange/paging.ts';
import { codeGrammar, cursor, fundingLimitGrammar, nameGrammar, type Parameter } from '../exchange/parameters.ts';
import { ProductData } from '../exchange/product.ts';
import { SEVERITIES } from './rule-measures.ts';
import { list, nullable, openEnum, optional, row, type Static } from '../exchange/schema.ts';

/** Current and past alerts of rules. */

/**
 * pending: the condition holds, but not for long enough yet. firing: it has held for long enough. resolved: it no
 * longer holds. no data: the rule cannot be evaluated, which is never fine. data again: it can be evaluated again.
 * ended: the rule was deleted, disabled or changed, or its hours ended.
 */
export const ALERT_STATES = ['pending', 'firing', 'resolved', 'no data', 'data again', 'ended'] as const;
export type AlertStateName = (typeof ALERT_STATES)[number];

/** What people do with an alert. The history records it beside the states. */
export const ALERT_ACTS = [
  'acknowledged',
  'handed over',
  'acknowledgement ended',
  'note',
  'silenced',
  'silence ended',
] as const;
export type AlertAct = (typeof ALERT_ACTS)[number];

const Acknowledgement = row('Acknowledgement', 'An acknowledgement of an alert.', {
  by: text('Who acknowledged it, or handed it over last.'),
  at: instant('When they did.'),
  note: text('Their note; may be empty.'),
  assignee: optional(text('Who takes care of the alert.')),
});

const OrderFigures = row('OrderFigures', 'What was derived from an order and the market at that moment.', {
  price_usd: nullable(text('Price in USD; null if it was unknown.')),
  market_usd: nullable(text('Market price that it was compared with, in USD; null if it was unknown.')),
  distance_percent: nullable(
    text('How far the order was from the market, in percent; positive is away from it. Null if it was unknown.'),
  ),
  notional_usd: nullable(text('Value of the working quantity at its price, in USD; null if it was unknown.')),
});
export type OrderFigures = Static<typeof OrderFigures>;

const evidence = {
  total: integer('Number of rows. Only the worst of them are kept.'),
  orders: list(Order),
  products: list(ProductData),
  figures: optional(list(OrderFigures)),
};
const Evidence = row(
  'Evidence',
  'The rows that an alert was about at that moment, as the exchange sent them, the worst first; and the ' +
    'figures of each order, in the same order.',
  evidence,
);
export type Evidence = Static<typeof Evidence>;

const startedAt = nullable(
  instant(
    'When it began to fire, or when its data went missing if a notification was sent for that first. An ' +
      'alert that loses its data while firing, and fires again once they are back, keeps this time. Null ' +
      'while it is only pending.',
  ),
);

const aboutAlert = {
  rule_id: text('The rule.'),
  rule_name: text('Name of the rule at that time.'),
  severity: openEnum(SEVERITIES, 'Severity of the alert.'),
  group: text(
    'The account, product, perpetual, firm or connection, or the ID of the order, if the rule is evaluated for each ' +
      'of them; otherwise empty.',
  ),
  label: optional(text('For each order: its account, product, side and price.')),
  value: nullable(text('Value of the measure as a plain decimal; null if there is none.')),
  unit: nullable(text('Unit of the value; null if there is none.')),
  sentence: text('The result in words.'),
};

const AlertNote = row('AlertNote', 'A note on an alert.', {
  by: text('Who wrote it.'),
  at: instant('When they did.'),
  text: text('The note.'),
});

/** The state of one rule for one subject. */
export const Alert = row('Alert', 'The state of a rule for one subject.', {
  ...aboutAlert,
  state: openEnum(
    ALERT_STATES,
    'pending: the condition holds, but not for long enough yet. firing: it has held for long enough. ' +
      'resolved: it fired, and no longer holds. no data: whether it holds is unknown. data again: that is ' +
      'known again, and it did not fire before. Only the history has a last one. ended: the rule was ' +
      'changed, turned off or deleted, or its hours ended, while it fired or had no data.',
  ),
  since: instant('When it entered this state.'),
  started_at: startedAt,
  evaluated_at: instant('When it was last evaluated.'),
  limit: nullable(text('What the value is compared with, such as `over 40`; null if there is nothing.')),
  rows: integer('Number of orders or products that it is about.'),
  notes: list(AlertNote),
  acknowledged: nullable(Acknowledgement),
  silenced_until: nullable(instant('No notifications are sent until then; null if it is not silenced.')),
  inhibited_by: nullable(text('The rule that suppresses its notifications; null if there is none.')),
  inhibited_because: nullable(text('What that rule is about, in a few words, such as `exchange unreachable`.')),
  flapping: flag('Whether it changed so often that it resolves only once the condition has not held for ten minutes.'),
});
export type Alert = Static<typeof Alert>;

/** `GET /api/desk/alerts/evidence`. */
export const AlertEvidence = row(
  'AlertEvidence',
  'The rows that an alert was about when it began to fire: the worst 200 of them, as the exchange sent them.',
  { at: nullable(instant('When that was; null if no rows were kept.')), ...evidence },
);
export type AlertEvidence = Static<typeof AlertEvidence>;

export const alertEvidenceQuery = {
  rule_id: { grammar: codeGrammar, description: 'The rule.' },
  group: { grammar: nameGrammar, description: 'The subject. Left out if the rule is evaluated for all together.' },
} as const satisfies Record<string, Parameter>;

const SilenceMatch = row('SilenceMatch', 'The alerts that match all of these fields.', {
  rule_id: optional(text('Alerts of this rule.')),
  group: optional(text('Alerts of this account, product, perpetual, firm or connection.')),
  groups: optional(list(text('Alerts of one of these accounts, products, perpetuals, firms or connections.'))),
  severity: optional(openEnum(SEVERITIES, 'Alerts of this severity.')),
});

export type SilenceMatch = Static<typeof SilenceMatch>;

export const Silence = row('Silence', 'Until it ends, no notifications are sent for alerts that match it.', {
  id: text('ID of the silence.'),
  match: SilenceMatch,
  until: instant('When it ends.'),
  by: text('Who created it.'),
  at: instant('When it was created.'),
  note: text('The reason; may be empty.'),
});
export type Silence = Static<typeof Silence>;

export const RULE_STATES = [
  'ok',
  'pending',
  'firing',
  'no data',
  'watches nothing',
  'outside hours',
  'unknown',
] as const;

const RuleState = row('RuleState', 'What an enabled rule says now, of all its subjects together.', {
  rule_id: text('The rule.'),
  state: openEnum(
    RULE_STATES,
    'The worst of its subjects. ok: none of them holds. watches nothing: there is no order or product ' +
      'that it could be about, so it cannot fire. outside hours: it is not evaluated at this time. unknown: it has ' +
      'not been evaluated yet.',
  ),
  watches: nullable(
    text(
      'What it is evaluated for, such as `36 accounts`; null if it is evaluated for all together, or if ' +
        'that is unknown.',
    ),
  ),
  reason: nullable(
    text('Why it watches nothing, such as `no product matches`, or is outside its hours; otherwise null.'),
  ),
});
export type RuleState = Static<typeof RuleState>;

const FailingChannel = row('FailingChannel', 'A channel whose notifications fail, which needs no rule to be shown.', {
  name: text('Name of the channel.'),
  since: instant('Since when none was delivered.'),
  waiting: integer('Alerts not delivered yet.'),
  sentence: text('What is wrong, in a sentence.'),
});

const ShiftNote = row('ShiftNote', 'What one shift leaves to the next.', {
  text: text('The note; empty if there is none.'),
  by: text('Who wrote it.'),
  at: instant('When they did.'),
  version: integer('Counts the changes, from 1.'),
});
export type ShiftNote = Static<typeof ShiftNote>;

/** `GET /api/desk/alerts`. */
export const DeskAlerts = row(
  'DeskAlerts',
  'The results of all enabled rules that the viewer may see. A rule without an alert in this list does ' +
    'not hold, or watches nothing.',
  {
    evaluates: flag('Whether this Perpdesk evaluates rules. Of several on one database, only one does.'),
    evaluated_at: nullable(instant('When rules were last evaluated; null before the first time.')),
    rules: integer('Number of enabled rules.'),
    rule_states: list(RuleState),
    holidays: optional(
      integer('Number of days in the file that `DESK_HOLIDAYS_FILE` names; absent if holidays are unknown.'),
    ),
    alerts: list(Alert),
    last_fired: list(
      row('LastFired', 'When a rule last fired.', {
        rule_id: text('The rule.'),
        at: instant(
          'When it last fired, whether or not it still does. Only the newest 10,000 changes of alerts are kept.',
        ),
      }),
    ),
    silences: list(Silence),
    failing_channels: optional(list(FailingChannel)),
    shift_note: nullable(ShiftNote),
    may_edit_shift_note: flag(
      'Whether the viewer may read and change the shift note. It may name any account, so only those who may see ' +
        'all orders may.',
    ),
  },
);
export type DeskAlerts = Static<typeof DeskAlerts>;

const PastAlert = row('PastAlert', 'A change of an alert, with its evidence at that moment, or what a person did.', {
  at: instant('When it changed.'),
  ...aboutAlert,
  state: openEnum([...ALERT_STATES, ...ALERT_ACTS], 'The new state, or what a person did.'),
  by: optional(text('Who did it; empty if a silence ended by its time.')),
  note: optional(text('Their note.')),
  channel: optional(text('The channel of the notification whose link led to it.')),
  started_at: startedAt,
  acknowledged: optional(nullable(Acknowledgement)),
  evidence: Evidence,
});
export type PastAlert = Static<typeof PastAlert>;

const { pagination } = pageOf(PastAlert, 'AlertHistoryPage').properties;

/** `GET /api/desk/alerts/history`. */
export const DeskAlertHistory = row(
  'DeskAlertHistory',
  'Changes of alerts, newest first, of rules that the viewer may see as they were then. Only the ' +
    'newest 10,000 are kept.',
  { changes: list(PastAlert), pagination },
);
export type DeskAlertHistory = Static<typeof DeskAlertHistory>;

export const alertHistoryQuery = {
  rule_id: { grammar: codeGrammar, description: 'Only changes of this rule.' },
  limit: { grammar: fundingLimitGrammar, description: 'Changes per page; 100 by default.' },
  cursor,
} as const satisfies Record<string, Parameter>;

const Firing = row('TriedFiring', 'When a rule would have fired.', {
  group: text('The subject, as in alerts; empty if the rule is evaluated for all together.'),
  label: optional(text('For each order: its account, product, side and price.')),
  at: instant('When it would have fired.'),
  resolved_at: nullable(instant('When it would have resolved; null if it still held at the end.')),
  value: nullable(text('Value of the measure as a plain decimal.')),
});

/** The response to testing a rule. */
export const RuleTrial = row('RuleTrial', 'The result of a rule now, and when it would have fired.', {
  sentence: text('The rule as a sentence.'),
  now: list(
    row('TriedGroup', 'The result for one subject.', {
      group: text('The subject, as in alerts; empty if the rule is evaluated for all together.'),
      label: optional(text('For each order: its account, product, side and price.')),
      holds: nullable(flag('Whether the condition holds; null if that is unknown.')),
      value: nullable(text('Value of the measure as a plain decimal.')),
      sentence: text('The result in words.'),
    }),
  ),
  watches: nullable(
    text(
      'What it is evaluated for now, such as `36 accounts`; null if it is evaluated for all together, or ' +
        'if that is unknown.',
    ),
  ),
  watches_nothing: nullable(
    text('Why it watches nothing, so that it cannot fire, such as `no product matches`; otherwise null.'),
  ),
  no_data: nullable(text('Why there is no result now; null if there is one.')),
  outside_hours: optional(text('Why it would not be evaluated now, if that is so.')),
  not_tried: nullable(text('Why it was not tried on the journal; null if it was.')),
  tried_from: nullable(instant('Start of the period it was tried on.')),
  tried_to: nullable(instant('End of the period it was tried on: earlier than now if the trial took too long.')),
  gaps: list(JournalGap),
  firings: list(Firing),
});
export type RuleTrial = Static<typeof RuleTrial>;

const fields = { access: 'signed', waitsForVenue: false, keyFields: [], reuseSeconds: 5 } as const;

/**
 * Endpoints for rules, in the form of `DESK_ENDPOINTS`. The table is separate to keep it out of the first screen's
 * bundle, which does not need it.
 */
export const RULE_ENDPOINTS = {
  rules: { ...fields, path: '/api/desk/rules', query: {}, response: DeskRules, rows: 'rules', keyFields: ['id'] },
  ruleChanges: { ...fields, path: '/api/desk/rules/changes', query: {}, response: DeskRuleChanges, rows: 'changes' },
  alerts: { ...fields, path: '/api/desk/alerts', query: {}, response: DeskAlerts, rows: 'alerts' },
  alertHistory: {
    ...fields,
    path: '/api/desk/alerts/history',
    query: alertHistoryQuery,
    response: DeskAlertHistory,
    rows: 'changes',
  },
  alertEvidence: {
    ...fields,
    path: '/api/desk/alerts/evidence',
    query: alertEvidenceQuery,
    response: AlertEvidence,
    rows: 'orders',
  },
} as const;

const PutRule = row('PutRule', 'A rule to create, or to replace the one with the same ID.', {
  rule: AnyRule,
  before: optional(nullable(AnyRule)),
});
const ImportRules = row(
  'ImportRules',
  'Rules to create, or to replace those with the same IDs: all of them, or none if any has a mistake.',
  { rules: list(AnyRule) },
);
const alerts = list(
  row('AlertOf', 'An alert, by its rule and subject.', {
    rule_id: text('The rule.'),
    group: text('The subject: an account, for example; empty if the rule is evaluated for all together.'),
  }),
);
const AcknowledgeAlerts = row('AcknowledgeAlerts', 'Alerts to acknowledge or to hand over, at most 10,000.', {
  alerts,
  note: text('A note; may be empty.'),
  assignee: optional(text('Who takes care of them; by default the person who acknowledges them.')),
  link: optional(
    text('`acknowledge` of the link of a notification about the alert, if that led to it. There is one alert then.'),
  ),
});
const EndAcknowledgements = row('EndAcknowledgements', 'Alerts whose acknowledgement ends.', { alerts });
const NoteAlerts = row('NoteAlerts', 'Alerts to put a note on.', { alerts, note: text('The note.') });
const SilenceAlerts = row('SilenceAlerts', 'Alerts to silence.', {
  matches: list(SilenceMatch),
  until: instant('When the silence ends, at least a minute from now.'),
  note: text('The reason; may be empty.'),
});
const Silences = row('Silences', 'Silences that were created, one for each match.', { silences: list(Silence) });
const PutShiftNote = row('PutShiftNote', 'A shift note to replace the one before.', {
  text: text('The note; empty to clear it.'),
  before: integer('The version that it replaces; 0 if there is none yet. If there is another, nothing is saved.'),
});
const TryRule = row('TryRule', 'A rule to try.', {
  rule: AnyRule,
  from: optional(instant('Start of the period of the journal to try it on; seven days ago by default.')),
});
const Done = row('RulesDone', 'The result of an action.', {
  count: integer('Number of rules, alerts or silences that were changed.'),
});

const Acknowledged = row('AlertsAcknowledged', 'The result of acknowledging alerts.', {
  count: integer('Number of alerts that were acknowledged.'),
  channel: optional(text('The channel of the notification whose link was given.')),
});

const Saved = row('RulesSaved', 'Rules that were saved.', {
  count: integer('Number of rules that were changed.'),
  ids: list(
    text(
      'ID of each rule. Those who may not see all orders create rules under the ID that they give with an ' +
        'ending of their own.',
    ),
  ),
});

const base = { query: {}, required: [], response: Done, needs: 'operations' } as const;
const idQuery = { id: { grammar: codeGrammar, description: 'Its ID.' } } as const;

/** Actions for rules, in the form of `DESK_ACTIONS`. */
export const RULE_ACTIONS = {
  putRule: {
    ...base,
    summary: 'Creates a rule, or replaces the one with the same ID.',
    method: 'PUT',
    path: '/api/desk/rules',
    body: PutRule,
    response: Saved,
  },
  deleteRule: {
    ...base,
    summary: 'Deletes a rule.',
    method: 'DELETE',
    path: '/api/desk/rules',
    query: idQuery,
    required: ['id'],
    body: null,
  },
  importRules: {
    ...base,
    summary: 'Creates or replaces rules: all of them or none.',
    method: 'POST',
    path: '/api/desk/rules',
    body: ImportRules,
    response: Saved,
  },
  tryRule: {
    ...base,
    summary: 'Evaluates a rule now, and finds when it would have fired.',
    method: 'POST',
    path: '/api/desk/rules/try',
    body: TryRule,
    response: RuleTrial,
  },
  acknowledgeAlerts: {
    ...base,
    summary: 'Acknowledges alerts, or hands them over.',
    method: 'POST',
    path: '/api/desk/alerts/acknowledgements',
    body: AcknowledgeAlerts,
    response: Acknowledged,
  },
  endAcknowledgements: {
    ...base,
    summary: 'Ends the acknowledgement of alerts.',
    method: 'POST',
    path: '/api/desk/alerts/acknowledgements/ends',
    body: EndAcknowledgements,
  },
  noteAlerts: {
    ...base,
    summary: 'Puts a note on alerts.',
    method: 'POST',
    path: '/api/desk/alerts/notes',
    body: NoteAlerts,
  },
  putShiftNote: {
    ...base,
    summary: 'Replaces the shift note.',
    method: 'PUT',
    path: '/api/desk/alerts/shift-note',
    body: PutShiftNote,
    response: ShiftNote,
  },
  silenceAlerts: {
    ...base,
    summary: 'Silences alerts until a time.',
    method: 'POST',
    path: '/api/desk/alerts/silences',
    body: SilenceAlerts,
    response: Silences,
  },
  endSilence: {
    ...base,
    summary: 'Ends a silence.',
    method: 'DELETE',
    path: '/api/desk/alerts/silences',
    query: idQuery,
    required: ['id'],
    body: null,
  },
} as const;
