import type { Rule } from '#contract/desk/rules.ts';
import type { AlertBoard } from './alert-board.ts';
import type { LiveAlert } from './alert-events.ts';
import type { RestoredState, RuleStore } from './rule-store.ts';

/** Puts the stored alerts on the board. One of a rule that has been changed or is off stays with the rule as it was, which the engine then retires. */
export async function restoreAlerts(
  store: Pick<RuleStore, 'states' | 'lastFired'>,
  enabled: readonly Rule[],
  board: Pick<AlertBoard, 'load'>,
): Promise<void> {
  const current = new Map(enabled.map((rule) => [rule.id, rule]));
  const [states, lastFired] = await Promise.all([store.states(), store.lastFired()]);
  board.load(
    states.flatMap((stored) => toAlert(stored, current.get(stored.ruleId))),
    lastFired,
  );
}

function toAlert({ rule: evaluated, group, state }: RestoredState, current: Rule | undefined): readonly LiveAlert[] {
  const rule = evaluated === null || isSameCondition(evaluated, current) ? current : evaluated;
  return rule === undefined ? [] : [{ rule, group, state, reading: null, missing: null }];
}

/** Whether two rules differ at most in what they are called, how much they matter and who is called. */
export function isSameCondition(rule: Rule, other: Rule | undefined): boolean {
  return other !== undefined && conditionOf(rule) === conditionOf(other);
}

function conditionOf(rule: Rule): string {
  return JSON.stringify({ ...rule, name: null, severity: null, channels: null });
}
