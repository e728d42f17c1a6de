import { useState } from 'react';
import { useAccessAction, useAccessApi } from '#page/client/react/use-access-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { createPasskey, hasPasskeys } from '#page/client/passkeys.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { TextField } from '#page/kit/field.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { PASSKEY_COLUMNS, type Passkey } from '../fields/credential-columns.tsx';
import styles from '../shared/access.module.css';

/** Passkeys need no password, and cannot be given away to a copy of the sign-in page. */
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
