import type { RefObject } from 'react';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { SearchField } from '#ui/search-field.tsx';
import { Segmented } from '#ui/segmented.tsx';
import styles from '../markets-screen.module.css';
import { TermFilterButton } from '../terms/term-filter-button.tsx';
import type { ListCode } from '../list-code.ts';
import { grouping, favouritesFilter, textFilter, typeFilter, TYPES } from '../market-params.ts';

interface MarketFiltersProps {
  readonly grid: RefObject<GridHandle | null>;
  readonly code: ListCode | null;
}

export function MarketFilters({ grid, code }: MarketFiltersProps) {
  const [text, setText] = useUrlState(textFilter);
  const [type, setType] = useUrlState(typeFilter);
  const [only, setOnly] = useUrlState(favouritesFilter);
  const [group, setGroup] = useUrlState(grouping);
  const goToFirstRow = (): void => {
    grid.current?.focus();
    grid.current?.goTo(0, 'symbol');
  };
  return (
    <>
      <SearchField label="Filter by symbol, name or underlying" group="Markets" value={text} onChange={setText} leave={goToFirstRow} />
      <Segmented label="Type" choices={TYPES} value={type} onChange={setType} />
      <TermFilterButton />
      {code !== null && <code.TermFilterChip />}
      <Toggle
        text="★ Favourites"
        on={only === 'favourites'}
        set={(on) => {
          setOnly(on ? 'favourites' : 'all');
        }}
      />
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
