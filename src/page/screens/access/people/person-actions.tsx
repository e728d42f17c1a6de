import { useState } from 'react';
import { useAccessAction } from '#page/client/react/use-access-api.ts';
import type { Person } from '#contract/desk/access.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { ShownOnce } from '../shared/credentials.tsx';
import { count, describeInvitation, type Keep } from './describe-ways.ts';
import styles from '../shared/access.module.css';

interface PersonActionsProps {
  readonly person: Person;
  readonly managed: boolean;
  readonly close: () => void;
}

const QUESTIONS = {
  managed: 'Delete, with sessions, API tokens and saved views?',
  provided: 'Delete, with sessions, saved views and preferences?',
} as const;

/** Offers the actions on a person that take effect at once, apart from editing what they may see. */
export function PersonActions({ person, managed, close }: PersonActionsProps) {
  const { id, name, roles, scope, disabled, sessions } = person;
  const change = useAccessAction('putPerson');
  const end = useAccessAction('endSessionsOf');
  const remove = useAccessAction('deletePerson');
  const [keep, setKeep] = useState<Keep>({ tokens: false, passkeys: false });
  const query = toQuery(keep);
  const isBusy = change.isPending || end.isPending || remove.isPending;
  const setDisabled = (next: boolean): void => {
    change.mutate({
      query,
      body: { id, name, roles, scope, disabled: next, before: { name, roles, scope, disabled } },
    });
  };
  return (
    <section className={styles['fields']} aria-label={`Actions on ${name}`}>
      {managed && !disabled && (
        <>
          <EndsAlso person={person} keep={keep} onChange={setKeep} />
          <InviteButton person={person} keep={keep} />
        </>
      )}
      <p className={styles['actions']}>
        {Boolean(sessions) && (
          <ConfirmButton
            label="End sessions"
            question={sessions === 1 ? 'End the session?' : `End all ${String(sessions)} sessions?`}
            of={`of ${name}`}
            isBusy={isBusy}
            run={() => {
              end.mutate({ query: { id, ...query } });
            }}
          />
        )}
        {managed && <StateButton person={person} isBusy={isBusy} change={setDisabled} />}
        <ConfirmButton
          label="Delete"
          question={QUESTIONS[managed ? 'managed' : 'provided']}
          of={name}
          isBusy={isBusy}
          run={() => {
            remove.mutate({ query: { id } }, { onSuccess: close });
          }}
        />
      </p>
      {!managed && (
        <p>
          After you delete {name}, they can sign in again for as long as the provider or proxy allows it, and then start
          without saved views or preferences.
        </p>
      )}
      <ActionError error={change.error ?? end.error ?? remove.error} />
    </section>
  );
}

interface StateButtonProps {
  readonly person: Person;
  readonly isBusy: boolean;
  readonly change: (disabled: boolean) => void;
}

/** Asks for confirmation only to disable, because enabling can be undone. */
function StateButton({ person: { name, disabled }, isBusy, change }: StateButtonProps) {
  if (!disabled)
    return (
      <ConfirmButton
        label="Disable"
        question="Disable, and end sessions?"
        of={name}
        isBusy={isBusy}
        run={() => {
          change(true);
        }}
      />
    );
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) change(false);
      }}
    >
      Enable
    </button>
  );
}

function toQuery({ tokens, passkeys }: Keep): { readonly keep_tokens?: string; readonly keep_passkeys?: string } {
  return { ...(tokens && { keep_tokens: 'true' }), ...(passkeys && { keep_passkeys: 'true' }) };
}

interface EndsAlsoProps {
  readonly person: Person;
  readonly keep: Keep;
  readonly onChange: (keep: Keep) => void;
}

/**
 * Tokens and passkeys end with the sign-in sessions unless they are kept: an intruder who used a session may have added
 * them.
 */
function EndsAlso({ person: { tokens, passkeys }, keep, onChange }: EndsAlsoProps) {
  if (tokens + passkeys === 0) return null;
  return (
    <fieldset className={styles['group']}>
      <legend>When sessions end: by “End sessions”, “Disable”, or an invitation link that is used</legend>
      {tokens > 0 && (
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={!keep.tokens}
            onChange={({ target }) => {
              onChange({ ...keep, tokens: !target.checked });
            }}
          />
          <b>Also revoke {count(tokens, 'API token')}</b>
        </label>
      )}
      {passkeys > 0 && (
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={!keep.passkeys}
            onChange={({ target }) => {
              onChange({ ...keep, passkeys: !target.checked });
            }}
          />
          <b>Also remove {count(passkeys, 'passkey')}</b>
        </label>
      )}
    </fieldset>
  );
}

function InviteButton({ person, keep }: Omit<EndsAlsoProps, 'onChange'>) {
  const [zone] = useZone();
  const { mutate, data, reset, error, isPending } = useAccessAction('invitePerson');
  /** The consequences of the link, as they were when it was created. */
  const [ends, setEnds] = useState('');
  if (data !== undefined) {
    const note =
      'Send it only to this person: anyone with the link can choose the password. It works ' +
      `once, until ${formatInstant(Date.parse(data.expires_at), zone)}. ${ends}`;
    return <ShownOnce label="Invitation link" secret={location.origin + data.path} note={note} close={reset} />;
  }
  return (
    <>
      <p className={styles['actions']}>
        <button
          type="button"
          aria-disabled={isPending}
          onClick={() => {
            if (isPending) return;
            setEnds(describeInvitation(person, keep));
            mutate({ query: { id: person.id, ...toQuery(keep) } });
          }}
        >
          Create invitation link
        </button>
        <span>{person.has_password ? 'Replaces a forgotten password.' : 'Lets this person choose a password.'}</span>
      </p>
      <ActionError error={error} />
    </>
  );
}
