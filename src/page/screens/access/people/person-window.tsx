import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAccessAction, useAccessApi } from '#page/client/react/use-access-api.ts';
import type { Person } from '#contract/desk/access.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { type Passkey, PASSKEY_COLUMNS, type Token, TOKEN_COLUMNS } from '../shared/credentials.tsx';
import { describeCredentials } from './describe-ways.ts';
import styles from '../shared/access.module.css';
import { describeScope } from '#model/describe-access.ts';
import { EditConflict } from '#page/kit/edit-conflict.tsx';
import { TextField } from '#page/kit/field.tsx';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { ConfirmSignIn } from '../shared/confirm-sign-in.tsx';
import { type Entitlement, EntitlementFields } from '../shared/entitlement-fields.tsx';
import { PersonActions } from './person-actions.tsx';

/**
 * Lists what a person can use without their password, behind a button, because most visits to this window are about
 * something else.
 */
function Credentials({ person }: { readonly person: Person }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section className={styles['fields']} aria-label="API tokens and passkeys">
      <p className={styles['actions']}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {isOpen ? 'Hide' : 'Show'} {describeCredentials(person, 'and')}
        </button>
      </p>
      <div id={id} hidden={!isOpen}>
        {isOpen && <CredentialLists id={person.id} />}
      </div>
    </section>
  );
}

function CredentialLists({ id }: Pick<Person, 'id'>) {
  const { queries } = useAccessApi();
  const { data, error } = useQuery(queries.credentials({ person: id }));
  const revoke = useAccessAction('revokeTokenOf');
  const remove = useAccessAction('removePasskeyOf');
  const { tokens = [], passkeys = [] } = data?.value ?? {};
  const ofToken: Column<Token> = {
    name: 'Action',
    pinned: 'end',
    cell: (token) => (
      <ConfirmButton
        label="Revoke"
        question="Revoke token?"
        of={`the token ${token.name}`}
        isBusy={revoke.isPending}
        run={() => {
          revoke.mutate({ query: { id: token.id } });
        }}
      />
    ),
  };
  const ofPasskey: Column<Passkey> = {
    name: 'Action',
    pinned: 'end',
    cell: (passkey) => (
      <ConfirmButton
        label="Remove"
        question="Remove passkey?"
        of={`the passkey ${passkey.name}`}
        isBusy={remove.isPending}
        run={() => {
          remove.mutate({ query: { id: passkey.id } });
        }}
      />
    ),
  };
  return (
    <>
      <ActionError error={revoke.error ?? remove.error ?? error} />
      {tokens.length > 0 && (
        <Table caption="API tokens" columns={[...TOKEN_COLUMNS, ofToken]} rows={tokens} keyOf={({ id: key }) => key} />
      )}
      {passkeys.length > 0 && (
        <Table
          caption="Passkeys"
          columns={[...PASSKEY_COLUMNS, ofPasskey]}
          rows={passkeys}
          keyOf={({ id: key }) => key}
        />
      )}
    </>
  );
}

const NO_SCOPE: Entitlement['scope'] = { all: false, accounts: [], firms: [], connections: [] };

interface PersonWindowProps {
  /** Null for a person who is yet to be added. */
  readonly person: Person | null;
  readonly managed: boolean;
  readonly close: () => void;
  readonly added: (name: string) => void;
}

export function PersonWindow({ person, managed, close, added }: PersonWindowProps) {
  const [original, setOriginal] = useState(person);
  const reload = (): void => {
    setOriginal(person);
  };
  return (
    <LazyDialog title={person === null ? 'Add person' : person.name} close={close}>
      <div className={styles['window']}>
        {managed && (
          <PersonForm
            key={toText(original)}
            person={person}
            original={original}
            reload={reload}
            close={close}
            added={added}
          />
        )}
        {person !== null && person.tokens + person.passkeys > 0 && <Credentials person={person} />}
        {person !== null && <PersonActions person={person} managed={managed} close={close} />}
      </div>
      <ConfirmSignIn />
    </LazyDialog>
  );
}

interface PersonFormProps extends Omit<PersonWindowProps, 'managed'> {
  /** The person as they were when the fields were filled in. */
  readonly original: Person | null;
  /** Fills in the fields again. */
  readonly reload: () => void;
}

/** Edits a person. A change takes effect within a second, in open pages too. */
function PersonForm({ person, original, reload, close, added }: PersonFormProps) {
  const { mutate, error, isPending } = useAccessAction('putPerson');
  const [name, setName] = useState(original?.name ?? '');
  const [entitlement, setEntitlement] = useState<Entitlement>({
    roles: original?.roles ?? [],
    scope: original?.scope ?? NO_SCOPE,
  });
  const isStale = toText(person) !== toText(original);
  const isReady = name.trim() !== '';
  const save = (): void => {
    const disabled = person?.disabled ?? false;
    const before =
      original === null
        ? {}
        : { before: { name: original.name, roles: original.roles, scope: original.scope, disabled } };
    mutate(
      { body: { id: original?.id ?? '', name: name.trim(), ...entitlement, disabled, ...before } },
      {
        onSuccess: () => {
          (original === null ? added : close)(name.trim());
        },
      },
    );
  };
  return (
    <form
      className={styles['fields']}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending && !isStale) save();
      }}
    >
      <TextField label="Name" hint="The person signs in with this name." value={name} onChange={setName} />
      <EntitlementFields value={entitlement} onChange={setEntitlement} />
      {entitlement.roles.length === 0 && (
        <p className={styles['actions']}>Without a role, this person can sign in, but sees nothing.</p>
      )}
      {isStale && person !== null ? (
        <ChangedMeanwhile person={person} reload={reload} />
      ) : (
        <>
          <ActionError error={error} />
          <p className={styles['actions']}>
            <button type="submit" className={styles['primary']} disabled={!isReady} aria-disabled={isPending}>
              {original === null ? 'Add person' : 'Save'}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </p>
        </>
      )}
    </form>
  );
}

/** Returns everything about a person that the form can change. */
function toText(person: Person | null): string {
  return JSON.stringify(person && [person.name, person.roles, person.scope]);
}

/** Shows what another administrator changed while the form was open, so that nothing is overwritten unseen. */
function ChangedMeanwhile({ person, reload }: { readonly person: Person; readonly reload: () => void }) {
  return (
    <EditConflict title="This person was changed meanwhile." own="What you entered is not saved.">
      <p>
        Now: {person.name}, {person.roles.length === 0 ? 'no role' : person.roles.join(', ')}. {describeScope(person)}.
      </p>
      <p className={styles['actions']}>
        <button type="button" onClick={reload}>
          Discard mine and reload
        </button>
      </p>
    </EditConflict>
  );
}
