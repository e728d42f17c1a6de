import { useUrlState } from '#ui/navigation/navigation.tsx';
import { COMPARE_PARAMS } from './compare-params.ts';
import styles from './funding.module.css';

/** Whether a perpetual is drawn in the charts. */
export function PickBox({ symbol }: { readonly symbol: string }) {
  const [picked, setPicked] = useUrlState(COMPARE_PARAMS.picked);
  const on = picked.includes(symbol);
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={on}
      aria-label={`Draw ${symbol}`}
      className={styles['pick']}
      tabIndex={-1}
      onClick={() => {
        setPicked(on ? picked.filter((other) => other !== symbol) : [...picked, symbol]);
      }}
    >
      {on ? '☑' : '☐'}
    </button>
  );
}
