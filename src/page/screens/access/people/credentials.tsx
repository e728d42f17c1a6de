import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAccessAction, useAccessApi } from '#page/client/react/use-access-api.ts';
import type { Person } from '#contract/desk/access.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { PASSKEY_COLUMNS, TOKEN_COLUMNS, type Passkey, type Token } from '../fields/credential-columns.tsx';
import { describeCredentials } from './describe-ways.ts';
import styles from '../shared/access.module.css';

/** What somebody can use without their password, behind a button: most who open the window look for something else. */
export function Credentials({ person }: { readonly person: Person }) {
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
