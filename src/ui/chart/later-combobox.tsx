import { lazy, Suspense } from 'react';
import type { ComboboxItem } from '../combobox.tsx';
import styles from './chart.module.css';

const Combobox = lazy(async () => ({ default: (await import('../combobox.tsx')).Combobox }));

interface LaterComboboxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly ComboboxItem[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** A combobox that comes after the picture does: positioning and finding weigh more than all else on the screen. */
export function LaterCombobox(props: LaterComboboxProps) {
  return (
    <Suspense fallback={<span className={styles['room']} />}>
      <Combobox {...props} />
    </Suspense>
  );
}
