import { useMemo } from 'react';
import type { GridState } from '#model/tables/grid-state.ts';
import { useAddress, useUrlState } from '#page/kit/navigation/navigation.tsx';
import { UNKNOWN_UNDERLYING, UNDERLYING } from './columns.ts';
import { closedGroups, grouping, sorting } from '#model/tables/markets/market-params.ts';

/** Sorting, grouping and collapsed groups of the list, as the address holds them. */
export function useUrlGridState() {
  const [sorts, setSorts] = useUrlState(sorting);
  const [group] = useUrlState(grouping);
  const [closed, setClosed] = useUrlState(closedGroups);
  const arrangement = useMemo(
    () => ({ sorts, grouping: group === 'none' ? [] : [UNDERLYING], closed: new Set(closed.map(toKey)) }),
    [sorts, group, closed],
  );
  const arrange = (next: GridState): void => {
    if (next.sorts !== sorts) setSorts(next.sorts);
    if (next.closed !== arrangement.closed) setClosed([...next.closed].map(toName));
  };
  const isLinked = useAddress().query.has('sort');
  const linked = useMemo(() => (isLinked ? sorts.map(({ id }) => id) : []), [isLinked, sorts]);
  return { arrangement, arrange, linked };
}

const UNNAMED = 'unknown';

/** The grid's key of a group, from its name in the address. */
function toKey(name: string): string {
  return `/${encodeURIComponent(name === UNNAMED ? UNKNOWN_UNDERLYING : name)}`;
}

function toName(key: string): string {
  const name = decodeURIComponent(key.slice(1));
  return name === UNKNOWN_UNDERLYING ? UNNAMED : name;
}
