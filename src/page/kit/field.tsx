import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

export interface FieldProps {
  readonly label: string;
  /** The mistake in what was entered, if there is one. */
  readonly mistake?: string | undefined;
  readonly hint?: ReactNode;
  /** The part of a sentence that leads to this field. */
  readonly slot?: string;
}

interface FieldFrameProps extends FieldProps {
  readonly children: (control: {
    readonly 'id': string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
    readonly 'data-slot': string | undefined;
  }) => ReactNode;
}

/** A control with its label, and with its mistake or else its hint. */
export function Field({ label, mistake, hint, slot, children }: FieldFrameProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = mistake !== undefined || hint !== undefined;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <div className={styles['control']}>
        {children({
          id,
          'aria-invalid': mistake !== undefined,
          'aria-describedby': hasNote ? noteId : undefined,
          'data-slot': slot,
        })}
      </div>
      {hasNote && (
        <p id={noteId} className={styles['hint']} data-mistake={mistake !== undefined}>
          {mistake ?? hint}
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isCode?: boolean;
  /** Id of a list of proposals. */
  readonly list?: string | undefined;
}

export function TextField({ value, onChange, isCode = false, list, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="text"
          className={isCode ? styles['code'] : undefined}
          list={list}
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
          }}
        />
      )}
    </Field>
  );
}

interface ChoiceFieldProps extends FieldProps {
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

export function ChoiceField({ value, choices, onChange, ...field }: ChoiceFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
          }}
        >
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
