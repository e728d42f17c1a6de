import { useState } from 'react';
import lines from '#ui/dialog-lines.module.css';
import { LazyDialog } from '#ui/lazy.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { download } from '#ui/download.ts';
import styles from '../orders.module.css';
import { ShareCodes } from '../list-state/share-codes.tsx';
import { OpenViewButton } from './open-view-button.tsx';
import { formatViews, NO_VIEWS, parseViews, type SavedView, type ViewStore } from './saved-views.ts';
import type { ListControl } from '../list-state/use-list-state.ts';

interface ViewsDialogProps {
  readonly list: ListControl;
  readonly store: ViewStore;
  readonly views: readonly SavedView[];
  readonly close: () => void;
}

export function ViewsDialog({ list, store, views, close }: ViewsDialogProps) {
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
        <label className={styles['choice']}>
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
      <ul className={lines['lines']} aria-label="Saved views">
        {views.map((view) => (
          <li key={view.name}>
            <OpenViewButton view={view} list={list} close={close} className={styles['view']} />
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
        ))}
      </ul>
      {views.length === 0 && <p className={styles['form']}>{NO_VIEWS}</p>}
      <ViewFiles save={store.save} text={formatViews(views)} any={views.length > 0} />
      <p className={styles['form']}>
        <ShareCodes list={list} />
      </p>
      <p className={styles['form']}>Otherwise links contain aliases that only this Perpdesk resolves.</p>
    </LazyDialog>
  );
}

interface ViewFilesProps {
  readonly save: ViewStore['save'];
  readonly text: string;
  readonly any: boolean;
}

const REFUSED = 'This is not a saved-views file, or it was saved by a newer version of Perpdesk. Nothing was imported.';

function ViewFiles({ save, text, any }: ViewFilesProps) {
  const [refused, setRefused] = useState(false);
  useAnnounced(refused ? REFUSED : null);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const views = parseViews(await file.text());
    setRefused(views === null);
    if (views !== null) save(views);
  };
  return (
    <div className={styles['form']}>
      <button
        type="button"
        disabled={!any}
        onClick={() => {
          download('perpdesk-order-views.json', text, 'application/json');
        }}
      >
        Export to file
      </button>
      <label className={styles['choice']}>
        Import from file
        <input
          type="file"
          accept="application/json,.json"
          onChange={({ target }) => {
            void read(target.files?.[0]);
          }}
        />
      </label>
      {refused && <p>{REFUSED}</p>}
    </div>
  );
}
