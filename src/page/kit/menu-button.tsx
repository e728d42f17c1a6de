import type { ReactNode } from 'react';
import { usePopupButton } from './anchored-popover.tsx';
import { lazyOverlay } from './lazy.tsx';
import type { MenuItem } from './menu.tsx';

const Menu = lazyOverlay(async () => (await import('./menu.tsx')).Menu);

interface MenuButtonProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A button that opens a menu, whose code loads when it is likely to be used. */
export function MenuButton({ label, items, className, children }: MenuButtonProps) {
  const { anchor, isOpen, setOpen, button } = usePopupButton();
  return (
    <>
      <button
        {...button}
        aria-haspopup="menu"
        aria-label={label}
        className={className}
        onPointerEnter={Menu.prefetch}
        onFocus={Menu.prefetch}
      >
        {children}
      </button>
      {isOpen && anchor !== null && (
        <Menu
          label={label}
          anchor={anchor}
          items={items}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
