import { useState } from 'react';
import { announceAccess } from '#page/client/access-channel.ts';
import { useAccessApi } from '#page/client/react/use-access-api.ts';

/** Ends the sign-in session. The page reloads, so that nothing of it stays in memory or in the address. */
export function useSignOut() {
  const { actions } = useAccessApi();
  const [error, setError] = useState<Error | null>(null);
  const signOut = async (): Promise<void> => {
    setError(null);
    let next: string;
    try {
      next = (await actions.signOut({})).location;
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error('Not signed out.', { cause }));
      return;
    }
    announceAccess();
    // A person who is still signed in at the provider would sign in here again with one click.
    location.replace(next);
  };
  return { error, signOut: () => void signOut() };
}
