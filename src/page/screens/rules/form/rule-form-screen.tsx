import { useQuery } from '@tanstack/react-query';
import { useAction, useRulesApi } from '#page/client/react/use-rules-api.ts';
import { checkRule, type Rule } from '#contract/desk/rules.ts';
import { EditConflict } from '#page/kit/edit-conflict.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { Link, useAddress, useNavigator } from '#page/kit/navigation.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ChangeText } from '../change-text.tsx';
import styles from './form.module.css';
import { toRuleSentence } from '#model/rules/rule-sentence.ts';
import {
  asRule,
  changeField,
  createDraft,
  createPriceDraft,
  findDraftOrigin,
  type RuleDraft,
  textOf,
  toRuleId,
  useStoredDraft,
} from './rule-draft.ts';
import { useId, useState } from 'react';
import { ProblemError } from '#page/client/errors.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { describeNothing } from '#model/rules/alert-summary.ts';
import { TextField } from '#page/kit/field.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type ChannelsToNotify, useChannelsToNotify } from './use-channels-to-notify.ts';
import { AlertPreferences } from '#page/panels/alert-preferences.tsx';
import { LaterNotificationFields } from './notification-fields.tsx';
import { ConditionFields, ConsequenceFields } from './rule-fields.tsx';
import { RuleTrial, useTrial } from './rule-trial.tsx';
import { TimingFields, useKnownHolidays } from './timing-fields.tsx';
import { SubjectFields } from './subject-fields.tsx';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';

interface ChangedMeanwhileProps {
  readonly id: string;
  /** The rule from which the draft started. */
  readonly since: Rule;
  /** The stored rule; null if it was deleted. */
  readonly current: Rule | null;
  readonly canSave: boolean;
  readonly overwrite: () => void;
  readonly discard: () => void;
}

/** Shows who changed the rule while its form was open, and how. Both versions are kept until the user decides. */
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

/** Moves the focus to a field, or to its first control if it has several. */
function focusField(slot: string): void {
  const field = document.querySelector<HTMLElement>(`[data-slot="${slot}"]`);
  field?.closest('details')?.setAttribute('open', '');
  (field?.querySelector<HTMLElement>('button') ?? field)?.focus();
}

