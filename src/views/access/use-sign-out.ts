import { useState } from 'react';
import { useApi } from '#api/react/use-api.tsx';
import { useAccessApi } from '#api/react/use-access-api.ts';

/** Ends the session. The page loads anew, so that nothing of it stays in memory or in the address. */
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
    // The other tabs are to follow.
    await access.check();
    location.replace('/');
  };
  return { error, signOut: () => void signOut() };
}
