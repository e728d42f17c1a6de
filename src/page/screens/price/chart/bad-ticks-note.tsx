import { BAD_TICK_RULE } from '#model/price/bad-ticks.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { PRICE_PARAMS } from '../shared/price-params.ts';
import styles from '../shared/price.module.css';
import type { PriceData } from '#model/charts/price/price-data.ts';
import { describeBadTicks } from '#model/charts/price/price-summary.ts';

const BAD_TICKS = `A bad tick is ${BAD_TICK_RULE.charAt(0).toLowerCase()}${BAD_TICK_RULE.slice(1)}`;

export const NO_BAD_TICKS = `No suspected bad ticks. ${BAD_TICKS}`;

/** Which prices are marked, by which rule, and whether the scale reaches them. */
export function BadTicksNote({ data }: { readonly data: PriceData }) {
  const [badTicks, setBadTicks] = useUrlState(PRICE_PARAMS.badTicks);
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
      </label>{' '}
      {BAD_TICKS}
    </span>
  );
}
