import { useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import type { DeskMe, DeskTokens } from '#contract/desk/access.ts';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ChoiceField, TextField } from '#page/kit/field.tsx';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { ConfirmSignIn } from './shared/confirm-sign-in.tsx';
import { type Entitlement, EntitlementFields } from './shared/entitlement-fields.tsx';
import styles from './shared/access.module.css';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { ShownOnce, type Token, TOKEN_COLUMNS } from './shared/credentials.tsx';

const DAY_MS = 86_400_000;
const SPANS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

interface NewTokenProps {
  readonly me: NonNullable<DeskMe['me']>;
  readonly created: (secret: string) => void;
  readonly close: () => void;
}

/** Starts with everything the person may do, which is also the most that a token can have. */
function NewToken({ me, created, close }: NewTokenProps) {
  const { now } = useApi();
  const { mutate, error, isPending } = useAccessAction('createToken');
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const [entitlement, setEntitlement] = useState<Entitlement>({ roles: me.roles, scope: me.scope });
  const isReady = name.trim() !== '' && entitlement.roles.length > 0;
  return (
    <LazyDialog title="Create API token" close={close}>
      <form
        className={styles['window']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady || isPending) return;
          const expiresAt = formatInstant(toEpochNanos(now() + Number(days) * DAY_MS), 3);
          mutate(
            { body: { name: name.trim(), ...entitlement, expires_at: expiresAt } },
            {
              onSuccess: ({ token }) => {
                created(token);
                close();
              },
            },
          );
        }}
      >
        <TextField label="Name" hint="For example, the program that uses it." value={name} onChange={setName} />
        <EntitlementFields value={entitlement} most={me} onChange={setEntitlement} />
        <ChoiceField label="Expires in" value={days} choices={SPANS} onChange={setDays} />
        <ActionError error={error} />
        <p className={styles['actions']}>
          <button type="submit" className={styles['primary']} disabled={!isReady} aria-disabled={isPending}>
            Create API token
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </p>
      </form>
      <ConfirmSignIn />
    </LazyDialog>
  );
}

interface TokensProps extends Pick<DeskTokens, 'tokens'> {
  readonly me: NonNullable<DeskMe['me']>;
}

/** Lists tokens. With a token, a program can read what its person may see, or less. */
export function Tokens({ tokens, me }: TokensProps) {
  const { mutate, error, isPending } = useAccessAction('endToken');
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const actions: Column<Token> = {
    name: 'Action',
    pinned: 'end',
    cell: ({ id, name }) => (
      <ConfirmButton
        label="Revoke"
        question="Revoke token?"
        of={`the token ${name}`}
        isBusy={isPending}
        run={() => {
          mutate({ query: { id } });
        }}
      />
    ),
  };
  return (
    <>
      {secret !== null && (
        <ShownOnce
          label="API token"
          secret={secret}
          note="Programs send it in the Authorization header, after the word Bearer."
          close={() => {
            setSecret(null);
          }}
        />
      )}
      <ActionError error={error} />
      {tokens.length === 0 ? (
        <EmptyState title="No API tokens">
          <p>An API token lets a program read what you can see, or less, until it expires.</p>
        </EmptyState>
      ) : (
        <Table caption="API tokens" columns={[...TOKEN_COLUMNS, actions]} rows={tokens} keyOf={({ id }) => id} />
      )}
      <p className={styles['below']}>
        <button
          type="button"
          onClick={() => {
            setCreating(true);
          }}
        >
          Create API token
        </button>
      </p>
      {isCreating && (
        <NewToken
          me={me}
          created={setSecret}
          close={() => {
            setCreating(false);
          }}
        />
      )}
    </>
  );
}
