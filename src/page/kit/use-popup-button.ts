import { useRef, useState } from 'react';

/** A button that opens a popup at itself, and closes it. */
export function usePopupButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  // A press closes an open popup before its click arrives here.
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
