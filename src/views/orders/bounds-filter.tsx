import { useState } from 'react';
import type { GridFilter } from '#ui/grid/grid-state.ts';
import styles from './orders.module.css';

interface BoundsFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
}

/** From and to, both included. */
export function BoundsFilter({ filter, put, unit }: BoundsFilterProps) {
  const [bounds, setBounds] = useState(filter?.kind === 'between' ? { from: toText(filter.from), to: toText(filter.to) } : { from: '', to: '' });
  const change = (next: typeof bounds): void => {
    setBounds(next);
    const [from, to] = [toBound(next.from), toBound(next.to)];
    put(from === null && to === null ? null : { kind: 'between', from, to });
  };
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
              change({ ...bounds, [bound]: target.value });
            }}
          />
          {unit}
        </label>
      ))}
    </>
  );
}

function toText(bound: number | null): string {
  return bound === null ? '' : String(bound);
}

function toBound(text: string): number | null {
  return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
}
