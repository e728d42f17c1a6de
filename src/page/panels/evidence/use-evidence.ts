import { type ReactNode, useState } from 'react';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { MenuItem } from '#page/kit/menu.tsx';

const LABEL = 'Evidence';
const REMARK = 'Save what is on screen with answers and proof';

export function useEvidenceCommand(open: () => void): void {
  useProvideCommands(() => [{ group: 'This screen', label: LABEL, remark: REMARK, run: open }]);
}

/**
 * Returns the item of an Export menu for saving the rows on screen with the responses they were computed from, and the
 * dialog that it opens. `render` renders the screen’s dialog, whose code loads at that moment.
 */
export function useEvidence(render: (close: () => void) => ReactNode): {
  readonly item: MenuItem;
  readonly dialog: ReactNode;
} {
  const [isOpen, setOpen] = useState(false);
  const item: MenuItem = {
    label: LABEL,
    remark: 'with answers and proof',
    run: () => {
      setOpen(true);
    },
  };
  return {
    item,
    dialog:
      isOpen &&
      render(() => {
        setOpen(false);
      }),
  };
}
