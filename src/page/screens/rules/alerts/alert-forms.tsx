import { type ReactNode, useId, useState } from 'react';
import { useAccess, useApi } from '#page/client/react/use-api.tsx';
import { useAction } from '#page/client/react/use-rules-api.ts';
import type { Alert } from '#contract/desk/alerts.ts';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { formatCount } from '#model/format/count.ts';
import { ZONE_NAMES } from '#model/format/format-time.ts';
import { toMatches } from '#model/rules/alert-tabs.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { findNextTime } from './until.ts';
import styles from './alerts.module.css';

export type AlertOf = Pick<Alert, 'rule_id' | 'rule_name' | 'group' | 'label'>;

interface AlertFormProps {
  readonly alerts: readonly AlertOf[];
  /** Called when the form is left; `isDone` if the alerts were changed. */
  readonly close: (isDone: boolean) => void;
}

const toNames = (alerts: readonly AlertOf[]) =>
  alerts.map(({ rule_id: ruleId, group: subject }) => ({ rule_id: ruleId, group: subject }));

/** `29 alerts`, or the subject of one. */
function nameAlerts(alerts: readonly AlertOf[]): string {
  const [first] = alerts;
  if (alerts.length !== 1 || first === undefined) return `${formatCount(alerts.length)} alerts`;
  return first.group === '' ? first.rule_name : (first.label ?? first.group);
}

interface AcknowledgeFormProps extends AlertFormProps {
  /** Names of people that are proposed. */
  readonly people?: readonly string[];
  /** The link of a notification that led to the form. */
  readonly link?: string;
}

/** Acknowledges alerts, or hands them over to another person. */
export function AcknowledgeForm({ alerts, people = [], link = '', close }: AcknowledgeFormProps) {
  const { mutate, error, isPending } = useAction('acknowledgeAlerts');
  const [note, setNote] = useState('');
  const [assignee, setAssignee] = useState('');
  const me = useAccess()?.me?.name ?? null;
  const list = useId();
  return (
    <InlineForm
      close={close}
      submit={() => {
        const named = assignee.trim();
        const optional = { ...(named !== '' && { assignee: named }), ...(link !== '' && { link }) };
        mutate(
          { body: { alerts: toNames(alerts), note: note.trim(), ...optional } },
          {
            onSuccess: () => {
              close(true);
            },
          },
        );
      }}
    >
      <NoteField value={note} onChange={setNote} isFirst />
      <label className={styles['personField']}>
        For
        <input
          type="text"
          maxLength={100}
          list={list}
          placeholder={me ?? 'me'}
          value={assignee}
          onChange={({ target }) => {
            setAssignee(target.value);
          }}
        />
      </label>
      <datalist id={list}>
        {people.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" disabled={isPending}>
        Acknowledge {nameAlerts(alerts)}
      </button>
      <ActionError error={error} />
    </InlineForm>
  );
}

/** Puts a note on alerts. */
export function NoteForm({ alerts, close }: AlertFormProps) {
  const { mutate, error, isPending } = useAction('noteAlerts');
  const [note, setNote] = useState('');
  return (
    <InlineForm
      close={close}
      submit={() => {
        mutate(
          { body: { alerts: toNames(alerts), note: note.trim() } },
          {
            onSuccess: () => {
              close(true);
            },
          },
        );
      }}
    >
      <NoteField value={note} onChange={setNote} isFirst />
      <button type="submit" disabled={isPending || note.trim() === ''}>
        Add note
      </button>
      <ActionError error={error} />
    </InlineForm>
  );
}

const MINUTE_MS = 60_000;
const UNTIL = 'until';

/** How long a silence can last, in minutes. */
const SPANS = [
  ['5', '5 min'],
  ['15', '15 min'],
  ['60', '1 hour'],
  ['240', '4 hours'],
  ['1440', '1 day'],
  ['10080', '1 week'],
  [UNTIL, 'until …'],
] as const;

/** Stops notifications of these alerts, or of all alerts of their rule, until a time. */
export function SilenceForm({ alerts, close }: AlertFormProps) {
  const { mutate, error, isPending } = useAction('silenceAlerts');
  const { now } = useApi();
  const [zone] = useZone();
  const [minutes, setMinutes] = useState('60');
  const [clock, setClock] = useState('');
  const [scope, setScope] = useState<'these' | 'rule'>('these');
  const [note, setNote] = useState('');
  const field = useId();
  const rules = new Set(alerts.map(({ rule_id: id }) => id));
  const isUntil = minutes === UNTIL;
  const at = isUntil ? findNextTime(clock, now(), zone) : now() + Number(minutes) * MINUTE_MS;
  const submit = (): void => {
    if (at === null) return;
    const matches = scope === 'rule' ? [...rules].map((id) => ({ rule_id: id })) : toMatches(alerts);
    mutate(
      { body: { matches, until: formatInstant(toEpochNanos(at), 3), note: note.trim() } },
      {
        onSuccess: () => {
          close(true);
        },
      },
    );
  };
  return (
    <InlineForm close={close} submit={submit}>
      <label htmlFor={`${field}-for`}>For</label>
      <select
        id={`${field}-for`}
        autoFocus
        value={minutes}
        onChange={({ target }) => {
          setMinutes(target.value);
        }}
      >
        {SPANS.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {isUntil && (
        <label className={styles['clockField']}>
          Until
          <input
            type="text"
            autoFocus
            placeholder="14:30"
            aria-invalid={clock !== '' && at === null}
            value={clock}
            onChange={({ target }) => {
              setClock(target.value);
            }}
          />
          {ZONE_NAMES[zone]}
        </label>
      )}
      <label htmlFor={`${field}-what`}>Silence</label>
      <select
        id={`${field}-what`}
        value={scope}
        onChange={({ target }) => {
          setScope(target.value === 'rule' ? 'rule' : 'these');
        }}
      >
        <option value="these">only {nameAlerts(alerts)}</option>
        <option value="rule">
          all of {rules.size === 1 ? (alerts[0]?.rule_name ?? '') : `${formatCount(rules.size)} rules`}
        </option>
      </select>
      <NoteField value={note} onChange={setNote} />
      <button type="submit" disabled={isPending || at === null}>
        Silence
      </button>
      <ActionError error={error} />
    </InlineForm>
  );
}

interface NoteFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isFirst?: boolean;
}

function NoteField({ value, onChange, isFirst = false }: NoteFieldProps) {
  return (
    <label className={styles['noteField']}>
      Note
      <input
        type="text"
        autoFocus={isFirst}
        maxLength={500}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      />
    </label>
  );
}

interface InlineFormProps {
  readonly submit: () => void;
  readonly close: (isDone: boolean) => void;
  readonly children: ReactNode;
}

/** A row of fields beside what they are about. Esc closes it. */
function InlineForm({ submit, close, children }: InlineFormProps) {
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Otherwise, Esc would close the popover or the drawer around the form too.
        event.stopPropagation();
        close(false);
      }}
    >
      {children}
      <button
        type="button"
        onClick={() => {
          close(false);
        }}
      >
        Cancel
      </button>
    </form>
  );
}
