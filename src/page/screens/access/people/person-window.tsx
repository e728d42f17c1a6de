import { useState } from 'react';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import type { Person } from '#contract/desk/access.ts';
import { describeScope } from '#model/access/describe-scope.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { EditConflict } from '#page/kit/edit-conflict.tsx';
import { TextField } from '#page/kit/field.tsx';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { ConfirmSignIn } from '../fields/confirm-sign-in.tsx';
import { EntitlementFields, type Entitlement } from '../fields/entitlement-fields.tsx';
import { Credentials } from './credentials.tsx';
import { PersonActions } from './person-actions.tsx';
import styles from '../shared/access.module.css';

const NO_SCOPE: Entitlement['scope'] = { all: false, accounts: [], firms: [], connections: [] };

interface PersonWindowProps {
  /** Null: one who is to be added. */
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
  /** The person that the fields were filled in with. */
  readonly original: Person | null;
  /** Fills them in anew. */
  readonly reload: () => void;
}

/** A change takes effect within a second, in open pages as well. */
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

/** All of a person that the form changes. */
function toText(person: Person | null): string {
  return JSON.stringify(person && [person.name, person.roles, person.scope]);
}

/** What somebody else has made of the person while the form was open: nothing of it is replaced unseen. */
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
