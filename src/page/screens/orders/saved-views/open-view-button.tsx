import styles from './views-menu.module.css';
import type { ListControl } from '../list-state/use-list-state.ts';
import type { SavedView } from './saved-views.ts';

interface OpenViewButtonProps {
  readonly view: SavedView;
  readonly list: ListControl;
  readonly close: () => void;
  /** What else there is to say of it. */
  readonly note?: string;
  readonly className?: string | undefined;
}

/** Opens a saved view, and closes what offered it. */
export function OpenViewButton({ view, list, close, note, className }: OpenViewButtonProps) {
  return (
    <button
      type="button"
      className={className}
      aria-current={view.name === list.viewName}
      onClick={() => {
        list.open(view);
        close();
      }}
    >
      {view.name}
      {note !== undefined && (
        <>
          {' '}
          <small className={styles['note']}>{note}</small>
        </>
      )}
    </button>
  );
}
