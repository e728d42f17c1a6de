import { useState } from 'react';
import { useShareAction } from '#page/client/react/use-saved-api.ts';
import { SHARED_ROLES, type SharedRole } from '#contract/desk/saved.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import type { ListName } from '../list-state/use-list-state.ts';
import styles from '../shared/orders.module.css';
import type { SavedView } from './saved-views.ts';
import type { SharedViews } from './use-shared-views.ts';

interface ShareViewProps {
  readonly view: SavedView;
  readonly of: ListName;
  readonly shared: SharedViews;
  readonly close: () => void;
}

/** Shares a view as it is now with a role, or shares it anew where it has been shared before. */
export function ShareView({ view, of, shared, close }: ShareViewProps) {
  const [role, setRole] = useState<SharedRole>('orders');
  const { mutate, error, isPending } = useShareAction('shareView');
  const announce = useAnnounce();
  const before = shared.views?.find((one) => one.is_own && one.name === view.name && one.role === role);
  const share = (): void => {
    if (isPending) return;
    const onSuccess = (): void => {
      announce(`${view.name} is shared with ${role}.`);
      close();
    };
    mutate(
      {
        body: {
          id: before?.id ?? '',
          list: of,
          name: view.name,
          query: view.query,
          role,
          before: before?.version ?? 0,
        },
      },
      { onSuccess },
    );
  };
  return (
    <form
      className={styles['form']}
      aria-label={`Share ${view.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        share();
      }}
    >
      <label className={styles['choice']}>
        Share “{view.name}” with the role
        <select
          autoFocus
          value={role}
          onChange={({ target }) => {
            setRole(SHARED_ROLES.find((one) => one === target.value) ?? role);
          }}
        >
          {SHARED_ROLES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" aria-disabled={isPending}>
        {before === undefined ? 'Share' : 'Share again'}
      </button>
      <button type="button" onClick={close}>
        Cancel
      </button>
      <p className={styles['hint']}>
        Only people who may see every account, clearing firm and connection that the view names can open it.
      </p>
      <ActionError error={error} />
    </form>
  );
}
