import { useMemo } from 'react';
import { useNavigator, useUrlState } from '#page/kit/navigation/navigation.tsx';
import { writeParam, writeQuery } from '#page/kit/navigation/write-query.ts';
import { DIFFERENCES } from '#model/orders/compare-books.ts';
import { formatFilter } from '../list-state/list-query.ts';
import { DIFFERENCE_NAMES } from '#model/tables/orders/difference-names.ts';
import { atParam, parseAt, spanParam, toAtText, withParam } from './travel-params.ts';

/** Where in time the list is, as the address has it. In epoch milliseconds. */
export interface Travel {
  /** NaN: the address names no time. */
  readonly at: number;
  /** Null: nothing is compared. NaN: the address names no time. */
  readonly other: number | null;
  readonly goTo: (at: number) => void;
  /** Compares with another instant; null: no longer. */
  readonly compareWith: (other: number | null) => void;
  readonly leave: () => void;
}

export function useTravel(): Travel {
  const navigator = useNavigator();
  const [at] = useUrlState(atParam);
  const [other] = useUrlState(withParam);
  return useMemo(
    () => ({
      at: parseAt(at),
      other: other === '' ? null : parseAt(other),
      goTo: (next) => {
        writeParam(navigator, atParam, toAtText(next));
      },
      compareWith: (next) => {
        writeQuery(navigator, (query) => {
          if (next === null) dropComparison(query);
          else if (withParam.read(query) === '') query.append('f', DIFFERENT);
          withParam.write(query, next === null ? '' : toAtText(next));
        });
      },
      leave: () => {
        writeQuery(
          navigator,
          (query) => {
            atParam.write(query, '');
            withParam.write(query, '');
            spanParam.write(query, '24h');
            dropComparison(query);
          },
          'push',
        );
      },
    }),
    [navigator, at, other],
  );
}

/** A comparison begins with the orders that differ. */
const DIFFERENT = formatFilter('change', {
  kind: 'is',
  texts: DIFFERENCES.filter((kind) => kind !== 'same').map((kind) => DIFFERENCE_NAMES[kind]),
});

/** What only a comparison has: the list of working orders knows no such columns. */
function dropComparison(query: URLSearchParams): void {
  const filters = query.getAll('f').filter((filter) => !/^(change|edits):/.test(filter));
  query.delete('f');
  for (const filter of filters) query.append('f', filter);
  for (const name of ['group', 'sort']) {
    const levels = (query.get(name) ?? '')
      .split(',')
      .filter((level) => level !== '' && !/^-?(change|edits)\b/.test(level));
    if (levels.length === 0) query.delete(name);
    else query.set(name, levels.join());
  }
}
