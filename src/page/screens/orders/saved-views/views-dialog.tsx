import type { ListControl, ListName } from '../list-state/use-list-state.ts';
import { Fragment, useState } from 'react';
import { useShareAction } from '#page/client/react/use-saved-api.ts';
import { SHARED_ROLES, type SharedRole } from '#contract/desk/saved.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { useAnnounce, useAnnounced } from '#page/kit/live-region.tsx';
import styles from '../shared/orders.module.css';
import { formatViews, parseViews, type SavedView, VIEWS_OF } from './saved-views.ts';
import { OpenViewButton, SharedViewList, type SharedViews, useSharedViews } from './shared-views.tsx';
import lines from '#page/kit/dialog-lines.module.css';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { download } from '#page/kit/download.ts';
import { ImportFile } from '#page/kit/import-file.tsx';
import { SavedNote } from '#page/kit/saved-note.tsx';
import type { SavedViews } from './use-saved-views.ts';

interface ShareCodesProps {
  readonly list: ListControl;
}

/** Chooses whether addresses contain codes instead of aliases. */
export function ShareCodes({ list: { sharesCodes, shareCodes } }: ShareCodesProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={sharesCodes}
        onChange={({ target }) => {
          shareCodes(target.checked);
        }}
      />{' '}
      Show account, firm and connection codes in links
    </label>
  );
}

interface ShareViewProps {
  readonly view: SavedView;
  readonly of: ListName;
  readonly shared: SharedViews;
  readonly close: () => void;
}

/** Shares a view with a role, replacing an earlier share of the same name and role. */
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

interface ViewsDialogProps extends SavedViews {
  readonly close: () => void;
}

export function ViewsDialog({ list, store, views, close }: ViewsDialogProps) {
  const shared = useSharedViews(store.of);
  const [name, setName] = useState(list.viewName);
  const save = (): void => {
    if (name.trim() === '') return;
    const view = { name: name.trim(), query: list.toQuery() };
    store.save([view]);
    list.open(view);
  };
  return (
    <LazyDialog title="Saved views" close={close}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label className={styles['naming']}>
          Name
          <input
            type="text"
            value={name}
            onChange={({ target }) => {
              setName(target.value);
            }}
          />
        </label>
        <button type="submit">Save view</button>
      </form>
      <OwnViews list={list} store={store} views={views} shared={shared} close={close} />
      {views.length === 0 ? (
        <p className={styles['form']}>{VIEWS_OF[store.of].none}</p>
      ) : (
        <SavedNote name={`${store.of}.views`} className={styles['form']} />
      )}
      <ViewFiles store={store} views={views} />
      {shared !== null && <SharedViewList shared={shared} list={list} store={store} views={views} close={close} />}
      <p className={styles['form']}>
        <ShareCodes list={list} />
      </p>
      <p className={`${styles['form'] ?? ''} ${styles['quiet'] ?? ''}`}>
        Otherwise links contain aliases that only this Perpdesk resolves.
      </p>
    </LazyDialog>
  );
}

interface OwnViewsProps extends ViewsDialogProps {
  readonly shared: SharedViews | null;
}

function OwnViews({ list, store, views, shared, close }: OwnViewsProps) {
  const [sharing, setSharing] = useState('');
  return (
    <ul className={lines['lines']} aria-label="Saved views">
      {views.map((view) => (
        <Fragment key={view.name}>
          <li>
            <OpenViewButton view={view} list={list} close={close} className={styles['view']} />
            {shared !== null && (
              <button
                type="button"
                aria-label={`Share ${view.name} with a role`}
                aria-expanded={sharing === view.name}
                onClick={() => {
                  setSharing(sharing === view.name ? '' : view.name);
                }}
              >
                Share
              </button>
            )}
            <button
              type="button"
              aria-label={`Delete ${view.name}`}
              onClick={() => {
                store.remove(view.name);
              }}
            >
              Delete
            </button>
          </li>
          {shared !== null && sharing === view.name && (
            <li>
              <ShareView
                view={view}
                of={store.of}
                shared={shared}
                close={() => {
                  setSharing('');
                }}
              />
            </li>
          )}
        </Fragment>
      ))}
    </ul>
  );
}

const REFUSED =
  'This is not a file of this list’s saved views, or it was saved by a newer version of Perpdesk. ' +
  'Nothing was imported.';

function ViewFiles({ store: { of, save }, views: saved }: Pick<ViewsDialogProps, 'store' | 'views'>) {
  const [refused, setRefused] = useState(false);
  useAnnounced(refused ? REFUSED : null);
  const read = (text: string): void => {
    const views = parseViews(text, of);
    setRefused(views === null);
    if (views !== null) save(views);
  };
  return (
    <div className={styles['form']}>
      <button
        type="button"
        disabled={saved.length === 0}
        onClick={() => {
          download(`${VIEWS_OF[of].fileName}.json`, formatViews(saved, of), 'application/json');
        }}
      >
        Export to file
      </button>
      <ImportFile read={read} />
      {refused && <p>{REFUSED}</p>}
    </div>
  );
}
