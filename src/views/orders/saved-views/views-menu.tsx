import { useRef, useState } from 'react';
import { lazyOverlay } from '#ui/lazy.tsx';
import type { SavedViews } from './use-saved-views.ts';
import styles from './views-menu.module.css';

const LazyViewsPopup = lazyOverlay(async () => (await import('./views-popup.tsx')).ViewsPopup);

interface ViewsMenuProps {
  readonly saved: SavedViews;
  /** Opens the dialog that saves and deletes views. */
  readonly manage: () => void;
}

/** The saved views, beside the filters that they set. */
export function ViewsMenu({ saved, manage }: ViewsMenuProps) {
  const { viewName } = saved.list;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  // A press closes an open menu before its click arrives here.
  const wasOpenRef = useRef(false);
  return (
    <>
      <button
        ref={setAnchor}
        type="button"
        className={styles['button']}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onFocus={LazyViewsPopup.prefetch}
        onPointerEnter={LazyViewsPopup.prefetch}
        onPointerDown={() => {
          wasOpenRef.current = isOpen;
        }}
        onClick={() => {
          setOpen(!wasOpenRef.current);
          wasOpenRef.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <span>
          Views
          {viewName !== '' && (
            <>
              : <b>{viewName}</b>
            </>
          )}
        </span>
      </button>
      {isOpen && anchor !== null && (
        <LazyViewsPopup
          anchor={anchor}
          {...saved}
          manage={manage}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
