import { useMemo, useState } from 'react';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { KeyBinding } from '#page/kit/keys/keyboard.ts';
import { useKeys } from '#page/kit/keys/use-keys.tsx';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import styles from '../shared/markets-screen.module.css';
import { Toggle } from '../shared/toggle.tsx';
import { useWatchlists } from './watchlists.tsx';

const LazyWatchlistsDialog = lazyOverlay(async () => (await import('./watchlists-dialog.tsx')).WatchlistsDialog);

/** One shows the current list or all products, the other opens all lists. */
export function WatchlistButtons() {
  const watchlists = useWatchlists();
  const { lists, current, shown, choose } = watchlists;
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
  };
  useKeys(
    useMemo(
      (): readonly KeyBinding[] => [
        {
          keys: 'w',
          label: 'Watchlists',
          group: 'Markets',
          run: () => {
            setOpen(true);
          },
        },
      ],
      [],
    ),
  );
  useProvideCommands(() =>
    lists.map(({ id, name }) => ({
      group: 'Watchlists',
      label: name,
      remark: 'Show this watchlist',
      run: () => {
        choose(id, true);
      },
    })),
  );
  return (
    <span className={styles['watchlists']}>
      <Toggle
        text={`★ ${current.name}`}
        on={shown?.id === current.id}
        set={(on) => {
          choose(current.id, on);
        }}
      />
      <button type="button" aria-haspopup="dialog" aria-label="Watchlists" title="Watchlists" onClick={open}>
        ▾
      </button>
      {isOpen && (
        <LazyWatchlistsDialog
          watchlists={watchlists}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </span>
  );
}