/** Writes the draft as a sentence. Each part that can be changed leads to its field. */
function RuleSentenceLine({ draft }: { readonly draft: RuleDraft }) {
  const areHolidaysKnown = useKnownHolidays() !== null;
  return (
    <p className={styles['sentence']} data-testid="rule-sentence">
      {toRuleSentence(asRule(draft), areHolidaysKnown).map(({ text, slot }, index) =>
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

/** Keeps the draft of the form together with the rule that it will replace. */
function useRuleDraft(original: RuleDraft, isNew: boolean, rules: readonly Rule[]) {
  const id = textOf(original, 'id');
  // Each adapted suggestion has a draft of its own.
  const { draft, outdated, change, ...rest } = useStoredDraft(isNew ? `new ${id}` : id, original);
  const current = isNew ? null : (rules.find((rule) => rule.id === id) ?? null);
  const taken = new Set(rules.map((rule) => rule.id));
  return {
    ...rest,
    draft: isNew ? withFreeId(draft, taken) : draft,
    change,
    /** Renames the rule. A new rule’s id follows its name. */
    rename: (name: string): void => {
      const named = changeField(draft, 'name', name);
      change(isNew ? changeField(named, 'id', toRuleId(name, taken)) : named);
    },
    /** The stored rule; null if it is not stored. */
    current,
    /** The version from which the draft started, if the rule was changed or deleted since; otherwise null. */
    since: isNew ? null : current === null ? original : outdated,
  };
}

/** Changes the id of a new rule if another rule has taken it meanwhile. */
function withFreeId(draft: RuleDraft, taken: ReadonlySet<string>): RuleDraft {
  return taken.has(textOf(draft, 'id')) ? changeField(draft, 'id', toRuleId(textOf(draft, 'name'), taken)) : draft;
}

interface RuleFormProps {
  readonly original: RuleDraft;
  /** The rule is not stored yet, so its id follows its name. */
  readonly isNew: boolean;
  readonly rules: readonly Rule[];
  readonly calls: ChannelsToNotify;
  /** Where the form leads when it is done. */
  readonly back: string;
}

export function RuleForm({ original, isNew, rules, calls, back }: RuleFormProps) {
  const { draft, isChanged, current, since, change, rename, discard } = useRuleDraft(original, isNew, rules);
  const navigator = useNavigator();
  const announce = useAnnounce();
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
    navigator.go(back);
  };
  const save = (): void => {
    if (rule === null) return;
    const onSuccess = (): void => {
      close();
      announce(`Rule saved: ${rule.name}.`);
    };
    mutate({ body: { rule, before: current } }, { onSuccess });
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
            // Another person’s change is only overwritten on purpose.
            if (since === null) save();
          }}
        >
          <ConditionFields draft={draft} change={change} mistakeOf={mistakeOf} />
          <TimingFields draft={draft} change={change} mistakeOf={mistakeOf} />
          <SubjectFields draft={draft} change={change} mistakeOf={mistakeOf} />
          <ConsequenceFields draft={draft} change={change} mistakeOf={mistakeOf} calls={calls} />
          <LaterNotificationFields draft={draft} change={change} mistakeOf={mistakeOf} calls={calls} />
          <fieldset className={styles['group']}>
            <legend>This browser, for alerts of all rules</legend>
            <AlertPreferences />
          </fieldset>
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

/**
 * Tracks whether the user accepts that the rule matches nothing. `nothing` is the reason, or null if it matches
 * something.
 */
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

/** Asks whether to save a rule that matches nothing. It never fires now, but what it is about may be listed later. */
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

/** Completes the draft with a name and id, because a rule can be tested before it has any. */
function nameless(draft: RuleDraft): Rule | null {
  return checkRule({ ...draft, id: 'a-trial', name: 'A trial' }).rule;
}

function describeMistake(draft: RuleDraft, field: string, detail: string | undefined): string | undefined {
  // A field that has not been filled in yet is not a mistake.
  if (detail === undefined || (field === 'name' && draft['name'] === '')) return undefined;
  if (draft[field] === null) return 'Enter a number.';
  if (draft[field] === '') return undefined;
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
}

const ALL_RULES = '/rules?show=rules';

/** The chart that proposed the rule; no other address is followed. */
const CHART = /^\/price\/[^/\\]/;

interface RuleFormScreenProps {
  /** Without an id, the form is for a new rule. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Creates or edits a rule at an address of its own. */
export function RuleFormScreen({ parameters: { rule_id: id } }: RuleFormScreenProps) {
  const { queries } = useRulesApi();
  const query = useQuery(queries.rules());
  const calls = useChannelsToNotify();
  const { query: address } = useAddress();
  const from = address.get('from') ?? '';
  const product = address.get('product') ?? '';
  const back = address.get('back') ?? '';
  const chart = CHART.test(back) ? back : null;
  return (
    <>
      <Toolbar title={id === undefined ? 'New rule' : 'Rule'}>
        {chart !== null && <Link to={chart}>Back to the chart</Link>}
        <Link to={ALL_RULES}>All rules</Link>
      </Toolbar>
      <ErrorBoundary level={3} of={id}>
        <PanelBody query={query}>
          {({ value: { rules } }) => {
            // The draft of a rule that was deleted meanwhile can be saved as a new rule.
            const original =
              id === undefined
                ? product === ''
                  ? toNew(from)
                  : createPriceDraft(product, address.get('price') ?? '')
                : (toDraft(rules.find((rule) => rule.id === id)) ?? findDraftOrigin(id) ?? undefined);
            if (original === undefined) return <NoSuchRule id={id ?? ''} />;
            return (
              <RuleForm
                key={`${id ?? ''} ${from} ${product}`}
                original={original}
                isNew={id === undefined}
                rules={rules}
                calls={calls}
                back={chart ?? ALL_RULES}
              />
            );
          }}
        </PanelBody>
      </ErrorBoundary>
    </>
  );
}

/** Starts from a suggestion to adapt, or from scratch. */
function toNew(from: string): RuleDraft {
  const suggestion = toDraft(RULE_SUGGESTIONS.find(({ id }) => id === from));
  return suggestion === undefined ? createDraft() : { ...suggestion, enabled: true };
}

function toDraft(rule: Rule | undefined): RuleDraft | undefined {
  return rule === undefined ? undefined : { ...rule };
}

function NoSuchRule({ id }: { readonly id: string }) {
  return (
    <EmptyState title={`No rule “${id}”`} level={3}>
      <p>
        It may have been deleted: <Link to="/rules?show=changes">see the changes</Link>.
      </p>
    </EmptyState>
  );
}
