import { useState } from 'react';
import { useAccessAction } from '#api/react/use-access-api.ts';
import type { Person } from '#contract/desk-access.ts';
import { ActionError } from '#panels/action-error.tsx';
import { TextField } from '#ui/field.tsx';
import { LazyDialog } from '#ui/lazy.tsx';
import { EntitlementFields, type Entitlement } from '../fields/entitlement-fields.tsx';
import { PersonActions } from './person-actions.tsx';
import styles from '../access.module.css';

const NO_SCOPE: Entitlement['scope'] = { all: false, accounts: [], firms: [], connections: [] };

interface PersonWindowProps {
  /** Null: one who is to be added. */
  readonly person: Person | null;
  readonly managed: boolean;
  readonly close: () => void;
  readonly added: (name: string) => void;
}

export function PersonWindow({ person, managed, close, added }: PersonWindowProps) {
  return (
    <LazyDialog title={person === null ? 'Add person' : person.name} close={close}>
      <div className={styles['window']}>
        {managed && <PersonForm person={person} close={close} added={added} />}
        {person !== null && <PersonActions person={person} managed={managed} close={close} />}
      </div>
    </LazyDialog>
  );
}

/** A change takes effect within a second, in open pages as well. */
function PersonForm({ person, close, added }: Omit<PersonWindowProps, 'managed'>) {
  const { mutate, error, isPending } = useAccessAction('putPerson');
  const [name, setName] = useState(person?.name ?? '');
  const [entitlement, setEntitlement] = useState<Entitlement>({ roles: person?.roles ?? [], scope: person?.scope ?? NO_SCOPE });
  const isReady = name.trim() !== '';
  const id = person?.id ?? '';
  return (
    <form
      className={styles['fields']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady || isPending) return;
        mutate({ body: { id, name: name.trim(), ...entitlement, disabled: person?.disabled ?? false } }, { onSuccess: () => { (person === null ? added : close)(name.trim()); } });
      }}
    >
      <TextField label="Name" hint="The person signs in with this name." value={name} onChange={setName} />
      <EntitlementFields value={entitlement} onChange={setEntitlement} />
      {entitlement.roles.length === 0 && <p className={styles['actions']}>Without a role, this person can sign in, but sees nothing.</p>}
      <ActionError error={error} />
      <p className={styles['actions']}>
        <button type="submit" className={styles['primary']} disabled={!isReady} aria-disabled={isPending}>
          {person === null ? 'Add person' : 'Save'}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}
