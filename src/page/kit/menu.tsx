import type { KeyboardEvent } from 'react';
import { AnchoredPopover } from './anchored-popover.tsx';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  /** Secondary text beside the label. */
  readonly remark?: string;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly items: readonly MenuItem[];
  readonly close: () => void;
}

/** A menu below its button. Arrows, Home and End move in it; Escape and Tab leave it. */
export function Menu({ label, anchor, items, close }: MenuProps) {
  return (
    <AnchoredPopover
      role="menu"
      label={label}
      anchor={anchor}
      className={styles['menu']}
      onKeyDown={pressInMenu}
      onClose={close}
    >
      {(hide) =>
        items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={(event) => {
              hide(event);
              item.run();
            }}
          >
            {item.label}
            {item.remark !== undefined && <span className={styles['remark']}>{item.remark}</span>}
          </button>
        ))
      }
    </AnchoredPopover>
  );
}

function pressInMenu(event: KeyboardEvent<HTMLElement>): void {
  // Keys of the screen do not act while its menu is open.
  event.stopPropagation();
  if (event.key === 'Tab') {
    event.currentTarget.hidePopover();
    return;
  }
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const place = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
