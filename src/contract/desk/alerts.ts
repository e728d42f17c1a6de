import { JournalGap } from './journal.ts';
import { AnyRule, DeskRuleChanges, DeskRules } from './rules.ts';
import { flag, instant, integer, text } from '../exchange/fields.ts';
import { Order } from '../exchange/order.ts';
import { pageOf } from '../exchange/paging.ts';
import { codeGrammar, cursor, fundingLimitGrammar, type Parameter } from '../exchange/parameters.ts';
import { ProductData } from '../exchange/product.ts';
import { SEVERITIES } from './rule-measures.ts';
import { list, nullable, openEnum, optional, row, type Static } from '../exchange/schema.ts';

/** Current and past alerts of rules. */

/**
 * pending: the condition holds, but not for long enough yet. firing: it has held for long enough. resolved: it no
 * longer holds. no data: the rule cannot be evaluated, which is never fine. data again: it can be evaluated again.
 * ended: the rule was deleted, disabled or changed.
 */
export const ALERT_STATES = ['pending', 'firing', 'resolved', 'no data', 'data again', 'ended'] as const;
export type AlertStateName = (typeof ALERT_STATES)[number];

const Acknowledgement = row('Acknowledgement', 'An acknowledgement of an alert.', {
  by: text('Who acknowledged it.'),
  at: instant('When they did.'),
  note: text('Their note; may be empty.'),
});

const Evidence = row('Evidence', 'The rows that an alert was about at that moment, as the exchange sent them.', {
  total: integer('Number of rows. Only the first of them are kept.'),
  orders: list(Order),
  products: list(ProductData),
});

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
  group: text('The account, product, firm or connection, if the rule is evaluated for each of them; otherwise empty.'),
  value: nullable(text('Value of the measure as a plain decimal; null if there is none.')),
  unit: nullable(text('Unit of the value; null if there is none.')),
  sentence: text('The result in words.'),
};

/** The state of one rule for one subject. */
export const Alert = row('Alert', 'The state of a rule for one subject.', {
  ...aboutAlert,
  state: openEnum(
    ALERT_STATES,
    'pending: the condition holds, but not for long enough yet. firing: it has held for long enough. ' +
      'resolved: it fired, and no longer holds. no data: whether it holds is unknown. data again: that is ' +
      'known again, and it did not fire before. Only the history has a last one. ended: the rule was ' +
      'changed, turned off or deleted while it fired or had no data.',
  ),
  since: instant('When it entered this state.'),
  started_at: startedAt,
  evaluated_at: instant('When it was last evaluated.'),
  acknowledged: nullable(Acknowledgement),
  silenced_until: nullable(instant('No notifications are sent until then; null if it is not silenced.')),
  inhibited_by: nullable(text('The rule that suppresses its notifications; null if there is none.')),
  inhibited_because: nullable(text('What that rule is about, in a few words, such as `exchange unreachable`.')),
  flapping: flag('Whether it changed so often that it resolves only once the condition has not held for ten minutes.'),
  evidence: Evidence,
});
export type Alert = Static<typeof Alert>;

const SilenceMatch = row('SilenceMatch', 'The alerts that match all of these fields.', {
  rule_id: optional(text('Alerts of this rule.')),
  group: optional(text('Alerts of this account, product, firm or connection.')),
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

export const RULE_STATES = ['ok', 'pending', 'firing', 'no data', 'watches nothing', 'unknown'] as const;

const RuleState = row('RuleState', 'What an enabled rule says now, of all its subjects together.', {
  rule_id: text('The rule.'),
  state: openEnum(
    RULE_STATES,
    'The worst of its subjects. ok: none of them holds. watches nothing: there is no order or product ' +
      'that it could be about, so it cannot fire. unknown: it has not been evaluated yet.',
  ),
  watches: nullable(
    text(
      'What it is evaluated for, such as `36 accounts`; null if it is evaluated for all together, or if ' +
        'that is unknown.',
    ),
  ),
  reason: nullable(text('Why it watches nothing, such as `no product matches`; otherwise null.')),
});
export type RuleState = Static<typeof RuleState>;

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
  },
);
export type DeskAlerts = Static<typeof DeskAlerts>;

const PastAlert = row('PastAlert', 'A change of an alert, with its evidence at that moment.', {
  at: instant('When it changed.'),
  ...aboutAlert,
  state: openEnum(ALERT_STATES, 'The new state.'),
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
  group: text('The account, product, firm or connection; empty if the rule is evaluated for all together.'),
  at: instant('When it would have fired.'),
  resolved_at: nullable(instant('When it would have resolved; null if it still held at the end.')),
  value: nullable(text('Value of the measure as a plain decimal.')),
});

/** The response to testing a rule. */
export const RuleTrial = row('RuleTrial', 'The result of a rule now, and when it would have fired.', {
  sentence: text('The rule as a sentence.'),
  now: list(
    row('TriedGroup', 'The result for one subject.', {
      group: text('The account, product, firm or connection; empty if the rule is evaluated for all together.'),
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
const AcknowledgeAlert = row('AcknowledgeAlert', 'An alert to acknowledge.', {
  rule_id: text('The rule.'),
  group: text('The subject: an account, for example; empty if the rule is evaluated for all together.'),
  note: text('A note; may be empty.'),
});
const SilenceAlerts = row('SilenceAlerts', 'Alerts to silence.', {
  match: SilenceMatch,
  until: instant('When the silence ends.'),
  note: text('The reason; may be empty.'),
});
const TryRule = row('TryRule', 'A rule to try.', {
  rule: AnyRule,
  from: optional(instant('Start of the period of the journal to try it on; seven days ago by default.')),
});
const Done = row('RulesDone', 'The result of an action.', {
  count: integer('Number of rules, alerts or silences that were changed.'),
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
  },
  tryRule: {
    ...base,
    summary: 'Evaluates a rule now, and finds when it would have fired.',
    method: 'POST',
    path: '/api/desk/rules/try',
    body: TryRule,
    response: RuleTrial,
  },
  acknowledgeAlert: {
    ...base,
    summary: 'Acknowledges an alert.',
    method: 'POST',
    path: '/api/desk/alerts/acknowledgements',
    body: AcknowledgeAlert,
  },
  silenceAlerts: {
    ...base,
    summary: 'Silences alerts until a time.',
    method: 'POST',
    path: '/api/desk/alerts/silences',
    body: SilenceAlerts,
    response: Silence,
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
