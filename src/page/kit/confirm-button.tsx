import { useState } from 'react';

interface ConfirmButtonProps {
  readonly label: string;
  /** What the second press does, as a question. */
  readonly question: string;
  /** Names what it is about, for screen readers. */
  readonly of: string;
  readonly isBusy: boolean;
  readonly run: () => void;
}

/** For what cannot be undone: the first press asks, the second does it. */
export function ConfirmButton({ label, question, of, isBusy, run }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      aria-label={isAsking ? `${question} Confirm: ${label.toLowerCase()} ${of}` : `${label} ${of}`}
      onBlur={() => {
        setAsking(false);
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
