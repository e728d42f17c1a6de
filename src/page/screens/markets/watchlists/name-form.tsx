import { useId, useState } from 'react';
import type { Ref } from 'react';
import hidden from '#page/kit/hidden.module.css';
import { LONGEST_NAME } from './edit-watchlists.ts';
import styles from './watchlists.module.css';

interface NameFormProps {
  readonly label: string;
  readonly labelHidden?: boolean;
  /** Text of the button. */
  readonly action: string;
  readonly initial?: string;
  /** Why a name cannot be saved, or null. */
  readonly whyNot: (name: string) => string | null;
  readonly save: (name: string) => void;
  /** Absent: the form is always there. */
  readonly cancel?: () => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A field for the name of a watchlist; a refused name stays in the field, with the reason below it. */
export function NameForm({
  label,
  labelHidden = false,
  action,
  initial = '',
  whyNot,
  save,
  cancel,
  ref,
}: NameFormProps) {
  const id = useId();
  const [name, setName] = useState(initial);
  const [reason, setReason] = useState<string | null>(null);
  const submit = (): void => {
    const refused = whyNot(name);
    setReason(refused);
    if (refused === null) save(name);
  };
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id} className={labelHidden ? hidden['hidden'] : undefined}>
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        type="text"
        autoComplete="off"
        autoFocus={cancel !== undefined}
        maxLength={LONGEST_NAME}
        value={name}
        aria-invalid={reason !== null}
        aria-describedby={reason === null ? undefined : `${id}-reason`}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
        onChange={({ target }) => {
          setName(target.value);
          setReason(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || cancel === undefined || event.nativeEvent.isComposing) return;
          // The dialog would close.
          event.stopPropagation();
          cancel();
        }}
      />
      <button type="submit">{action}</button>
      {cancel !== undefined && (
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      )}
      {reason !== null && (
        <p id={`${id}-reason`} className={styles['reason']} role="alert">
          {reason}
        </p>
      )}
    </form>
  );
}
