import { useState } from 'react';
import type { GridFilter } from '#ui/grid/grid-state.ts';
import { NO_BOUNDS, toBoundsFilter, toBoundTexts } from './bounds-text.ts';
import styles from './orders.module.css';

interface BoundsFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
}

/** From and to, both included. */
export function BoundsFilter({ filter, put, unit }: BoundsFilterProps) {
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
