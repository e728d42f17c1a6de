import { useState } from 'react';

interface ConfirmButtonProps {
  readonly label: string;
  /** A question about what the second press does. */
  readonly question: string;
  /** The object of the action, for screen readers. */
  readonly of: string;
  readonly isBusy: boolean;
  readonly run: () => void;
}

/** A button for an action that cannot be undone: the first press asks for confirmation, the second performs it. */
export function ConfirmButton({ label, question, of, isBusy, run }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      aria-label={isAsking ? `${question} Confirm: ${label.toLowerCase()} ${of}` : `${label} ${of}`}
      onBlur={({ relatedTarget }) => {
        // A dialog takes the focus of a button that is gone, a moment later. Nobody has left this one.
        if (relatedTarget?.getAttribute('role') !== 'dialog') setAsking(false);
      }}
      onClick={() => {
        if (isBusy) return;
        if (isAsking) run();
        setAsking(!isAsking);
      }}
    >
      {isAsking ? question : label}
    </button>
  );
}
