import { Popover } from '@base-ui/react/popover';
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import styles from './tooltip.module.css';

/** The content of a tooltip, and the element beside which it is shown. */
export interface TooltipContent {
  readonly anchor: Element;
  readonly title: string;
  readonly content: ReactNode;
}

/** `hover` closes when the pointer leaves, `peek` at the next key; only `pin` takes the focus. */
export type Opening = 'hover' | 'peek' | 'pin';

interface TooltipProps extends TooltipContent {
  readonly opening: Opening;
  readonly stay: () => void;
  readonly leave: () => void;
  /** Closes the tooltip. Called with the pressed element if a press outside closes it. */
  readonly close: (pressedOn?: Element | null) => void;
}

export function Tooltip({ anchor, title, content, opening, stay, leave, close }: TooltipProps) {
  const popup = useRef<HTMLDivElement>(null);
  const isPinned = opening === 'pin';
  useKeyOutside(popup, opening === 'peek', close);
  return (
    <Popover.Root
      open
      onOpenChange={(open, { reason, event }) => {
        if (!open) close(reason === 'outside-press' && event.target instanceof Element ? event.target : null);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} sideOffset={4} collisionPadding={8} className={styles['positioner']}>
          <Popover.Popup
            ref={popup}
            className={styles['popup']}
            initialFocus={isPinned}
            finalFocus={() => (isPinned && anchor instanceof HTMLElement ? anchor : false)}
            onPointerEnter={stay}
            onPointerLeave={leave}
          >
            <Popover.Title className={styles['title']}>{title}</Popover.Title>
            {content}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Reports keys outside a tooltip that has not taken the focus: they act on the page, and the user has moved on. */
function useKeyOutside(popup: { readonly current: HTMLElement | null }, isOn: boolean, onKey: () => void): void {
  const notify = useEffectEvent(onKey);
  // A layout effect, because a key that follows at once must not reach the page.
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.target instanceof Node && popup.current?.contains(event.target) === true) return;
      // Escape only closes the tooltip; any other key also acts on the page.
      if (event.key === 'Escape') event.stopPropagation();
      notify();
    };
    document.addEventListener('keydown', listen, { capture: true });
    return () => {
      document.removeEventListener('keydown', listen, { capture: true });
    };
  }, [popup, isOn]);
}
