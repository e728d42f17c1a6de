import { JournalGap } from './desk-journal.ts';
import { AnyRule, DeskRuleChanges, DeskRules } from './desk-rules.ts';
import { flag, instant, integer, text } from './fields.ts';
import { Order } from './order.ts';
import { pageOf } from './paging.ts';
import { cursor, type Parameter } from './parameter-sets.ts';
import { codeGrammar, fundingLimitGrammar } from './parameters.ts';
import { ProductData } from './product.ts';
import { SEVERITIES } from './rule-measures.ts';
import { list, nullable, openEnum, optional, row, type Static } from './schema.ts';

/** What rules say now, and what they said. */

/** Not yet long enough; so; not so any more; it cannot be found out, which is never fine. */
export const ALERT_STATES = ['pending', 'firing', 'resolved', 'no data'] as const;
export type AlertStateName = (typeof ALERT_STATES)[number];

const Acknowledgement = row('Acknowledgement', 'Who knows of an alert.', {
  by: text('Who acknowledged it.'),
  at: instant('When.'),
  note: text('What they said about it; may be empty.'),
});

const Evidence = row('Evidence', 'The rows of the moment that an alert is about, as the exchange sent them.', {
  total: integer('How many rows it is about. Only the first of them are kept.'),
  orders: list(Order),
  products: list(ProductData),
});

const startedAt = nullable(
  instant('When it began to fire, or when its data went missing, if that was called first. An alert that loses its data while it fires, and fires again once they are back, keeps this time. Null while it is only pending.'),
);

const aboutAlert = {
  rule_id: text('The rule.'),
  rule_name: text('What it was called.'),
  severity: openEnum(SEVERITIES, 'How much it matters.'),
  group: text('The account, product, firm or connection, if the rule is for each of them; otherwise empty.'),
  value: nullable(text('What the measure was, a plain decimal; null where there is none.')),
  unit: nullable(text('Unit of the value; null where there is none.')),
  sentence: text('What the rule says.'),
};

/** One rule for one group. */
export const Alert = row('Alert', 'What a rule says of one group.', {
  ...aboutAlert,
  state: openEnum(ALERT_STATES, 'Pending: it holds, but not for long enough. Firing: it holds. Resolved: it held, and does not any more. No data: whether it holds cannot be found out.'),
  since: instant('Since when it is in this state.'),
  started_at: startedAt,
  evaluated_at: instant('When it was evaluated last.'),
  acknowledged: nullable(Acknowledgement),
  silenced_until: nullable(instant('Nobody is called until then; null if it is not silenced.')),
  inhibited_by: nullable(text('The rule because of which nobody is called; null if there is none.')),
  flapping: flag('Whether it changed so often that it only resolves once it has not held for a while.'),
  evidence: Evidence,
});
export type Alert = Static<typeof Alert>;

const SilenceMatch = row('SilenceMatch', 'Alerts that match all of these.', {
  rule_id: optional(text('Of this rule.')),
  group: optional(text('Of this account, product, firm or connection.')),
  severity: optional(openEnum(SEVERITIES, 'Of this severity.')),
});

export type SilenceMatch = Static<typeof SilenceMatch>;

export const Silence = row('Silence', 'Nobody is called for what matches, until it ends.', {
  id: text('Names the silence.'),
  match: SilenceMatch,
  until: instant('When it ends.'),
  by: text('Who made it.'),
  at: instant('When.'),
  note: text('Why; may be empty.'),
});
export type Silence = Static<typeof Silence>;

/** `GET /api/desk/alerts`. */
export const DeskAlerts = row('DeskAlerts', 'What all enabled rules say now. A rule that is neither pending, firing, resolved nor without data does not hold.', {
  evaluates: flag('Whether this Perpdesk evaluates rules. Of several on one database, one does.'),
  evaluated_at: nullable(instant('When rules were last evaluated; null before the first time.')),
  rules: integer('How many rules are enabled.'),
  alerts: list(Alert),
  last_fired: list(row('LastFired', 'When a rule fired last.', { rule_id: text('The rule.'), at: instant('When it fired, whether it still does or not. Only the newest ten thousand changes of alerts are kept.') })),
  silences: list(Silence),
});
export type DeskAlerts = Static<typeof DeskAlerts>;

const PastAlert = row('PastAlert', 'A change of an alert, with the evidence of the moment.', {
  at: instant('When it changed.'),
  ...aboutAlert,
  state: openEnum(ALERT_STATES, 'The state that it changed to.'),
  started_at: startedAt,
  acknowledged: optional(nullable(Acknowledgement)),
  evidence: Evidence,
});
export type PastAlert = Static<typeof PastAlert>;

const { pagination } = pageOf(PastAlert, 'AlertHistoryPage').properties;

/** `GET /api/desk/alerts/history`. */
export const DeskAlertHistory = row('DeskAlertHistory', 'Changes of alerts, the newest first. Only the newest ten thousand are kept.', { changes: list(PastAlert), pagination });
export type DeskAlertHistory = Static<typeof DeskAlertHistory>;

