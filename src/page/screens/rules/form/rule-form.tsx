import { useId, useState } from 'react';
import { useAction } from '#page/client/react/use-rules-api.ts';
import { checkRule, type Rule } from '#contract/desk/rules.ts';
import { useNavigator } from '#page/kit/navigation/navigation.tsx';
import { ProblemError } from '#page/client/errors.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { describeNothing } from '#model/rules/watched.ts';
import { TextField } from '#page/kit/field.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import type { CallChoice } from '../shared/use-call-choice.ts';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import { asRule, changeField, textOf, type RuleDraft } from './rule-draft.ts';
import { ConditionFields, ConsequenceFields } from './rule-fields.tsx';
import { RuleSentenceLine } from './rule-sentence-line.tsx';
import { RuleTrial } from './rule-trial.tsx';
import { SubjectFields } from './subject-fields.tsx';
import { useRuleDraft } from './use-rule-draft.ts';
import { useTrial } from './use-trial.ts';
import styles from './form.module.css';

interface RuleFormProps {
  readonly original: RuleDraft;
  /** It is not in the store yet, so its id follows its name. */
  readonly isNew: boolean;
  readonly rules: readonly Rule[];
  readonly calls: CallChoice;
}

export function RuleForm({ original, isNew, rules, calls }: RuleFormProps) {
  const { draft, isChanged, current, since, change, rename, discard } = useRuleDraft(original, isNew, rules);
  const navigator = useNavigator();
  const { mutate, error, isPending } = useAction('putRule');
  const { rule, mistakes } = checkRule(draft);
  const found = new Map((mistakes ?? []).map(({ path, detail }) => [path, detail]));
  const mistakeOf = (field: string): string | undefined => describeMistake(draft, field, found.get(`$.${field}`));
  const tried = rule ?? nameless(draft);
  const trial = useTrial(tried);
  const unmatched = useUnmatched(tried === null ? null : (trial.data?.watches_nothing ?? null));
  const canSave = rule !== null && !isPending && unmatched.isAccepted;
  const enabled = useId();
  const close = (): void => {
    discard();
    navigator.go('/rules?show=rules');
  };
  const save = (): void => {
    if (rule !== null) mutate({ body: { rule, before: current } }, { onSuccess: close });
  };
  return (
    <div className={styles['page']}>
      <RuleSentenceLine draft={draft} />
      <div className={styles['columns']}>
        <form
          className={styles['form']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // What somebody else has changed is only replaced on purpose.
            if (since === null) save();
          }}
        >
          <ConditionFields draft={draft} change={change} mistakeOf={mistakeOf} />
          <SubjectFields draft={draft} change={change} mistakeOf={mistakeOf} />
          <ConsequenceFields draft={draft} change={change} mistakeOf={mistakeOf} calls={calls} />
          <fieldset className={styles['group']}>
            <legend>Rule</legend>
            <TextField
              label="Name"
              value={textOf(draft, 'name')}
              onChange={rename}
              mistake={mistakeOf('name')}
              hint={draft['id'] === '' ? undefined : `ID ${textOf(draft, 'id')}`}
            />
            <div className={styles['checks']}>
              <label htmlFor={enabled}>
                <input
                  id={enabled}
                  type="checkbox"
                  checked={draft['enabled'] === true}
                  onChange={({ target }) => {
                    change(changeField(draft, 'enabled', target.checked));
                  }}
                />
                On
              </label>
            </div>
          </fieldset>
          <Unmatched {...unmatched} />
          {since === null ? (
            <SaveActions isNew={isNew} isChanged={isChanged} canSave={canSave} discard={discard} />
          ) : (
            <ChangedMeanwhile
              id={textOf(draft, 'id')}
              since={asRule(since)}
              current={current}
              canSave={canSave}
              overwrite={save}
              discard={current === null ? close : discard}
            />
          )}
          <ActionError error={since !== null && isConflict(error) ? null : error} />
        </form>
        <RuleTrial rule={tried} query={trial} />
      </div>
    </div>
  );
}

/** `nothing`: why the rule is about nothing; null: it is about something. */
function useUnmatched(nothing: string | null) {
  const [accepted, setAccepted] = useState<string | null>(null);
  return {
    nothing,
    isAccepted: nothing === null || nothing === accepted,
    accept: (isAccepted: boolean): void => {
      setAccepted(isAccepted ? nothing : null);
    },
  };
}

/** A rule about nothing never fires. What it is about may be listed later, so it can be saved on purpose. */
function Unmatched({ nothing, isAccepted, accept }: ReturnType<typeof useUnmatched>) {
  if (nothing === null) return null;
  return (
    <div className={styles['unmatched']} role="group" aria-label="Watches nothing">
      <StatusBadge state="attention">{describeNothing(nothing)}</StatusBadge>
      <label>
        <input
          type="checkbox"
          checked={isAccepted}
          onChange={({ target }) => {
            accept(target.checked);
          }}
        />
        Save it all the same
      </label>
    </div>
  );
}

interface SaveActionsProps {
  readonly isNew: boolean;
  readonly isChanged: boolean;
  readonly canSave: boolean;
  readonly discard: () => void;
}

function SaveActions({ isNew, isChanged, canSave, discard }: SaveActionsProps) {
  return (
    <p className={styles['actions']}>
      <button type="submit" className={styles['primary']} disabled={!canSave || (!isNew && !isChanged)}>
        {isNew ? 'Create rule' : 'Save rule'}
      </button>
      {isChanged && (
        <>
          <button type="button" onClick={discard}>
            Discard changes
          </button>
          <span className={styles['hint']}>Unsaved changes are kept in this tab.</span>
        </>
      )}
    </p>
  );
}

function isConflict(error: Error | null): boolean {
  return error instanceof ProblemError && error.type === 'changed-meanwhile';
}

/** A rule can be tried before it has a name. */
function nameless(draft: RuleDraft): Rule | null {
  return checkRule({ ...draft, id: 'a-trial', name: 'A trial' }).rule;
}

function describeMistake(draft: RuleDraft, field: string, detail: string | undefined): string | undefined {
  // Nothing is wrong with what nobody has filled in yet.
  if (detail === undefined || (field === 'name' && draft['name'] === '')) return undefined;
  if (draft[field] === null) return 'Enter a number.';
  if (draft[field] === '') return undefined;
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
}
