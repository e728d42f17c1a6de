import { useState } from 'react';
import { useShareAction } from '#api/react/use-saved-api.ts';
import type { SharedView } from '#contract/desk-saved.ts';
import { ActionError } from '#panels/action-error.tsx';
import lines from '#ui/dialog-lines.module.css';
import { useAnnounced } from '#ui/live-region.tsx';
import styles from '../orders.module.css';
import { OpenViewButton } from './open-view-button.tsx';
import type { SavedViews } from './use-saved-views.ts';
import type { SharedViews } from './use-shared-views.ts';

interface SharedViewListProps extends Pick<SavedViews, 'list' | 'store' | 'views'> {
  readonly shared: SharedViews;
  readonly close: () => void;
}

/** Views that others share with a role of the viewer, and own ones. */
export function SharedViewList({ shared: { views: shared, problem }, list, store, views, close }: SharedViewListProps) {
  const { mutate, error, isPending } = useShareAction('unshareView');
  const [copied, setCopied] = useState('');
  useAnnounced(copied === '' ? null : `Copied to your views as ${copied}.`);
  const copy = ({ name, query }: SharedView): void => {
    const as = toFreeName(name, views.map((view) => view.name));
    store.save([{ name: as, query }]);
    setCopied(as);
  };
  return (
    <>
      <h3 className={styles['form']}>Shared views</h3>
      <ul className={lines['lines']} aria-label="Shared views">
        {shared?.map((view) => (
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
      <p className={styles['form']}>{describeList(shared, problem, copied)}</p>
      <ActionError error={error} />
    </>
  );
}

export function describeSharing({ is_own: isOwn, by, role }: SharedView): string {
  return isOwn ? `with ${role}` : `by ${by}, with ${role}`;
}

const LISTED = 'Shared views that name accounts, clearing firms or connections beyond your scope are not listed.';

function describeList(shared: readonly SharedView[] | undefined, problem: string | null, copied: string): string {
  if (problem !== null) return `Shared views could not be ${shared === undefined ? 'loaded' : 'refreshed'}: ${problem}`;
  if (shared === undefined) return 'Loading shared views…';
  if (copied !== '') return `Copied to your views as “${copied}”.`;
  return shared.length === 0 ? `No shared views. ${LISTED}` : LISTED;
}

function toFreeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name} (${String(number)})`;
  return free;
}
