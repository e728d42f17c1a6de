import type { RefObject } from 'react';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import hidden from '#page/kit/hidden.module.css';
import { useAddress, useNavigator } from '#page/kit/navigation/navigation.tsx';
import { writeQuery } from '#page/kit/navigation/write-query.ts';
import styles from '../shared/orders.module.css';
import { QUERY_PARAMS, QUERY_TITLES } from '#model/tables/orders/history-query.ts';

type QueryName = keyof typeof QUERY_PARAMS;
const NAMES = Object.keys(QUERY_PARAMS) as readonly QueryName[];

/** The exchange’s filters without a column, as chips: on a phone their fields are folded away. */
export function QueryChips({ grid }: { readonly grid: RefObject<GridHandle | null> }) {
  const navigator = useNavigator();
  const { query } = useAddress();
  const set = NAMES.filter((name) => QUERY_PARAMS[name].read(query) !== '');
  const remove = (name: QueryName): void => {
    grid.current?.focus();
    writeQuery(navigator, (next) => {
      QUERY_PARAMS[name].write(next, '');
    });
  };
  if (set.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label="Range">
      {set.map((name) => (
        <li key={name}>
          <button
            type="button"
            className={styles['chip']}
            onClick={() => {
              remove(name);
            }}
          >
            {QUERY_TITLES[name]} <b>{QUERY_PARAMS[name].read(query)}</b>
            <span aria-hidden="true">×</span>
            <span className={hidden['hidden']}>, remove filter</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
