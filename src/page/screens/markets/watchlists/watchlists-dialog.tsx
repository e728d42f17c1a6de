import { useRef } from 'react';
import { countOf } from '#model/format/count.ts';
import lines from '#page/kit/dialog-lines.module.css';
import { Dialog } from '#page/kit/dialog.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { addList, createListId, removeList, renameList, whyNoName } from './edit-watchlists.ts';
import { NameForm } from './name-form.tsx';
import { WatchlistLine } from './watchlist-line.tsx';
import type { Watchlists } from './watchlists.tsx';
import styles from './watchlists.module.css';

interface WatchlistsDialogProps {
  readonly watchlists: Watchlists;
  readonly close: () => void;
}

/** Shows, creates, renames and deletes watchlists. */
export function WatchlistsDialog({
  watchlists: { lists, update, current, shown, choose },
  close,
}: WatchlistsDialogProps) {
  const announce = useAnnounce();
  const newName = useRef<HTMLInputElement>(null);
  const show = (id: string, isShown: boolean): void => {
    choose(id, isShown);
    close();
  };
  const create = (name: string): void => {
    const id = createListId();
    update((before) => addList(before, id, name));
    announce(`Watchlist created. The star now adds to it.`);
    // All products, so that there is something to add.
    show(id, false);
  };
  const remove = (id: string): void => {
    update((before) => removeList(before, id));
    if (shown?.id === id) choose('', false);
    announce('Watchlist deleted.');
    newName.current?.focus();
  };
  return (
    <Dialog title="Watchlists" close={close}>
      <ul className={lines['lines']} aria-label="Watchlists">
        <li>
          <button
            type="button"
            className={styles['list']}
            aria-current={shown === null}
            onClick={() => {
              show(current.id, false);
            }}
          >
            All products
          </button>
        </li>
        {lists.map((list) => (
          <WatchlistLine
            key={list.id}
            list={list}
            isShown={shown?.id === list.id}
            isLast={lists.length === 1}
            show={() => {
              show(list.id, true);
            }}
            whyNot={(name) => whyNoName(lists, name, list.id)}
            rename={(name) => {
              update((before) => renameList(before, list.id, name));
            }}
            remove={() => {
              remove(list.id);
            }}
          />
        ))}
      </ul>
      <NameForm
        ref={newName}
        label="New watchlist"
        action="Create"
        whyNot={(name) => whyNoName(lists, name)}
        save={create}
      />
      <p className={styles['hint']}>
        ★ adds products to “{current.name}”, which has {countOf(current.products.length, 'product')}. Watchlists are
        yours: a link to one does not open it for other people.
      </p>
    </Dialog>
  );
}
