import { useQuery } from '@tanstack/react-query';
import { presentError } from '#page/client/present-error.ts';
import { useAccess } from '#page/client/react/use-api.tsx';
import { useSavedApi, useShareAction } from '#page/client/react/use-saved-api.ts';
import type { SharedView } from '#contract/desk/saved.ts';
import type { ListControl, ListName } from '../list-state/use-list-state.ts';
import menu from './views-menu.module.css';
import type { SavedView } from './saved-views.ts';
import { useState } from 'react';
import { ActionError } from '#page/panels/action-error.tsx';
import lines from '#page/kit/dialog-lines.module.css';
import { useAnnounced } from '#page/kit/live-region.tsx';
import styles from '../shared/orders.module.css';
import type { SavedViews } from './use-saved-views.ts';

export interface SharedViews {
  /** The shared views of this list, including own ones; undefined until they have been read. */
  readonly views: readonly SharedView[] | undefined;
  /** Why the views could not be read or refreshed; null if they could. */
  readonly problem: string | null;
}

/** Reads the shared views of a list. Returns null where nobody signs in, since there is nobody to share with. */
export function useSharedViews(of: ListName): SharedViews | null {
  const isShared = useAccess() !== null;
  const { data, error } = useQuery({ ...useSavedApi().queries.sharedViews(), enabled: isShared });
  return isShared
    ? { views: data?.value.views.filter(({ list }) => list === of), problem: error && presentError(error).detail }
    : null;
}

interface OpenViewButtonProps {
  readonly view: SavedView;
  readonly list: ListControl;
  readonly close: () => void;
  /** An additional remark. */
  readonly note?: string;
  readonly className?: string | undefined;
}

/** Opens a saved view, and closes the dialog or popup that offered it. */
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
          <small className={menu['note']}>{note}</small>
        </>
      )}
    </button>
  );
}

interface SharedViewListProps extends Pick<SavedViews, 'list' | 'store' | 'views'> {
  readonly shared: SharedViews;
  readonly close: () => void;
}

/** Lists views shared with a role of the viewer, and the viewer's own. */
export function SharedViewList({ shared: { views: shared, problem }, list, store, views, close }: SharedViewListProps) {
  const isLimited = useAccess()?.me?.scope.all === false;
  const [copied, setCopied] = useState('');
  useAnnounced(copied === '' ? null : `Copied to your views as ${copied}.`);
  const copy = ({ name, query }: SharedView): void => {
    const as = toFreeName(
      name,
      views.map((view) => view.name),
    );
    store.save([{ name: as, query }]);
    setCopied(as);
  };
  const remark = describeList(shared, problem, copied);
  return (
    <>
      <h3 className={styles['form']}>Shared views</h3>
      {shared !== undefined && shared.length > 0 && (
        <SharedLines shared={shared} list={list} copy={copy} close={close} />
      )}
      {remark !== null && <p className={styles['form']}>{remark}</p>}
      {isLimited && (
        <p className={styles['form']}>
          Shared views that name accounts, clearing firms or connections beyond your scope are not listed.
        </p>
      )}
    </>
  );
}

interface SharedLinesProps extends Pick<SharedViewListProps, 'list' | 'close'> {
  readonly shared: readonly SharedView[];
  readonly copy: (view: SharedView) => void;
}

function SharedLines({ shared, list, copy, close }: SharedLinesProps) {
  const { mutate, error, isPending } = useShareAction('unshareView');
  return (
    <>
      <ul className={lines['lines']} aria-label="Shared views">
        {shared.map((view) => (
          <li key={view.id}>
            <OpenViewButton view={view} list={list} close={close} className={styles['view']} />
            <span className={styles['quiet']}>{describeSharing(view)}</span>
            <button
              type="button"
              aria-label={`Copy ${view.name} to your views`}
              onClick={() => {
                copy(view);
              }}
            >
              Copy
            </button>
            {view.may_change && (
              <button
                type="button"
                aria-disabled={isPending}
                aria-label={`Stop sharing ${view.name} with ${view.role}`}
                onClick={() => {
                  if (!isPending) mutate({ query: { id: view.id } });
                }}
              >
                Stop sharing
              </button>
            )}
          </li>
        ))}
      </ul>
      <ActionError error={error} />
    </>
  );
}

export function describeSharing({ is_own: isOwn, by, role }: SharedView): string {
  return isOwn ? `for the ${role} role` : `by ${by}, for the ${role} role`;
}

function describeList(
  shared: readonly SharedView[] | undefined,
  problem: string | null,
  copied: string,
): string | null {
  if (problem !== null) return `Shared views could not be ${shared === undefined ? 'loaded' : 'refreshed'}: ${problem}`;
  if (shared === undefined) return 'Loading shared views…';
  if (copied !== '') return `Copied to your views as “${copied}”.`;
  return shared.length === 0 ? 'No shared views.' : null;
}

function toFreeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name} (${String(number)})`;
  return free;
}
