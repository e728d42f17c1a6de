import { useEffect } from 'react';
import type { DeskMe } from '#contract/desk/access.ts';
import type { Need } from '#contract/desk/roles.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useAddress } from '#page/kit/navigation.tsx';
import { Invitation } from '#page/screens/access/sign-in/invitation.tsx';
import { NoRole, SignIn } from '#page/screens/access/sign-in/sign-in.tsx';

interface SignedOutProps {
  readonly desk: DeskMe;
  /** The name of the person who was signed in on this page before; null if there was none. */
  readonly before: string | null;
}

/** Replaces the screens for a person who may not use any yet. */
export function SignedOut({ desk, before }: SignedOutProps) {
  const { path } = useAddress();
  const isInvited = path === '/invitation';
  useEffect(() => {
    document.title = `${isInvited ? 'Choose a password' : 'Sign in'} · Perpdesk`;
  }, [isInvited]);
  if (isInvited) return <Invitation />;
  return desk.me === null ? <SignIn ways={desk.ways} before={before} /> : <NoRole name={desk.me.name} />;
}

/** Replaces a screen that the person may not use. */
export function NotAllowed({ name, needs }: { readonly name: string; readonly needs: Need }) {
  return (
    <EmptyState title={`You do not have access to ${name}`} level={1}>
      <p>
        This screen needs the role <b>{needs}</b>, which you do not have. An administrator of this Perpdesk can grant
        it.
      </p>
    </EmptyState>
  );
}
