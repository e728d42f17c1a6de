import { useState } from 'react';
import type { GridFilter } from '#ui/grid/grid-state.ts';
import { NO_BOUNDS, toBoundsFilter, toBoundTexts } from './number-bounds.ts';
import styles from '../orders.module.css';

interface NumberFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
}

export function NumberFilter({ filter, put, unit }: NumberFilterProps) {
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
    </>
  );
}
