import { useAccessAction } from '#api/react/use-access-api.ts';
import type { Person } from '#contract/desk-access.ts';
import { ActionError } from '#panels/action-error.tsx';
import { ConfirmButton } from '#ui/confirm-button.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import { ShownOnce } from '../fields/shown-once.tsx';
import styles from '../access.module.css';

interface PersonActionsProps {
  readonly person: Person;
  readonly managed: boolean;
  readonly close: () => void;
}

const QUESTIONS = { managed: 'Delete, with sessions, API tokens and saved views?', provided: 'Delete, with sessions, saved views and preferences?' } as const;

/** What can be done with somebody at once, apart from what they may see. */
export function PersonActions({ person, managed, close }: PersonActionsProps) {
  const { id, name, roles, scope, disabled, sessions } = person;
  const change = useAccessAction('putPerson');
  const end = useAccessAction('endSessionsOf');
  const remove = useAccessAction('deletePerson');
  const isBusy = change.isPending || end.isPending || remove.isPending;
  return (
    <section className={styles['fields']} aria-label={`Actions on ${name}`}>
      {managed && !disabled && <InviteButton person={person} />}
      <p className={styles['actions']}>
        {Boolean(sessions) && <ConfirmButton label="End sessions" question={sessions === 1 ? 'End the session?' : `End all ${String(sessions)} sessions?`} of={`of ${name}`} isBusy={isBusy} run={() => { end.mutate({ query: { id } }); }} />}
        {managed && (
          <>
            <button
              type="button"
              aria-disabled={isBusy}
              onClick={() => {
                if (!isBusy) change.mutate({ body: { id, name, roles, scope, disabled: !disabled, before: { name, roles, scope, disabled } } });
              }}
            >
              {disabled ? 'Enable' : 'Disable'}
            </button>
          </>
        )}
        <ConfirmButton label="Delete" question={QUESTIONS[managed ? 'managed' : 'provided']} of={name} isBusy={isBusy} run={() => { remove.mutate({ query: { id } }, { onSuccess: close }); }} />
      </p>
      {!managed && <p>After you delete {name}, they can sign in again for as long as the provider or proxy allows it, and then start without saved views or preferences.</p>}
      <ActionError error={change.error ?? end.error ?? remove.error} />
    </section>
  );
}

function InviteButton({ person: { id, has_password: hasPassword } }: { readonly person: Person }) {
  const [zone] = useZone();
  const { mutate, data, reset, error, isPending } = useAccessAction('invitePerson');
  if (data !== undefined) {
    const note = `Send it only to this person: anyone with the link can choose the password. It works once, until ${formatInstant(Date.parse(data.expires_at), zone)}.`;
    return <ShownOnce label="Invitation link" secret={location.origin + data.path} note={note} close={reset} />;
  }
  return (
    <>
      <p className={styles['actions']}>
        <button
          type="button"
          aria-disabled={isPending}
          onClick={() => {
            if (!isPending) mutate({ query: { id } });
          }}
        >
          Create invitation link
        </button>
        <span>{hasPassword ? 'Replaces a forgotten password.' : 'Lets this person choose a password.'}</span>
      </p>
      <ActionError error={error} />
    </>
  );
}
