import { useState } from 'react';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import type { DeskMe } from '#contract/desk/access.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { findMistake, NewPasswordFields, NO_PASSWORD } from '../fields/new-password.tsx';
import { PasswordInput } from '../fields/password-field.tsx';
import styles from '../shared/access.module.css';

/** A new password ends all other sessions. */
export function Password({ me: { name, has_password: hasPassword } }: { readonly me: NonNullable<DeskMe['me']> }) {
  const { mutate, error, isPending } = useAccessAction('changePassword');
  const [before, setBefore] = useState('');
  const [chosen, setChosen] = useState(NO_PASSWORD);
  const [done, setDone] = useState<string | null>(null);
  useAnnounced(done);
  const isReady = findMistake(chosen) === undefined && (!hasPassword || before !== '');
  return (
    <section className={styles['section']} aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady || isPending) return;
          setDone(null);
          mutate(
            { body: { before, password: chosen.password } },
            {
              onSuccess: () => {
                setBefore('');
                setChosen(NO_PASSWORD);
                setDone('Password changed. All your other sessions have ended.');
              },
            },
          );
        }}
      >
        {/* Password managers store the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
        {hasPassword && (
          <PasswordInput label="Current password" autoComplete="current-password" value={before} onChange={setBefore} />
        )}
        <NewPasswordFields value={chosen} onChange={setChosen} />
        <p className={styles['actions']}>
          <button type="submit" disabled={!isReady} aria-disabled={isPending}>
            {hasPassword ? 'Change password' : 'Set password'}
          </button>
          {done !== null && <span>{done}</span>}
        </p>
        <ActionError error={error} />
      </form>
    </section>
  );
}
