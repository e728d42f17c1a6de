import { useProvideCommands } from '#page/kit/commands.tsx';
import { type ReactNode, useState } from 'react';

export function useEvidenceCommand(open: () => void): void {
  useProvideCommands(() => [
    { group: 'This screen', label: 'Evidence', remark: 'Save what is on screen with answers and proof', run: open },
  ]);
}

interface EvidenceButtonProps {
  /** Renders the screen’s dialog, whose code loads at that moment. */
  readonly dialog: (close: () => void) => ReactNode;
}

/** A button that opens the dialog for saving the rows on screen with the responses they were computed from. */
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
