import { Popover } from '@base-ui/react/popover';
import type { Note } from './note.ts';
import styles from './floating-note.module.css';

interface FloatingNoteProps extends Note {
  readonly pinned: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
  readonly close: () => void;
}

export function FloatingNote({ anchor, title, content, pinned, stay, leave, close }: FloatingNoteProps) {
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
