import type { Rule } from '#contract/desk-rules.ts';
import type { AlertBoard } from './alert-board.ts';
import type { LiveAlert } from './alert-events.ts';
import type { StoredSilence } from './rule-store.ts';
import { topicsOf } from './rule-topics.ts';

/** Until when nobody is called for an alert; null: it is not silenced. */
export function findSilence(silences: readonly StoredSilence[], { rule, group }: Pick<LiveAlert, 'rule' | 'group'>, now: number): number | null {
  const matching = silences.filter(({ match, until }) => until > now && isAs(match.rule_id, rule.id) && isAs(match.group, group) && isAs(match.severity, rule.severity));
  return matching.length === 0 ? null : Math.max(...matching.map(({ until }) => until));
}

function isAs(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted === found;
}

/** Rules that hold, also where they do not fire yet: what they explain must not be called first. */
export function listHolding(rules: readonly Rule[], { of }: Pick<AlertBoard, 'of'>): readonly Rule[] {
  return rules.filter(({ id }) => of(id).some(({ state: { status } }) => status === 'firing' || status === 'pending'));
}

/** The rule that explains why another says what it says, or nothing: a blind desk is one call, not forty. */
export function findInhibitor(rule: Rule, holding: readonly Rule[]): Rule | null {
  return holding.find((cause) => cause.id !== rule.id && explains(cause, rule)) ?? null;
}

function explains(cause: Rule, rule: Rule): boolean {
  if (cause.about !== 'desk') return false;
  switch (cause.measure) {
    case 'venue_away':
      return isAboutExchange(rule) && !isAway(rule);
    case 'data_age':
      return topicsOf(rule).some(({ key }) => topicsOf(cause).some((topic) => topic.key === key)) && !isAboutBlindness(rule);
    case 'journal_gap':
      return rule.about === 'activity';
    case 'incomplete':
    case 'drift':
    case 'budget_left':
      return false;
  }
}

function isAway(rule: Rule): boolean {
  return rule.about === 'desk' && rule.measure === 'venue_away';
}

/** Two of these must not silence each other. */
function isAboutBlindness(rule: Rule): boolean {
  return isAway(rule) || (rule.about === 'desk' && rule.measure === 'data_age');
}

function isAboutExchange(rule: Rule): boolean {
  return rule.about !== 'desk' || rule.measure === 'data_age' || rule.measure === 'incomplete' || rule.measure === 'journal_gap';
}