export const alertHistoryQuery = {
  rule_id: { grammar: codeGrammar, description: 'Only those of this rule.' },
  limit: { grammar: fundingLimitGrammar, description: 'Changes per page; 100 by default.' },
  cursor,
} as const satisfies Record<string, Parameter>;

const Firing = row('TriedFiring', 'When a rule would have fired.', {
  group: text('The account, product, firm or connection; empty if the rule is for all.'),
  at: instant('When it would have fired.'),
  resolved_at: nullable(instant('When it would have been resolved; null if it still held at the end.')),
  value: nullable(text('What the measure was, a plain decimal.')),
});

/** The response to trying a rule. */
export const RuleTrial = row('RuleTrial', 'What a rule says now, and when it would have fired.', {
  sentence: text('The rule as a sentence.'),
  now: list(row('TriedGroup', 'What it says of one group now.', {
    group: text('The account, product, firm or connection; empty if the rule is for all.'),
    holds: nullable(flag('Whether it holds; null where that cannot be found out.')),
    value: nullable(text('What the measure is, a plain decimal.')),
    sentence: text('The same in words.'),
  })),
  no_data: nullable(text('Why nothing can be said now; null if something can.')),
  not_tried: nullable(text('Why it was not tried on the journal; null if it was.')),
  tried_from: nullable(instant('From when it was tried.')),
  tried_to: nullable(instant('How far it was tried: not to the end where that took too long.')),
  gaps: list(JournalGap),
  firings: list(Firing),
});
export type RuleTrial = Static<typeof RuleTrial>;

const fields = { access: 'signed', waitsForVenue: false, keyFields: [], reuseSeconds: 5 } as const;

/**
 * Endpoints about rules, as those of the desk. A table of its own: the first screen has no room for what no visitor of it
 * needs.
 */
export const RULE_ENDPOINTS = {
  rules: { ...fields, path: '/api/desk/rules', query: {}, response: DeskRules, rows: 'rules', keyFields: ['id'] },
  ruleChanges: { ...fields, path: '/api/desk/rules/changes', query: {}, response: DeskRuleChanges, rows: 'changes' },
  alerts: { ...fields, path: '/api/desk/alerts', query: {}, response: DeskAlerts, rows: 'alerts' },
  alertHistory: { ...fields, path: '/api/desk/alerts/history', query: alertHistoryQuery, response: DeskAlertHistory, rows: 'changes' },
} as const;

const PutRule = row('PutRule', 'A rule to be created, or to replace the one with its id.', {
  rule: AnyRule,
  before: optional(nullable(AnyRule)),
});
const ImportRules = row('ImportRules', 'Rules to be created, or to replace those with their ids: all of them, or none if one has a mistake.', { rules: list(AnyRule) });
const AcknowledgeAlert = row('AcknowledgeAlert', 'An alert that somebody knows of.', {
  rule_id: text('The rule.'),
  group: text('The group; empty if the rule is for all.'),
  note: text('What there is to say about it; may be empty.'),
});
const SilenceAlerts = row('SilenceAlerts', 'Alerts that nobody is to be called for.', {
  match: SilenceMatch,
  until: instant('When the silence ends.'),
  note: text('Why; may be empty.'),
});
const TryRule = row('TryRule', 'A rule to be tried.', { rule: AnyRule, from: optional(instant('From when it is tried on the journal; seven days ago by default.')) });
const Done = row('RulesDone', 'What was done.', { count: integer('How many rules, alerts or silences were changed.') });

const base = { query: {}, required: [], response: Done, needs: 'operations' } as const;
const idQuery = { id: { grammar: codeGrammar, description: 'Its id.' } } as const;

/** Actions about rules, as those of the desk. */
export const RULE_ACTIONS = {
  putRule: { ...base, summary: 'Creates a rule, or replaces the one with its id.', method: 'PUT', path: '/api/desk/rules', body: PutRule },
  deleteRule: { ...base, summary: 'Deletes a rule.', method: 'DELETE', path: '/api/desk/rules', query: idQuery, required: ['id'], body: null },
  importRules: { ...base, summary: 'Creates or replaces rules, all or none.', method: 'POST', path: '/api/desk/rules', body: ImportRules },
  tryRule: { ...base, summary: 'Says what a rule says now, and when it would have fired.', method: 'POST', path: '/api/desk/rules/try', body: TryRule, response: RuleTrial },
  acknowledgeAlert: { ...base, summary: 'Acknowledges an alert.', method: 'POST', path: '/api/desk/alerts/acknowledgements', body: AcknowledgeAlert },
  silenceAlerts: { ...base, summary: 'Silences alerts until a time.', method: 'POST', path: '/api/desk/alerts/silences', body: SilenceAlerts, response: Silence },
  endSilence: { ...base, summary: 'Ends a silence.', method: 'DELETE', path: '/api/desk/alerts/silences', query: idQuery, required: ['id'], body: null },
} as const;
