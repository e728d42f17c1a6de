import { useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import type { DeskMe } from '#contract/desk/access.ts';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ChoiceField, TextField } from '#page/kit/field.tsx';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { ConfirmSignIn } from '../fields/confirm-sign-in.tsx';
import { EntitlementFields, type Entitlement } from '../fields/entitlement-fields.tsx';
import styles from '../shared/access.module.css';

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

/** It begins with all that one may do oneself, which is also the most. */
export function NewToken({ me, created, close }: NewTokenProps) {
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
