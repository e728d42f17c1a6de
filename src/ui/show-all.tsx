import type { ReactNode } from 'react';

interface ShowAllProps {
  /** How many are shown, and of how many. */
  readonly children: ReactNode;
  readonly onShow: () => void;
  readonly className?: string | undefined;
}

/** Says below a list that it is not all there is, and shows the rest. */
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
