import { useState } from 'react';
import { useAccessAction, useAccessApi } from '#page/client/react/use-access-api.ts';
import { useAccess, useApi } from '#page/client/react/use-api.tsx';
import { createPasskey, hasPasskeys } from '#page/client/passkeys.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { TextField } from '#page/kit/field.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { type Passkey, PASSKEY_COLUMNS } from './shared/credentials.tsx';
import styles from './shared/access.module.css';
import { ACCESS_ENDPOINTS, type DeskMe, type DeskSessions } from '#contract/desk/access.ts';
import { describeBrowser, describeScope, WAY_WORDS } from '#model/describe-access.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { findMistake, NewPasswordFields, NO_PASSWORD, PasswordInput } from './shared/password-field.tsx';
import { useQuery } from '@tanstack/react-query';
import { Panel } from '#page/panels/panel.tsx';
import { FactList } from '#page/kit/fact-list.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useSignOut } from './shared/use-sign-out.ts';
import { Tokens } from './tokens.tsx';
import { useAddress } from '#page/kit/navigation.tsx';
import { AuditScreen } from './audit/audit-screen.tsx';
import { ConfirmSignIn } from './shared/confirm-sign-in.tsx';
import { PeopleScreen } from './people/people-screen.tsx';

/** Passkeys replace the password, and a copy of the sign-in page cannot obtain them. */
export function Passkeys({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const { mutate, error, isPending } = useAccessAction('deletePasskey');
  const actions: Column<Passkey> = {
    name: 'Action',
    pinned: 'end',
    cell: ({ id, name }) => (
      <ConfirmButton
        label="Delete"
        question="Delete passkey?"
        of={`the passkey ${name}`}
        isBusy={isPending}
        run={() => {
          mutate({ query: { id } });
        }}
      />
    ),
  };
  return (
    <section className={styles['section']} aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      {passkeys.length === 0 ? (
        <p>
          No passkeys. With a passkey, you sign in with a fingerprint, face, PIN or security key instead of a password.
        </p>
      ) : (
        <Table caption="Passkeys" columns={[...PASSKEY_COLUMNS, actions]} rows={passkeys} keyOf={({ id }) => id} />
      )}
      <ActionError error={error} />
      {hasPasskeys() ? (
        <AddPasskey names={passkeys.map(({ name }) => name)} />
      ) : (
        <p>
          Passkeys are not available: this browser does not support them, or this page is not open at https or
          localhost.
        </p>
      )}
    </section>
  );
}

function AddPasskey({ names }: { readonly names: readonly string[] }) {
  const { actions } = useAccessApi();
  const { access } = useApi();
  const [name, setName] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [note, setNote] = useState<string | null>(null);
  useAnnounced(note, true);
  const add = async (): Promise<void> => {
    const { id, options } = await actions.beginPasskey({});
    const response = await createPasskey(options);
    await actions.addPasskey({ body: { id, name: name.trim(), response } });
    setName('');
    await access.check();
  };
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending || name.trim() === '') return;
        setPending(true);
        setError(null);
        setNote(null);
        add()
          .catch((cause: unknown) => {
            if (cause instanceof DOMException) setNote(describeFailure(cause));
            else setError(cause instanceof Error ? cause : new Error('The passkey could not be added.', { cause }));
          })
          .finally(() => {
            setPending(false);
          });
      }}
    >
      <TextField
        label="Name of a new passkey"
        hint="For example, the device that it is on."
        mistake={names.includes(name.trim()) ? 'You already have a passkey with this name.' : undefined}
        value={name}
        onChange={setName}
      />
      <p className={styles['actions']}>
        <button type="submit" disabled={name.trim() === '' || names.includes(name.trim())} aria-disabled={isPending}>
          {isPending ? 'Waiting for the browser…' : 'Add passkey'}
        </button>
        {note !== null && <span>{note}</span>}
      </p>
      <ActionError error={error} />
    </form>
  );
}

function describeFailure({ name }: DOMException): string {
  return name === 'InvalidStateError'
    ? 'This device already has a passkey for your account.'
    : 'No passkey was added: the request was cancelled or took too long.';
}

type Session = DeskSessions['sessions'][number];

const COLUMNS: readonly Column<Session>[] = [
  {
    name: 'Browser',
    cell: ({ browser }) => (
      <span className={styles['short']} title={browser}>
        {describeBrowser(browser)}
      </span>
    ),
  },
  { name: 'Address', cell: ({ address }) => <span className={styles['code']}>{address}</span> },
  { name: 'Signed in with', cell: ({ way }) => WAY_WORDS[way] ?? way },
  { name: 'Signed in', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => <Timestamp at={at} /> },
  { name: 'Ends by', cell: ({ ends_at: at }) => <Timestamp at={at} /> },
];

