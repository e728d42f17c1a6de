import { useState } from 'react';
import type { KeyboardEvent, Ref } from 'react';
import { Field } from '#page/kit/field.tsx';

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

/** A field for a password. It warns of caps lock, which its dots hide. */
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
