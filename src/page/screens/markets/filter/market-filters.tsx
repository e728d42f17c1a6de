import styles from '../shared/markets-screen.module.css';
import { type RefObject, useMemo, useState } from 'react';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { useKeys } from '#page/kit/use-keys.tsx';
import { useWatchlists } from '../watchlists/watchlists.tsx';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { SearchField } from '#page/kit/search-field.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { grouping, textFilter, typeFilter, TYPES } from '#model/tables/markets/market-list.ts';
import type { ListCode } from '../grid/list-code.tsx';

interface MarketFiltersProps {
  readonly grid: RefObject<GridHandle | null>;
  readonly code: ListCode | null;
}

export function MarketFilters({ grid, code }: MarketFiltersProps) {
  const [text, setText] = useUrlState(textFilter);
  const [type, setType] = useUrlState(typeFilter);
  const [group, setGroup] = useUrlState(grouping);
  const goToFirstRow = (): void => {
    grid.current?.focus();
    grid.current?.goTo(0, 'symbol');
  };
  return (
    <>
      <SearchField
        label="Filter by symbol, name or underlying"
        group="Markets"
        value={text}
        onChange={setText}
        leave={goToFirstRow}
      />
      <Segmented label="Type" choices={TYPES} value={type} onChange={setType} />
      <TermFilterButton />
      {code !== null && <code.TermFilterChip />}
      <WatchlistButtons />
      <Toggle
        text="Group by underlying"
        on={group === 'underlying'}
        set={(on) => {
          setGroup(on ? 'underlying' : 'none');
        }}
      />
    </>
  );
}

interface ToggleProps {
  readonly text: string;
  readonly on: boolean;
  readonly set: (on: boolean) => void;
}

/** A toggle button. */
function Toggle({ text, on, set }: ToggleProps) {
  return (
    <button
      type="button"
      className={styles['toggle']}
      aria-pressed={on}
      onClick={() => {
        set(!on);
      }}
    >
      {text}
    </button>
  );
}

const LazyTermFilterDialog = lazyOverlay(async () => (await import('./term-filter-dialog.tsx')).TermFilterDialog);

/** A button that opens the filters by expiry, call and put. */
function TermFilterButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles['toggle']}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        Expiry, call / put
      </button>
      {isOpen && (
        <LazyTermFilterDialog
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

const LazyWatchlistsDialog = lazyOverlay(
  async () => (await import('../watchlists/watchlists-dialog.tsx')).WatchlistsDialog,
);

/** Two buttons: one switches between the current list and all products, the other opens all lists. */
function WatchlistButtons() {
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
