import { type KeyboardEvent, type Ref, useState } from 'react';
import { Field } from '#page/kit/field.tsx';

/** The server counts characters too, not bytes. */
const LEAST_LENGTH = 12;

interface NewPassword {
  readonly password: string;
  readonly again: string;
}

export const NO_PASSWORD: NewPassword = { password: '', again: '' };

/** Returns what is wrong with the new password; undefined if nothing is. */
export function findMistake({ password, again }: NewPassword): string | undefined {
  const missing = LEAST_LENGTH - Array.from(password).length;
  if (missing > 0) return `${String(missing)} more ${missing === 1 ? 'character' : 'characters'} needed.`;
  return password === again ? undefined : 'The passwords do not match.';
}

interface NewPasswordFieldsProps {
  readonly value: NewPassword;
  readonly onChange: (value: NewPassword) => void;
  readonly autoFocus?: boolean;
}

/** Lets the user enter a new password twice. */
export function NewPasswordFields({ value, onChange, autoFocus = false }: NewPasswordFieldsProps) {
  const mistake = findMistake(value);
  const isShort = Array.from(value.password).length < LEAST_LENGTH;
  return (
    <>
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        autoFocus={autoFocus}
        hint={
          value.password !== '' && isShort
            ? mistake
            : `At least ${String(LEAST_LENGTH)} characters. A few unrelated words work well.`
        }
        value={value.password}
        onChange={(password) => {
          onChange({ ...value, password });
        }}
      />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        mistake={value.again !== '' && !isShort ? mistake : undefined}
        value={value.again}
        onChange={(again) => {
          onChange({ ...value, again });
        }}
      />
    </>
  );
}

interface PasswordInputProps {
  readonly label: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly mistake?: string | undefined;
  readonly autoFocus?: boolean;
  readonly isRequired?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A password field that warns of caps lock, since its dots hide the effect. */
export function PasswordInput({
  label,
  autoComplete,
  value,
  onChange,
  hint,
  mistake,
  autoFocus = false,
  isRequired = true,
  ref,
}: PasswordInputProps) {
  const [isCapsLock, setCapsLock] = useState(false);
  const notice = (event: KeyboardEvent): void => {
    setCapsLock(event.getModifierState('CapsLock'));
  };
  return (
    <Field label={label} mistake={mistake} hint={isCapsLock ? 'Caps lock is on.' : hint}>
      {(control) => (
        <input
          {...control}
          ref={ref}
          type="password"
          name={autoComplete}
          autoComplete={autoComplete}
          required={isRequired}
          autoFocus={autoFocus}
          value={value}
          onKeyDown={notice}
          onKeyUp={notice}
          onBlur={() => {
            setCapsLock(false);
          }}
          onChange={({ target }) => {
            onChange(target.value);
          }}
        />
      )}
    </Field>
  );
}
