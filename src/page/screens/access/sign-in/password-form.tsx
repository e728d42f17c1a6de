import { useRef, useState } from 'react';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import { Field } from '#page/kit/field.tsx';
import { PasswordInput } from '../fields/password-field.tsx';
import styles from './sign-in.module.css';

interface PasswordFormProps {
  /** Who signs in again. */
  readonly name: string;
  readonly setError: (error: Error | null) => void;
}

export function PasswordForm({ name: known, setError }: PasswordFormProps) {
  const { mutate, isPending } = useAccessAction('signIn');
  const [name, setName] = useState(known);
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending) return;
        setError(null);
        mutate(
          { body: { name: name.trim(), password } },
          {
            onError: (error) => {
              setError(error);
              setPassword('');
              field.current?.focus();
            },
          },
        );
      }}
    >
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            type="text"
            name="username"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus={known === ''}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
            }}
          />
        )}
      </Field>
      <PasswordInput
        ref={field}
        label="Password"
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        onChange={setPassword}
      />
      <button type="submit" className={styles['submit']} aria-disabled={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}
