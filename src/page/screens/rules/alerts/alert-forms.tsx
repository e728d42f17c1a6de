import { type ReactNode, useId, useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAction } from '#page/client/react/use-rules-api.ts';
import type { Alert } from '#contract/desk/alerts.ts';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import styles from './alerts.module.css';

interface AlertFormProps {
  readonly alert: Pick<Alert, 'rule_id' | 'rule_name' | 'group'>;
  readonly close: () => void;
}

/** Acknowledges an alert, with an optional note. */
export function AcknowledgeForm({ alert: { rule_id: id, group: subject }, close }: AlertFormProps) {
  const { mutate, error, isPending } = useAction('acknowledgeAlert');
  const [note, setNote] = useState('');
  return (
    <InlineForm
      close={close}
      submit={() => {
        mutate({ body: { rule_id: id, group: subject, note: note.trim() } }, { onSuccess: close });
      }}
    >
      <NoteField value={note} onChange={setNote} isFirst />
      <button type="submit" disabled={isPending}>
        Acknowledge
      </button>
      <ActionError error={error} />
    </InlineForm>
  );
}

const SPANS = [
  [1, '1 hour'],
  [4, '4 hours'],
  [24, '1 day'],
  [168, '1 week'],
] as const;

/** Stops notifications of this alert, or of all alerts of its rule, until a time. */
export function SilenceForm({ alert: { rule_id: id, rule_name: name, group: subject }, close }: AlertFormProps) {
  const { mutate, error, isPending } = useAction('silenceAlerts');
  const { now } = useApi();
  const [hours, setHours] = useState('1');
  const [scope, setScope] = useState(subject === '' ? 'rule' : 'group');
  const [note, setNote] = useState('');
  const field = useId();
  const submit = (): void => {
    const until = formatInstant(toEpochNanos(now() + Number(hours) * 3_600_000), 3);
    mutate(
      {
        body: { match: scope === 'rule' ? { rule_id: id } : { rule_id: id, group: subject }, until, note: note.trim() },
      },
      { onSuccess: close },
    );
  };
  return (
    <InlineForm close={close} submit={submit}>
      <label htmlFor={`${field}-for`}>For</label>
      <select
        id={`${field}-for`}
        autoFocus
        value={hours}
        onChange={({ target }) => {
          setHours(target.value);
        }}
      >
        {SPANS.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {subject !== '' && (
        <>
          <label htmlFor={`${field}-what`}>Silence</label>
          <select
            id={`${field}-what`}
            value={scope}
            onChange={({ target }) => {
              setScope(target.value);
            }}
          >
            <option value="group">only {subject}</option>
            <option value="rule">all of {name}</option>
          </select>
        </>
      )}
      <NoteField value={note} onChange={setNote} />
      <button type="submit" disabled={isPending}>
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
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A row of fields below the alert that they are about. Esc closes it. */
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
        // Otherwise, Esc would close the popover around the form too.
        event.stopPropagation();
        close();
      }}
    >
      {children}
      <button type="button" onClick={close}>
        Cancel
      </button>
    </form>
  );
}
