import { useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react';

interface AnchoredPopoverProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly className: string | undefined;
  /** It is no longer shown. */
  readonly onClose: () => void;
  readonly children: (hide: (event: Pick<MouseEvent, 'currentTarget'>) => void) => ReactNode;
}

/**
 * Below its button, with the focus. The browser’s own popover closes it on Escape and on a press beside it; the library’s
 * weighs more than all the rest of it. Its place is in `--top` and `--end`.
 */
export function AnchoredPopover({ label, anchor, className, onClose, children }: AnchoredPopoverProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { bottom, right } = anchor.getBoundingClientRect();
    popup.current?.style.setProperty('--top', `${String(Math.round(bottom))}px`);
    popup.current?.style.setProperty('--end', `${String(Math.round(innerWidth - right))}px`);
    popup.current?.showPopover();
    popup.current?.focus();
  }, [anchor]);
  return (
    <div
      ref={popup}
      popover="auto"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={className}
      onToggle={({ newState, currentTarget }) => {
        if (newState === 'open') return;
        if (currentTarget.contains(document.activeElement) || document.activeElement === document.body) anchor.focus();
        onClose();
      }}
    >
      {children(hide)}
    </div>
  );
}

/** Of what is pressed within it. */
function hide({ currentTarget }: Pick<MouseEvent, 'currentTarget'>): void {
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}
