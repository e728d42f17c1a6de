import { lazyOverlay } from '#page/kit/lazy.tsx';
import { usePopupButton } from '#page/kit/anchored-popover.tsx';
import type { SavedViews } from './use-saved-views.ts';
import styles from './views-menu.module.css';

export const LazyViewsDialog = lazyOverlay(async () => (await import('./views-dialog.tsx')).ViewsDialog);

const LazyViewsPopup = lazyOverlay(async () => (await import('./views-popup.tsx')).ViewsPopup);

interface ViewsMenuProps {
  readonly saved: SavedViews;
  /** Opens the dialog that saves and deletes views. */
  readonly manage: () => void;
}

/** Offers the saved views next to the filters that they set. */
export function ViewsMenu({ saved, manage }: ViewsMenuProps) {
  const { viewName } = saved.list;
  const { anchor, isOpen, setOpen, button } = usePopupButton();
  return (
    <>
      <button
        {...button}
        className={styles['button']}
        onFocus={LazyViewsPopup.prefetch}
        onPointerEnter={LazyViewsPopup.prefetch}
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
