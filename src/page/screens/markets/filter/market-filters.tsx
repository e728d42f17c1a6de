import type { RefObject } from 'react';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { SearchField } from '#page/kit/controls/search-field.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { grouping, textFilter, typeFilter, TYPES } from '#model/tables/markets/market-params.ts';
import { TermFilterButton } from '../terms/term-filter-button.tsx';
import type { ListCode } from '../grid/list-code.ts';
import { Toggle } from '../shared/toggle.tsx';
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
