import type { ReactNode } from 'react';

interface ShowAllProps {
  /** How many of how many are shown. */
  readonly children: ReactNode;
  readonly onShow: () => void;
  readonly className?: string | undefined;
}

/** Below a shortened list: how much is shown, and a button for the rest. */
export function ShowAll({ children, onShow, className }: ShowAllProps) {
  return (
    <p className={className}>
      {children}{' '}
      <button type="button" onClick={onShow}>
        Show all
      </button>
    </p>
  );
}
