import type { Rule, RuleChange } from '#contract/desk/rules.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';
import type { StoredSilence } from './rule-store.ts';

/** Who changes a rule, an alert or a silence. */
export type Author = Pick<Viewer, 'name' | 'person' | 'scope'>;

/**
 * Whether a rule may be seen and changed: its filter confines it to orders that may be seen, or it is not about orders. All
 * that it says, counts and calls for is then about such orders only. Why the working set is incomplete, or what of a response
 * has drifted, is said in words that name orders of anybody.
 */
export function mayUseRule(scope: Scope, rule: Rule): boolean {
  if (scope === 'all') return true;
  if (rule.about === 'desk') return rule.measure !== 'incomplete' && rule.measure !== 'drift';
  if (rule.about !== 'orders' && rule.about !== 'activity') return true;
  const { account_id: account, clearing_member_code: firm, connection_id: connection } = rule.filter;
  return isIn(scope.accounts, account) || isIn(scope.firms, firm) || isIn(scope.connections, connection?.toLowerCase());
}

function isIn(codes: ReadonlySet<string>, code: string | undefined): boolean {
  return code !== undefined && codes.has(code);
}

/** One that names no rule mutes the alerts of others as well. */
export function mayUseSilence(scope: Scope, { match }: Pick<StoredSilence, 'match'>, rules: readonly Rule[]): boolean {
  if (scope === 'all') return true;
  return rules.some((rule) => rule.id === match.rule_id && mayUseRule(scope, rule));
}

export function mayUseChange(scope: Scope, { before, after }: Pick<RuleChange, 'before' | 'after'>): boolean {
  return [before, after].every((rule) => rule === null || mayUseRule(scope, rule));
}

/** What a rule was like at a time; null: it cannot be known. */
export type RuleAt = (ruleId: string, at: number) => Rule | null;

/** `changes`: the newest first. Of the time before the first of those that are kept, nothing is known if earlier ones were dropped. */
export function toRuleHistory(changes: readonly RuleChange[], rules: readonly Rule[], isWhole: boolean): RuleAt {
  const byRule = Map.groupBy(changes, ({ rule_id: id }) => id);
  const knownFrom = isWhole ? -Infinity : Date.parse(changes.at(-1)?.at ?? '');
  return (ruleId, at) => {
    if (!(at >= knownFrom)) return null;
    const own = byRule.get(ruleId) ?? [];
    const last = own.find((change) => Date.parse(change.at) <= at);
    if (last !== undefined) return last.after;
    const first = own.at(-1);
    return first === undefined ? (rules.find(({ id }) => id === ruleId) ?? null) : first.before;
  };
}
