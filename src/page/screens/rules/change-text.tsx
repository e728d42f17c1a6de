import type { DeskRuleChanges, Rule } from '#contract/desk/rules.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import styles from './rules.module.css';

type Change = DeskRuleChanges['changes'][number];

/** Describes a change of a rule in a word, and the rule as a sentence. */
export function ChangeText({ change: { before, after } }: { readonly change: Pick<Change, 'before' | 'after'> }) {
  const [name, rule] =
    after === null
      ? (['Deleted', before] as const)
      : ([before === null ? 'Created' : nameChange(before, after), after] as const);
  const isReworded = before !== null && after !== null && describeRule(before) !== describeRule(after);
  return (
    <div className={styles['rule']}>
      <b>{name}</b>
      {isReworded && <del>{describeRule(before)}</del>}
      {rule !== null && <span>{describeRule(rule)}</span>}
    </div>
  );
}

function nameChange(before: Rule, after: Rule): string {
  if (before.enabled !== after.enabled) return after.enabled ? 'Turned on' : 'Turned off';
  return before.name === after.name ? 'Changed' : `Renamed from ${before.name}`;
}
