import { useState } from 'react';
import type { ReactNode } from 'react';
import { useEvidenceCommand } from './use-evidence-command.ts';

interface EvidenceButtonProps {
  /** The screen’s dialog, whose code loads with it. */
  readonly dialog: (close: () => void) => ReactNode;
}

/** Saves what is on screen with the answers it was computed from. */
export function EvidenceButton({ dialog }: EvidenceButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
  };
  useEvidenceCommand(open);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={open}>
        Evidence
      </button>
      {isOpen &&
        dialog(() => {
          setOpen(false);
        })}
    </>
  );
}
