import { useState } from 'react';
import { announceAccess } from '#page/client/access-channel.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import { OIDC_PATHS } from '#contract/desk/access.ts';

/** Ends the sign-in session. The page reloads, so that nothing of it stays in memory or in the address. */
export function useSignOut() {
  const { actions } = useAccessApi();
  const { access } = useApi();
  const [error, setError] = useState<Error | null>(null);
  const signOut = async (): Promise<void> => {
    setError(null);
    try {
      await actions.signOut({});
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error('Not signed out.', { cause }));
      return;
    }
    const isOfProvider = access.read()?.mode === 'oidc';
    announceAccess();
    // The person would still be signed in at the provider, and one click would sign in here again.
    location.replace(isOfProvider ? OIDC_PATHS.signOut : '/');
  };
  return { error, signOut: () => void signOut() };
}
