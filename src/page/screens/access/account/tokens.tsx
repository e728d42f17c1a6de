import { useState } from 'react';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import type { DeskMe, DeskTokens } from '#contract/desk/access.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { TOKEN_COLUMNS, type Token } from '../fields/credential-columns.tsx';
import { ShownOnce } from '../fields/shown-once.tsx';
import { NewToken } from './new-token.tsx';
import styles from '../shared/access.module.css';

interface TokensProps extends Pick<DeskTokens, 'tokens'> {
  readonly me: NonNullable<DeskMe['me']>;
}

/** With a token, a program reads what its person may see, or less. */
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
