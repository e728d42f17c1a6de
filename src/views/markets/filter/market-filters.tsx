import type { RefObject } from 'react';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { SearchField } from '#ui/search-field.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { grouping, textFilter, typeFilter, TYPES } from '../market-params.ts';
import { TermFilterButton } from '../terms/term-filter-button.tsx';
import type { ListCode } from '../list-code.ts';
import { Toggle } from '../toggle.tsx';
import { WatchlistButtons } from '../watchlists/watchlist-buttons.tsx';

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
