import { type KeyboardEventHandler, type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface AnchoredPopoverProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly className: string | undefined;
  readonly role?: 'dialog' | 'menu';
  readonly onKeyDown?: KeyboardEventHandler<HTMLElement>;
  /** Called when the popover has closed. */
  readonly onClose: () => void;
  readonly children: (hide: (event: Pick<MouseEvent, 'currentTarget'>) => void) => ReactNode;
}

/**
 * A focused popover beside its anchor. It is the browser’s own, which closes on Escape and on a press outside, because
 * the library’s weighs more than everything else here. Its position is in `--top` and `--end`.
 */
export function AnchoredPopover({
  label,
  anchor,
  className,
  role = 'dialog',
  onKeyDown,
  onClose,
  children,
}: AnchoredPopoverProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (popup.current !== null) showBeside(anchor, popup.current);
  }, [anchor]);
  return (
    <div
      ref={popup}
      popover="auto"
      role={role}
      aria-label={label}
      tabIndex={-1}
      className={className}
      onKeyDown={onKeyDown}
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

const GAP = 4;

/** Shows the popover below the anchor, or above it where there is more room. */
function showBeside(anchor: HTMLElement, popup: HTMLElement): void {
  const { top, bottom, right } = anchor.getBoundingClientRect();
  const place = (start: number): void => {
    popup.style.setProperty('--top', `${String(Math.round(start))}px`);
  };
  place(bottom);
  popup.style.setProperty('--end', `${String(Math.round(innerWidth - right))}px`);
  popup.showPopover();
  const height = popup.offsetHeight + 2 * GAP;
  if (bottom + height > innerHeight && top > innerHeight - bottom) place(Math.max(0, top - height));
  // The keyboard acts on the items of a menu, and the first is active at once.
  (popup.querySelector<HTMLElement>('[role=menuitem]') ?? popup).focus();
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
