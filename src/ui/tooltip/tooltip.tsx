import { Popover } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import styles from './tooltip.module.css';

/** What a tooltip shows, and beside which element. */
export interface TooltipContent {
  readonly anchor: Element;
  readonly title: string;
  readonly content: ReactNode;
}

interface TooltipProps extends TooltipContent {
  readonly pinned: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
  readonly close: () => void;
}

export function Tooltip({ anchor, title, content, pinned, stay, leave, close }: TooltipProps) {
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} sideOffset={4} collisionPadding={8} className={styles['positioner']}>
          <Popover.Popup
            className={styles['popup']}
            initialFocus={pinned}
            finalFocus={() => (pinned && anchor instanceof HTMLElement ? anchor : false)}
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
