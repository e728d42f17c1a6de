import { useEffect, useRef, useState } from 'react';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { nextTask } from '#page/kit/next-task.ts';
import styles from '../shared/access.module.css';

interface ShownOnceProps {
  readonly label: string;
  readonly secret: string;
  /** What it is for, and until when. */
  readonly note: string;
  readonly close: () => void;
}

/** A secret that nobody can see again, to be copied now. */
export function ShownOnce({ label, secret, note, close }: ShownOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const [outcome, setOutcome] = useState('');
  useAnnounced(`${label} created. ${outcome}`);
  // A window in which it was created gives the focus back as it closes: after that.
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