/** Lists where the person is signed in, with this browser first. */
function Sessions({ sessions }: Pick<DeskSessions, 'sessions'>) {
  const { mutate, error, isPending } = useAccessAction('endSession');
  const actions: Column<Session> = {
    name: 'Action',
    pinned: 'end',
    cell: ({ id, is_this: isThis, browser }) =>
      isThis ? (
        <StatusBadge state="good">This browser</StatusBadge>
      ) : (
        <ConfirmButton
          label="End"
          question="End session?"
          of={`the session of ${describeBrowser(browser)}`}
          isBusy={isPending}
          run={() => {
            mutate({ query: { id } });
          }}
        />
      ),
  };
  const rows = sessions.toSorted(
    (a, b) => Number(b.is_this) - Number(a.is_this) || b.last_used_at.localeCompare(a.last_used_at),
  );
  return (
    <>
      <ActionError error={error} />
      <Table caption="Sessions" columns={[...COLUMNS, actions]} rows={rows} keyOf={({ id }) => id} />
    </>
  );
}

/** Changes the password, which ends all other sign-in sessions. */
function Password({ me: { name, has_password: hasPassword } }: { readonly me: NonNullable<DeskMe['me']> }) {
  const { mutate, error, isPending } = useAccessAction('changePassword');
  const [before, setBefore] = useState('');
  const [chosen, setChosen] = useState(NO_PASSWORD);
  const [done, setDone] = useState<string | null>(null);
  useAnnounced(done);
  const isReady = findMistake(chosen) === undefined && (!hasPassword || before !== '');
  return (
    <section className={styles['section']} aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady || isPending) return;
          setDone(null);
          mutate(
            { body: { before, password: chosen.password } },
            {
              onSuccess: () => {
                setBefore('');
                setChosen(NO_PASSWORD);
                setDone('Password changed. All your other sessions have ended.');
              },
            },
          );
        }}
      >
        {/* Password managers store the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
        {hasPassword && (
          <PasswordInput label="Current password" autoComplete="current-password" value={before} onChange={setBefore} />
        )}
        <NewPasswordFields value={chosen} onChange={setChosen} />
        <p className={styles['actions']}>
          <button type="submit" disabled={!isReady} aria-disabled={isPending}>
            {hasPassword ? 'Change password' : 'Set password'}
          </button>
          {done !== null && <span>{done}</span>}
        </p>
        <ActionError error={error} />
      </form>
    </section>
  );
}

/** Shows the person’s own sign-in sessions, tokens, passkeys and password. */
export function AccountScreen() {
  const desk = useAccess();
  const me = desk?.me ?? null;
  return desk !== null && me !== null && <Account desk={desk} me={me} />;
}

interface AccountProps {
  readonly desk: DeskMe;
  readonly me: NonNullable<DeskMe['me']>;
}

function Account({ desk, me }: AccountProps) {
  const { queries } = useAccessApi();
  const sessions = useQuery(queries.sessions());
  const tokens = useQuery(queries.tokens());
  const { signOut, error } = useSignOut();
  const isManaged = desk.mode === 'users';
  return (
    <>
      <Toolbar title="Account">
        {desk.mode !== 'proxy' && (
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        )}
        <ActionError error={error} />
      </Toolbar>
      <div className={styles['page']}>
        <section className={styles['section']} aria-label="You">
          <div className={styles['facts']}>
            <FactList
              facts={[
                { name: 'Name', value: me.name },
                { name: 'Roles', value: me.roles.join(', ') },
                { name: 'Scope', value: describeScope(me) },
                { name: 'Signed in with', value: WAY_WORDS[me.way] ?? me.way },
              ]}
            />
          </div>
        </section>
        <Panel title="Sessions" query={sessions} everySeconds={ACCESS_ENDPOINTS.sessions.reuseSeconds}>
          {({ value }) => <Sessions sessions={value.sessions} />}
        </Panel>
        {isManaged && (
          <Panel title="API tokens" query={tokens} everySeconds={ACCESS_ENDPOINTS.tokens.reuseSeconds}>
            {({ value }) => <Tokens tokens={value.tokens} me={me} />}
          </Panel>
        )}
        {isManaged && <Passkeys passkeys={me.passkeys} />}
        {isManaged && <Password me={me} />}
      </div>
    </>
  );
}

const SCREENS: Readonly<Record<string, typeof AccountScreen>> = {
  '/account': AccountScreen,
  '/people': PeopleScreen,
  '/audit': AuditScreen,
};

/** The screens about who uses this Perpdesk. They share one bundle, because each is too small to load on its own. */
export function AccessScreen() {
  const Screen = SCREENS[useAddress().path];
  return (
    Screen !== undefined && (
      <>
        <Screen />
        <ConfirmSignIn />
      </>
    )
  );
}
