import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import { offersPasskeys, usePasskey as choosePasskey } from '#page/client/passkeys.ts';

/** An attempt lasts five minutes at the server. */
const RENEW_MS = 4 * 60_000;

type Mediation = 'conditional' | 'optional';

interface Chosen {
  readonly id: string;
  readonly response: string;
}

/** Signs in with a passkey: by a button, or by one that the browser offers at the field for the name. */
export function usePasskeySignIn(isOffered: boolean, setError: (error: Error | null) => void) {
  const { actions } = useAccessApi();
  const { access } = useApi();
  const [isPending, setPending] = useState(false);
  const waiting = useRef<AbortController | null>(null);
  const hasPrompt = useRef(false);

  const choose = async (mediation: Mediation): Promise<Chosen> => {
    waiting.current?.abort();
    const own = (waiting.current = new AbortController());
    const { id, options } = await actions.beginPasskeySignIn({});
    own.signal.throwIfAborted();
    return { id, response: await choosePasskey(options, { mediation, signal: own.signal }) };
  };

  const finish = async ({ id, response }: Chosen): Promise<void> => {
    await actions.signInWithPasskey({ body: { id, name: '', response } });
    await access.check();
  };

  const offer = async (): Promise<void> => {
    // An offer would cancel the prompt of the button. Where none can be offered, nobody has asked for one yet.
    const chosen =
      (await offersPasskeys()) && !hasPrompt.current ? await choose('conditional').catch(() => null) : null;
    if (chosen === null) return;
    await finish(chosen).catch((error: unknown) => {
      setError(toError(error));
      void offer();
    });
  };

  const renew = useEffectEvent(offer);
  useEffect(() => {
    if (!isOffered) return;
    void renew();
    const timer = setInterval(() => void renew(), RENEW_MS);
    return () => {
      clearInterval(timer);
      waiting.current?.abort();
    };
  }, [isOffered]);

  const signIn = (): void => {
    if (isPending) return;
    setError(null);
    setPending(true);
    hasPrompt.current = true;
    choose('optional')
      .then(finish)
      .finally(() => {
        hasPrompt.current = false;
        setPending(false);
      })
      .catch((error: unknown) => {
        setError(isCancelled(error) ? new NoPasskeyError() : toError(error));
        void offer();
      });
  };

  return { isPending, signIn };
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'AbortError' || error.name === 'NotAllowedError');
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The passkey could not be used.', { cause: error });
}

/** The user chose none, or has none: the browser does not say which. */
class NoPasskeyError extends Error {
  override readonly name = 'NoPasskeyError';

  constructor() {
    super('You are not signed in: the browser has no passkey for this Perpdesk, or the request was cancelled.');
  }
}
