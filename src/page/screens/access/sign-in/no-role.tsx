import { useApi } from '#page/client/react/use-api.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { useSignOut } from '../shared/use-sign-out.ts';
import { Card } from './card.tsx';
import styles from './sign-in.module.css';

/** Signed in, but nobody has said yet what one may see. */
export function NoRole({ name }: { readonly name: string }) {
  const { access } = useApi();
  const { signOut, error } = useSignOut();
  return (
    <Card title="No role yet">
      <p>
        You are signed in as {name}, but you have no role, so there is nothing to show. An administrator of this
        Perpdesk can give you a role.
      </p>
      <div className={styles['form']}>
        <button type="button" onClick={() => void access.check()}>
          Check again
        </button>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </div>
      <ActionError error={error} />
    </Card>
  );
}
