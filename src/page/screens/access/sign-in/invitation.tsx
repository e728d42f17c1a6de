import { useEffect, useState } from 'react';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useNavigator } from '#page/kit/navigation/navigation.tsx';
import { findMistake, NewPasswordFields, NO_PASSWORD } from '../fields/new-password.tsx';
import { Card } from './card.tsx';
import styles from './sign-in.module.css';

/** Where a link of an invitation, or of the first start, leads. Its secret is in the fragment, which is never sent with a request for the page. */
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

/** The secret, which leaves the address at once, so that nobody reads it there or copies it on with the address. */
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
    // A link that is opened on this page does not load it again.
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
