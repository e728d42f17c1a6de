import { useUrlState } from '#ui/navigation/navigation.tsx';
import { PRICE_PARAMS } from '../price-params.ts';
import styles from '../price.module.css';
import type { PriceData } from './price-data.ts';
import { describeBadTicks } from './price-summary.ts';

/** Which prices are marked, and whether the scale reaches them; nothing where there are none. */
export function BadTicksNote({ data }: { readonly data: PriceData }) {
  const [badTicks, setBadTicks] = useUrlState(PRICE_PARAMS.badTicks);
  if (data.badTicks.length === 0) return null;
  return (
    <span className={styles['badTicks']} role="note">
      <strong>✕</strong> {describeBadTicks(data)}.{' '}
      <label className={styles['choice']}>
        <input
          type="checkbox"
          checked={badTicks === 'inscale'}
          onChange={(event) => {
            setBadTicks(event.target.checked ? 'inscale' : 'offscale');
          }}
        />
        Include in scale
      </label>
    </span>
  );
}
