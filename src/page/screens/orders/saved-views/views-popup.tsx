import { Popover } from '@base-ui/react/popover';
import type { KeyboardEvent } from 'react';
import { describeSharing, OpenViewButton, useSharedViews } from './shared-views.tsx';
import type { ListName } from '../list-state/use-list-state.ts';
import { VIEWS_OF } from './saved-views.ts';
import type { SavedViews } from './use-saved-views.ts';
import styles from './views-menu.module.css';

interface ViewsPopupProps extends SavedViews {
  readonly anchor: HTMLElement;
  readonly manage: () => void;
  readonly close: () => void;
}

/** Lists the views in a popover. The same library's menu component would be as large as the whole screen. */
export function ViewsPopup({ anchor, list, store, views, manage, close }: ViewsPopupProps) {
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={styles['positioner']}
        >
          <Popover.Popup
            className={styles['popup']}
            aria-label="Open a view"
            finalFocus={() => anchor}
            onKeyDown={moveByArrows}
          >
            <ul aria-label="Saved views">
              {views.map((view) => (
                <li key={view.name}>
                  <OpenViewButton view={view} list={list} close={close} />
                </li>
              ))}
            </ul>
            {views.length === 0 && <p>{VIEWS_OF[store.of].none}</p>}
            <SharedByOthers of={store.of} list={list} close={close} />
            <button
              type="button"
              onClick={() => {
                close();
                manage();
              }}
            >
              Save or manage…
            </button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Lists views shared by others; own views are listed above. */
function SharedByOthers({ of, list, close }: Pick<ViewsPopupProps, 'list' | 'close'> & { readonly of: ListName }) {
  const shared = useSharedViews(of);
  if (shared === null) return null;
  const others = shared.views?.filter((view) => !view.is_own) ?? [];
  return (
    <>
      {others.length > 0 && (
        <ul aria-label="Shared views">
          {others.map((view) => (
            <li key={view.id}>
              <OpenViewButton view={view} list={list} close={close} note={describeSharing(view)} />
            </li>
          ))}
        </ul>
      )}
      {shared.problem !== null && <p>Shared views could not be loaded: {shared.problem}</p>}
    </>
  );
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

/** Moves the focus between buttons with the arrow keys, wrapping around at the ends. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS.get(event.key);
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons.at((at + step) % buttons.length)?.focus();
}
