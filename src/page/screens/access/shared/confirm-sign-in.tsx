import { useEffect, useState } from 'react';
import { hasPasskeys, usePasskey as choosePasskey } from '#page/client/passkeys.ts';
import { useAccess, useApi } from '#page/client/react/use-api.tsx';
import { useAccessAction, useAccessApi } from '#page/client/react/use-access-api.ts';
import type { DeskMe } from '#contract/desk/access.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { PasswordInput } from './password-field.tsx';
import styles from './access.module.css';

/**
 * Asks the signed-in person to confirm their identity when an action needs a recent sign-in, then lets the action
 * continue. If the action belongs to a window, this must be rendered inside it, so that the window below stays open.
 */
export function ConfirmSignIn() {
  const { access } = useApi();
  const me = useAccess()?.me ?? null;
  const [asked, setAsked] = useState<{ readonly answer: (isConfirmed: boolean) => void } | null>(null);
  useEffect(() => {
    let last = (_isConfirmed: boolean): void => undefined;
    const end = access.onConfirm(
      () =>
        new Promise((resolve) => {
          last = resolve;
          setAsked({ answer: resolve });
        }),
    );
    return () => {
      end();
      last(false);
    };
  }, [access]);
  if (asked === null || me === null) return null;
  const answer = (isConfirmed: boolean): void => {
    setAsked(null);
    asked.answer(isConfirmed);
  };
  return <ConfirmWindow me={me} answer={answer} />;
}

interface ConfirmWindowProps {
  readonly me: NonNullable<DeskMe['me']>;
  readonly answer: (isConfirmed: boolean) => void;
}

function ConfirmWindow({ me, answer }: ConfirmWindowProps) {
  const { mutate, error, isPending } = useAccessAction('confirmWithPassword');
  const [password, setPassword] = useState('');
  const [passkeyError, setPasskeyError] = useState<Error | null>(null);
  const cancel = (): void => {
    answer(false);
  };
  return (
    <LazyDialog title="Confirm that it is you" close={cancel}>
      <form
        className={styles['window']}
        onSubmit={(event) => {
          event.preventDefault();
          if (isPending || password === '') return;
          setPasskeyError(null);
          mutate(
            { body: { password } },
            {
              onSuccess: () => {
                answer(true);
              },
            },
          );
        }}
      >
        <p className={styles['actions']}>
          You signed in more than ten minutes ago. Confirm that it is you to continue.
        </p>
        {/* Password managers find the password by this name. */}
        <input type="text" name="username" autoComplete="username" value={me.name} readOnly hidden />
        {me.has_password && (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            autoFocus
            value={password}
            onChange={setPassword}
          />
        )}
        <ActionError error={passkeyError ?? error} />
        <p className={styles['actions']}>
          {me.has_password && (
            <button type="submit" className={styles['primary']} disabled={password === ''} aria-disabled={isPending}>
              Confirm
            </button>
          )}
          {me.passkeys.length > 0 && hasPasskeys() && (
            <PasskeyButton
              setError={setPasskeyError}
              confirmed={() => {
                answer(true);
              }}
            />
          )}
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </p>
      </form>
    </LazyDialog>
  );
}

interface PasskeyButtonProps {
  readonly setError: (error: Error | null) => void;
  readonly confirmed: () => void;
}

function PasskeyButton({ setError, confirmed }: PasskeyButtonProps) {
  const { actions } = useAccessApi();
  const [isPending, setPending] = useState(false);
  const confirm = async (): Promise<void> => {
    const { id, options } = await actions.beginPasskeySignIn({});
    await actions.confirmWithPasskey({
      body: { id, name: '', response: await choosePasskey(options, { mediation: 'optional' }) },
    });
  };
  return (
    <button
      type="button"
      aria-disabled={isPending}
      onClick={() => {
        if (isPending) return;
        setPending(true);
        setError(null);
        confirm().then(confirmed, (cause: unknown) => {
          setPending(false);
          setError(cause instanceof Error && !(cause instanceof DOMException) ? cause : new NotConfirmedError());
        });
      }}
    >
      {isPending ? 'Waiting for the browser…' : 'Use a passkey'}
    </button>
  );
}

/** The user chose no passkey or has none here; the browser does not report which. */
class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';

  constructor() {
    super('The browser has no passkey for this Perpdesk, or the request was cancelled.');
  }
}
