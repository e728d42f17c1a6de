import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import styles from './sign-in.module.css';
import { useApi } from '#page/client/react/use-api.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { useSignOut } from '../shared/use-sign-out.ts';
import { useAccessAction, useAccessApi } from '#page/client/react/use-access-api.ts';
import { usePasskey as choosePasskey, hasPasskeys, offersPasskeys } from '#page/client/passkeys.ts';
import { Field } from '#page/kit/field.tsx';
import { PasswordInput } from '../shared/password-field.tsx';
import { type DeskMe, OIDC_PATHS } from '#contract/desk/access.ts';
import { FAILURE_FRAGMENT } from '#contract/desk/oidc.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { findFailure } from './sign-in-failures.ts';
import { presentError } from '#page/client/present-error.ts';

interface CardProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page outside the screens, with a single task. */
export function Card({ title, children }: CardProps) {
  const id = useId();
  return (
    <main className={styles['page']}>
      <section className={styles['card']} aria-labelledby={id}>
        <p className={styles['brand']}>Perpdesk</p>
        <h1 id={id}>{title}</h1>
        {children}
      </section>
    </main>
  );
}

/** Shown to a person who is signed in but has no role yet. */
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

/** The server ends an attempt after five minutes. */
const RENEW_MS = 4 * 60_000;

type Mediation = 'conditional' | 'optional';

interface Chosen {
  readonly id: string;
  readonly response: string;
}

/** Signs in with a passkey, chosen by a button or from the browser’s suggestions at the name field. */
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
    // A suggestion would cancel the prompt that the button opened. No attempt begins if the browser cannot suggest any.
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

/** The user chose no passkey or has none; the browser does not report which. */
class NoPasskeyError extends Error {
  override readonly name = 'NoPasskeyError';

  constructor() {
    super('You are not signed in: the browser has no passkey for this Perpdesk, or the request was cancelled.');
  }
}

interface PasswordFormProps {
  /** The person who signs in again; empty if unknown. */
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
  /** Whether this page has had no sign-in session yet. If it had one, a failure in its address is older than that. */
  readonly isFirst: boolean;
}

/**
 * Signs in at the identity provider, which leads back to the requested screen or, after a failure, to this one with a
 * code in the fragment.
 */
function SingleSignOn({ isFirst }: SingleSignOnProps) {
  const [failure] = useState(() => (isFirst ? findFailure(location.hash) : null));
  useEffect(() => {
    // Reloading the page must not repeat the failure.
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
  /** The person who was signed in on this page before; null if there was none. */
  readonly before: string | null;
}

/** Signs in and continues to the requested screen: the address stays the same throughout. */
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
