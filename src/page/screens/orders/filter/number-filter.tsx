import { useState } from 'react';
import type { GridFilter } from '#model/tables/grid-state.ts';
import { formatBound } from '#model/tables/orders/filter-text.ts';
import { NO_BOUNDS, toBoundsFilter, toBoundTexts } from '#model/tables/orders/number-bounds.ts';
import styles from '../shared/orders.module.css';

interface NumberFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
  /** The least and the greatest value of the column; null if no row has a value. */
  readonly extent: readonly [least: number, greatest: number] | null;
}

export function NumberFilter({ filter, put, unit, extent }: NumberFilterProps) {
  const [written, setWritten] = useState(NO_BOUNDS);
  const bounds = toBoundTexts(filter, written);
  return (
    <>
      {(['from', 'to'] as const).map((bound) => (
        <label key={bound} className={styles['choice']}>
          {bound === 'from' ? 'At least' : 'At most'}
          <input
            type="number"
            step="any"
            value={bounds[bound]}
            onChange={({ target }) => {
              const next = { ...bounds, [bound]: target.value };
              setWritten(next);
              put(toBoundsFilter(next));
            }}
          />
          {unit}
        </label>
      ))}
      <p className={styles['hint']}>
        {extent === null
          ? 'No order has a value in this column.'
          : `Values are between ${formatBound(extent[0])} and ${formatBound(extent[1])}${unit === undefined ? '' : ` ${unit}`}.`}
      </p>
    </>
  );
}
