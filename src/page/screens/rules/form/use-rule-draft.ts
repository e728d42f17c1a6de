import type { Rule } from '#contract/desk/rules.ts';
import { changeField, textOf, toRuleId, type RuleDraft } from './rule-draft.ts';
import { useStoredDraft } from './use-stored-draft.ts';

/** The draft of a form, and the rule that it is to replace. */
export function useRuleDraft(original: RuleDraft, isNew: boolean, rules: readonly Rule[]) {
  const id = textOf(original, 'id');
  // Each suggestion that is adapted has a draft of its own.
  const { draft, outdated, change, ...rest } = useStoredDraft(isNew ? `new ${id}` : id, original);
  const current = isNew ? null : (rules.find((rule) => rule.id === id) ?? null);
  const taken = new Set(rules.map((rule) => rule.id));
  return {
    ...rest,
    draft: isNew ? withFreeId(draft, taken) : draft,
    change,
    /** The id of a new rule follows its name. */
    rename: (name: string): void => {
      const named = changeField(draft, 'name', name);
      change(isNew ? changeField(named, 'id', toRuleId(name, taken)) : named);
    },
    /** As it is stored; null: it is not. */
    current,
    /** What the draft was made of, where the rule has been changed or deleted since; otherwise null. */
    since: isNew ? null : current === null ? original : outdated,
  };
}

/** Of a new rule: another one may have got its id since. */
function withFreeId(draft: RuleDraft, taken: ReadonlySet<string>): RuleDraft {
  return taken.has(textOf(draft, 'id')) ? changeField(draft, 'id', toRuleId(textOf(draft, 'name'), taken)) : draft;
}
