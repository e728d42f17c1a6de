import { useQuery } from '@tanstack/react-query';
import { useAction, useRulesApi } from '../../../client/react/use-rules-api.ts';
import { checkRule, type Rule } from '#contract/desk/rules.ts';
import { EditConflict } from '../../../kit/edit-conflict.tsx';
import { Link } from '../../../kit/navigation/link.tsx';
import { Timestamp } from '../../../kit/time/timestamp.tsx';
import { ChangeText } from '../history/change-text.tsx';
import styles from './form.module.css';
import { toRuleSentence } from '#model/rules/rule-sentence.ts';
import { asRule, changeField, type RuleDraft, textOf, toRuleId } from './rule-draft.ts';
import { useStoredDraft } from './use-stored-draft.ts';
import { useId, useState } from 'react';
import { useNavigator } from '../../../kit/navigation/navigation.tsx';
import { ProblemError } from '../../../client/errors.ts';
import { ActionError } from '../../../panels/action-error.tsx';
import { describeNothing } from '#model/rules/watched.ts';
import { TextField } from '../../../kit/field.tsx';
import { StatusBadge } from '../../../kit/status-badge.tsx';
import type { CallChoice } from '../shared/use-call-choice.ts';
import { ConditionFields, ConsequenceFields } from './rule-fields.tsx';
import { RuleTrial } from './rule-trial.tsx';
import { SubjectFields } from './subject-fields.tsx';
import { useTrial } from './use-trial.ts';

interface ChangedMeanwhileProps {
  readonly id: string;
  /** The rule that the draft was made of. */
  readonly since: Rule;
  /** Null: it has been deleted. */
  readonly current: Rule | null;
  readonly canSave: boolean;
  readonly overwrite: () => void;
  readonly discard: () => void;
}

/** Who has changed a rule while its form was open, and how. Nothing is lost on either side until the user decides. */
function ChangedMeanwhile({ id, since, current, canSave, overwrite, discard }: ChangedMeanwhileProps) {
  const { queries } = useRulesApi();
  const last = useQuery(queries.ruleChanges()).data?.value.changes.find(({ rule_id: changed }) => changed === id);
  const title = `This rule was ${current === null ? 'deleted' : 'changed'} while you edited it.`;
  return (
    <EditConflict title={title} own="Your changes are not saved; they are kept in this tab.">
      {last !== undefined && (
        <p>
          By {last.by}, <Timestamp at={last.at} />. <Link to="/rules?show=changes">All changes</Link>
        </p>
      )}
      <ChangeText change={{ before: since, after: current }} />
      <div className={styles['actions']}>
        <button type="button" onClick={discard}>
          {current === null ? 'Discard my changes' : 'Discard mine and reload'}
        </button>
        <button type="button" disabled={!canSave} onClick={overwrite}>
          {current === null ? 'Create it again' : 'Overwrite with mine'}
        </button>
      </div>
    </EditConflict>
  );
}

/** A field of several controls is entered at its first one. */
function focusField(slot: string): void {
  const field = document.querySelector<HTMLElement>(`[data-slot="${slot}"]`);
  (field?.querySelector<HTMLElement>('button') ?? field)?.focus();
}

/** The rule as a sentence while it is made. Each part of it that can be changed leads to its field. */
function RuleSentenceLine({ draft }: { readonly draft: RuleDraft }) {
  return (
    <p className={styles['sentence']} data-testid="rule-sentence">
      {toRuleSentence(asRule(draft)).map(({ text, slot }, index) =>
        slot === null ? (
          text
        ) : (
          <button
            key={index}
            type="button"
            onClick={() => {
              focusField(slot);
            }}
          >
            {text}
          </button>
        ),
      )}
    </p>
  );
}

/** The draft of a form, and the rule that it is to replace. */
function useRuleDraft(original: RuleDraft, isNew: boolean, rules: readonly Rule[]) {
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
