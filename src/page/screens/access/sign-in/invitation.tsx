import { useEffect, useState } from 'react';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { Link, useNavigator } from '#page/kit/navigation.tsx';
import { findMistake, NewPasswordFields, NO_PASSWORD } from '../shared/password-field.tsx';
import { Card } from './sign-in.tsx';
import styles from './sign-in.module.css';

/**
 * The destination of an invitation link or of the first start’s link. The secret is in the fragment, which browsers
 * never send with a request.
 */
export function Invitation() {
  const navigator = useNavigator();
  const invitation = useInvitation();
  const [chosen, setChosen] = useState(NO_PASSWORD);
  const { mutate, error, isPending } = useAccessAction('acceptInvitation');
  const isReady = findMistake(chosen) === undefined;
  if (invitation === '') return <NoInvitation />;
  return (
    <Card title="Choose a password">
      <p className={styles['note']}>Choose the password that you sign in with. This link works once.</p>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady || isPending) return;
          mutate(
            { body: { invitation, password: chosen.password } },
            {
              onSuccess: () => {
                navigator.go('/', 'replace');
              },
            },
          );
        }}
      >
        <NewPasswordFields value={chosen} onChange={setChosen} autoFocus />
        <button type="submit" className={styles['submit']} disabled={!isReady} aria-disabled={isPending}>
          {isPending ? 'Signing in…' : 'Set password and sign in'}
        </button>
      </form>
      <ActionError error={error} />
    </Card>
  );
}

/** Returns the secret and removes it from the address at once, so that it cannot be read there or copied along. */
function useInvitation(): string {
  const { go, subscribe } = useNavigator();
  const [invitation, setInvitation] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const take = (): void => {
      const { hash, pathname, search } = location;
      if (hash === '') return;
      setInvitation(hash.slice(1));
      go(pathname + search, 'replace');
    };
    take();
    // Opening another link on this page does not reload it.
    return subscribe(take);
  }, [go, subscribe]);
  return invitation;
}

function NoInvitation() {
  return (
    <Card title="Open the link again">
      <p>
        The address of this page contains no invitation: the link was incomplete, or the page was reloaded. Open the
        complete link as you received it, or request a new one from an administrator.
      </p>
      <Link to="/">Sign in instead</Link>
    </Card>
  );
}
