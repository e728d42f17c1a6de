import type { DeskCredentials } from '#contract/desk/access.ts';
import { describeScope } from '#model/describe-access.ts';
import type { Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './access.module.css';
import { useEffect, useRef, useState } from 'react';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { nextTask } from '#page/kit/next-task.ts';

export type Token = DeskCredentials['tokens'][number];
export type Passkey = DeskCredentials['passkeys'][number];

export const TOKEN_COLUMNS: readonly Column<Token>[] = [
  { name: 'Name', pinned: 'start', cell: ({ name }) => name },
  { name: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { name: 'Scope', cell: (token) => <span className={styles['wide']}>{describeScope(token)}</span> },
  { name: 'Created', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Timestamp at={at} />) },
  { name: 'Expires', cell: ({ expires_at: at }) => <Timestamp at={at} /> },
];

export const PASSKEY_COLUMNS: readonly Column<Passkey>[] = [
  { name: 'Passkey', pinned: 'start', cell: ({ name }) => name },
  { name: 'Added', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Timestamp at={at} />) },
];

interface ShownOnceProps {
  readonly label: string;
  readonly secret: string;
  /** What the secret is for, and how long it is valid. */
  readonly note: string;
  readonly close: () => void;
}

/** Shows a secret that will never be displayed again, to be copied now. */
export function ShownOnce({ label, secret, note, close }: ShownOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const [outcome, setOutcome] = useState('');
  useAnnounced(`${label} created. ${outcome}`);
  // The focus moves here only after a closing window has restored it.
  useEffect(() => {
    void nextTask().then(() => copyButton.current?.focus());
  }, []);
  const copy = (): void => {
    field.current?.select();
    const copied =
      'clipboard' in navigator
        ? navigator.clipboard.writeText(secret)
        : Promise.reject(new Error('This page may not write to the clipboard.'));
    copied.then(
      () => {
        setOutcome('Copied.');
      },
      () => {
        setOutcome(
          'Not copied: the browser does not allow it on this page. The text is selected. Copy it with the keyboard.',
        );
      },
    );
  };
  return (
    <div className={styles['secret']}>
      <p>
        <b>{label}</b> – copy it now: it is not shown again. {note}
      </p>
      <div>
        <input
          ref={field}
          readOnly
          aria-label={label}
          value={secret}
          onFocus={({ target }) => {
            target.select();
          }}
        />
        <button ref={copyButton} type="button" onClick={copy}>
          Copy
        </button>
        <button type="button" onClick={close}>
          Hide
        </button>
      </div>
      {outcome !== '' && <p>{outcome}</p>}
    </div>
  );
}
