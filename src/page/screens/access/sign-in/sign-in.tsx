import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useApi } from '../../../client/react/use-api.tsx';
import { useAccessAction, useAccessApi } from '../../../client/react/use-access-api.ts';
import { usePasskey as choosePasskey, hasPasskeys, offersPasskeys } from '../../../client/passkeys.ts';
import { Field } from '../../../kit/field.tsx';
import { PasswordInput } from '../fields/password-field.tsx';
import styles from './sign-in.module.css';
import { type DeskMe, OIDC_PATHS } from '#contract/desk/access.ts';
import { FAILURE_FRAGMENT } from '#contract/desk/oidc.ts';
import { useAnnounced } from '../../../kit/live-region.tsx';
import { findFailure } from './sign-in-failures.ts';
import { presentError } from '../../../client/present-error.ts';
import { Card } from './card.tsx';

/** An attempt lasts five minutes at the server. */
const RENEW_MS = 4 * 60_000;

type Mediation = 'conditional' | 'optional';

interface Chosen {
  readonly id: string;
  readonly response: string;
}

/** Signs in with a passkey: by a button, or by one that the browser offers at the field for the name. */
function usePasskeySignIn(isOffered: boolean, setError: (error: Error | null) => void) {
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

interface PasswordFormProps {
  /** Who signs in again. */
  readonly name: string;
  readonly setError: (error: Error | null) => void;
}

function PasswordForm({ name: known, setError }: PasswordFormProps) {
  const { mutate, isPending } = useAccessAction('signIn');
  const [name, setName] = useState(known);
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending) return;
        setError(null);
        mutate(
          { body: { name: name.trim(), password } },
          {
            onError: (error) => {
              setError(error);
              setPassword('');
              field.current?.focus();
            },
          },
        );
      }}
    >
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            type="text"
            name="username"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus={known === ''}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
            }}
          />
        )}
      </Field>
      <PasswordInput
        ref={field}
        label="Password"
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        onChange={setPassword}
      />
      <button type="submit" className={styles['submit']} aria-disabled={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}

interface SingleSignOnProps {
  /** Whether nobody was signed in on this page before: a failure in its address is then older. */
  readonly isFirst: boolean;
}

/** The provider leads back to where one wanted to go; after a failure, to this screen, with a code in the fragment. */
function SingleSignOn({ isFirst }: SingleSignOnProps) {
  const [failure] = useState(() => (isFirst ? findFailure(location.hash) : null));
  useEffect(() => {
    // A page that is loaded again must not repeat it.
    if (location.hash.startsWith(FAILURE_FRAGMENT))
      history.replaceState(history.state, '', location.pathname + location.search);
  }, []);
  useAnnounced(failure === null ? null : `${failure.happened} ${failure.remedy}`, true);
  const query = new URLSearchParams({
    to: location.pathname + location.search,
    ...(failure?.asksAgain === true && { prompt: 'login' }),
  });
  return (
    <>
      {failure !== null && (
        <div className={styles['failed']}>
          <p>
            <b>{failure.happened}</b>
          </p>
          <p>{failure.remedy}</p>
        </div>
      )}
      <a className={styles['continue']} href={`${OIDC_PATHS.begin}?${query.toString()}`}>
        {failure === null
          ? 'Continue with single sign-on'
          : failure.asksAgain
            ? 'Sign in as another person'
            : 'Sign in again'}
      </a>
    </>
  );
}

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
