import { useRef } from 'react';
import { PERIODS } from '#domain/bars.ts';
import { expiredOn } from '#domain/expiry.ts';
import { firstDayOf, latestSessionOf, RANGE_NAMES, type RangeName } from '#domain/session.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { RangePicker } from '#ui/chart/range-picker.tsx';
import { ScalePicker } from '#ui/chart/scale-picker.tsx';
import { FindField } from '#ui/combobox/combobox.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useFromNow } from '#ui/time/use-now.tsx';
import { findProduct, toProductItems, type NamedProduct } from '#domain/find-product.ts';
import { PRICE_PARAMS } from './price-params.ts';
import styles from './price.module.css';

interface PriceControlsProps {
  readonly named: NamedProduct | null;
  readonly products: readonly DeskProduct[];
  /** By settlements: bars and their gaps are not drawn then, and not to be chosen. */
  readonly comparing: boolean;
}

/** What the chart shows, and how. */
export function PriceControls({ named, products, comparing }: PriceControlsProps) {
  const [range, setRange] = useUrlState(PRICE_PARAMS.range);
  const [period, setPeriod] = useUrlState(PRICE_PARAMS.period);
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [gaps, setGaps] = useUrlState(PRICE_PARAMS.gaps);
  const today = useFromNow(latestSessionOf);
  const end = expiredOn(named?.product ?? null) ?? today;
  return (
    <>
      <RangePicker names={RANGE_NAMES} value={range} onChange={setRange} begin={'name' in range ? firstDayOf(range.name as RangeName, end) : end} end={end} today={today} />
      {!comparing && <Segmented label="Bars" choices={PERIODS.map((name) => [name, name] as const)} value={period} onChange={setPeriod} />}
      <ScalePicker value={scale} onChange={setScale} />
      {!comparing && (
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={gaps === 'flat'}
            onChange={(event) => {
              setGaps(event.target.checked ? 'flat' : 'empty');
            }}
          />
          Mark sessions without trades
        </label>
      )}
      <CompareWith products={products} />
    </>
  );
}

function CompareWith({ products }: { readonly products: readonly DeskProduct[] }) {
  const [against, setAgainst] = useUrlState(PRICE_PARAMS.against);
  const field = useRef<HTMLButtonElement>(null);
  const other = against === '' ? null : findProduct(against, products);
  return (
    <>
      <FindField ref={field} label="Compare with" placeholder="Compare with …" items={toProductItems(products)} value={other && String(other.id)} onChange={setAgainst} />
      {against !== '' && (
        <button
          type="button"
          onClick={() => {
            setAgainst('');
            field.current?.focus();
          }}
        >
          Do not compare
        </button>
      )}
    </>
  );
}
