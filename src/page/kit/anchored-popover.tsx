import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface AnchoredPopoverProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly className: string | undefined;
  /** Called when the popover has closed. */
  readonly onClose: () => void;
  readonly children: (hide: (event: Pick<MouseEvent, 'currentTarget'>) => void) => ReactNode;
}

/**
 * A focused popover below its anchor. It is the browser’s own, which closes on Escape and on a press outside, because
 * the library’s weighs more than everything else here. Its position is in `--top` and `--end`.
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

/** Hides the popover that contains the pressed element. */
function hide({ currentTarget }: Pick<MouseEvent, 'currentTarget'>): void {
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}

/** Returns the state and the props of a button that opens a popup next to it and closes it again. */
export function usePopupButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  // The press closes an open popup before its click arrives here.
  const wasOpenRef = useRef(false);
  const button = {
    'ref': setAnchor,
    'type': 'button',
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    'onPointerDown': () => {
      wasOpenRef.current = isOpen;
    },
    'onClick': () => {
      setOpen(!wasOpenRef.current);
      wasOpenRef.current = false;
    },
  } as const;
  return { anchor, isOpen, setOpen, button };
}
