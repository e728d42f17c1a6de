import type { ListControl } from '../list-state/use-list-state.ts';
import type { SavedView } from './saved-views.ts';

interface OpenViewButtonProps {
  readonly view: SavedView;
  readonly list: ListControl;
  readonly close: () => void;
  readonly className?: string | undefined;
}

/** Opens a saved view, and closes what offered it. */
export function OpenViewButton({ view, list, close, className }: OpenViewButtonProps) {
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
    </button>
  );
}
