import { useState } from 'react';
import { presentError } from '#page/client/present-error.ts';
import { hasPasskeys } from '#page/client/passkeys.ts';
import type { DeskMe } from '#contract/desk/access.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Card } from './card.tsx';
import { PasswordForm } from './password-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';
import styles from './sign-in.module.css';

interface SignInProps {
  readonly ways: DeskMe['ways'];
  /** Who was signed in on this page before; null: nobody. */
  readonly before: string | null;
}

/** Leads to where one wanted to go: the address stays, and its screen follows. */
export function SignIn({ ways, before }: SignInProps) {
  const offered = new Set<string>(ways);
  const hasPassword = offered.has('password');
  const hasPasskey = offered.has('passkey') && hasPasskeys();
  const [error, setError] = useState<Error | null>(null);
  const passkey = usePasskeySignIn(hasPasskey, setError);
  return (
    <Card title="Sign in">
      {before !== null && (
        <p className={styles['note']}>Your session has ended. Sign in again as {before} to continue where you were.</p>
      )}
      <Failed error={error} />
      {offered.has('oidc') && <SingleSignOn isFirst={before === null} />}
      {hasPassword && <PasswordForm name={before ?? ''} setError={setError} />}
      {hasPasskey && (
        <>
          <p className={styles['or']}>or</p>
          <button type="button" aria-disabled={passkey.isPending} onClick={passkey.signIn}>
            Sign in with a passkey
          </button>
        </>
      )}
      {offered.has('proxy') && (
        <p>
          The reverse proxy in front of Perpdesk did not identify you. Reload the page. If the problem persists, contact
          an administrator of the proxy.
        </p>
      )}
    </Card>
  );
}

function Failed({ error }: { readonly error: Error | null }) {
  const text = error === null ? null : describe(error);
  useAnnounced(text, true);
  return text !== null && <p className={styles['failed']}>{text}</p>;
}

function describe(error: Error): string {
  return presentError(error).detail;
}
