import { type Ref, useEffect, useId, useRef, useState } from 'react';
import hidden from '#page/kit/hidden.module.css';
import { addList, createListId, LONGEST_NAME, removeList, renameList, whyNoName } from './edit-watchlists.ts';
import styles from './watchlists.module.css';
import { countOf } from '#model/format/count.ts';
import type { Watchlist } from '#page/panels/products/watchlist-store.ts';
import lines from '#page/kit/dialog-lines.module.css';
import { Dialog } from '#page/kit/dialog.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import type { Watchlists } from './watchlists.tsx';

interface NameFormProps {
  readonly label: string;
  readonly labelHidden?: boolean;
  /** The text of the button. */
  readonly action: string;
  readonly initial?: string;
  /** Why a name cannot be saved, or null. */
  readonly whyNot: (name: string) => string | null;
  readonly save: (name: string) => void;
  /** Without it, the form is always shown. */
  readonly cancel?: () => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A form for the name of a watchlist. A rejected name stays in the field, with the reason below it. */
function NameForm({ label, labelHidden = false, action, initial = '', whyNot, save, cancel, ref }: NameFormProps) {
  const id = useId();
  const [name, setName] = useState(initial);
  const [reason, setReason] = useState<string | null>(null);
  const submit = (): void => {
    const refused = whyNot(name);
    setReason(refused);
    if (refused === null) save(name);
  };
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id} className={labelHidden ? hidden['hidden'] : undefined}>
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        type="text"
        autoComplete="off"
        autoFocus={cancel !== undefined}
        maxLength={LONGEST_NAME}
        value={name}
        aria-invalid={reason !== null}
        aria-describedby={reason === null ? undefined : `${id}-reason`}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
        onChange={({ target }) => {
          setName(target.value);
          setReason(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || cancel === undefined || event.nativeEvent.isComposing) return;
          // Otherwise Escape would close the dialog.
          event.stopPropagation();
          cancel();
        }}
      />
      <button type="submit">{action}</button>
      {cancel !== undefined && (
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      )}
      {reason !== null && (
        <p id={`${id}-reason`} className={styles['reason']} role="alert">
          {reason}
        </p>
      )}
    </form>
  );
}

interface WatchlistLineProps {
  readonly list: Watchlist;
  readonly isShown: boolean;
  /** The last list cannot be deleted. */
  readonly isLast: boolean;
  readonly show: () => void;
  /** Returns why the list cannot have a name, or null. */
  readonly whyNot: (name: string) => string | null;
  readonly rename: (name: string) => void;
  readonly remove: () => void;
}

type Mode = 'plain' | 'renaming' | 'deleting';

function WatchlistLine({
  list: { name, products },
  isShown,
  isLast,
  show,
  whyNot,
  rename,
  remove,
}: WatchlistLineProps) {
  const [mode, setMode] = useState<Mode>('plain');
  const button = useReturnedFocus(mode === 'plain');
  const leave = (): void => {
    setMode('plain');
  };
  if (mode === 'renaming') {
    return (
      <li>
        <NameForm
          label={`New name of ${name}`}
          labelHidden
          action="Save"
          initial={name}
          whyNot={whyNot}
          cancel={leave}
          save={(next) => {
            rename(next);
            leave();
          }}
        />
      </li>
    );
  }
  if (mode === 'deleting') {
    return (
      <li>
        <span className={styles['question']}>
          Delete “{name}” with {countOf(products.length, 'product')}?
        </span>
        <button type="button" onClick={remove}>
          Delete
        </button>
        <button type="button" autoFocus onClick={leave}>
          Keep
        </button>
      </li>
    );
  }
  return (
    <li>
      <button ref={button} type="button" className={styles['list']} aria-current={isShown} onClick={show}>
        <span className={styles['name']}>{name}</span>{' '}
        <span className={styles['count']}>{countOf(products.length, 'product')}</span>
      </button>
      <button
        type="button"
        aria-label={`Rename ${name}`}
        onClick={() => {
          setMode('renaming');
        }}
      >
        Rename
      </button>
      {!isLast && (
        <button
          type="button"
          aria-label={`Delete ${name}`}
          onClick={() => {
            if (products.length === 0) remove();
            else setMode('deleting');
          }}
        >
          Delete
        </button>
      )}
    </li>
  );
}

/** Returns the focus to the line when its form closes. */
function useReturnedFocus(isPlain: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasPlain = useRef(isPlain);
  useEffect(() => {
    if (isPlain && !wasPlain.current) button.current?.focus();
    wasPlain.current = isPlain;
  }, [isPlain]);
  return button;
}

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
    // All products are shown, so that there are some to add.
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
