import { PasswordInput } from './password-field.tsx';

/** As the server counts: characters, not bytes. */
const LEAST_LENGTH = 12;

export interface NewPassword {
  readonly password: string;
  readonly again: string;
}

export const NO_PASSWORD: NewPassword = { password: '', again: '' };

/** Undefined: nothing is wrong with it. */
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

/** A password that is chosen, twice. */
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
