import { useRef } from 'react';
import { PERIODS } from '#model/time/period.ts';
import { latestSessionOf } from '#model/time/session.ts';
import { firstDayOf, RANGE_NAMES, type RangeName } from '#model/time/date-range.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { ScalePicker } from '#page/kit/chart/scale-picker.tsx';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { findProduct, type NamedProduct, expiredOn } from '#model/products/product-directory.ts';
import { PRICE_PARAMS } from './shared/price-params.ts';
import { MoreButton } from './shared/more-button.tsx';
import styles from './shared/price.module.css';

interface PriceControlsProps {
  readonly named: NamedProduct | null;
  readonly products: readonly DeskProduct[];
  /** A comparison is of settlements only, so bars and gaps cannot be chosen. */
  readonly comparing: boolean;
}

export function PriceControls({ named, products, comparing }: PriceControlsProps) {
  const [range, setRange] = useUrlState(PRICE_PARAMS.range, 'push');
  const [period, setPeriod] = useUrlState(PRICE_PARAMS.period);
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [gaps, setGaps] = useUrlState(PRICE_PARAMS.gaps);
  const [controls, setControls] = useUrlState(PRICE_PARAMS.controls);
  const today = useNowSelector(latestSessionOf);
  const end = expiredOn(named?.product ?? null) ?? today;
  return (
    <>
      <RangePicker
        names={RANGE_NAMES}
        value={range}
        onChange={setRange}
        begin={'name' in range ? firstDayOf(range.name as RangeName, end) : end}
        end={end}
        today={today}
      />
      <MoreButton shown={controls} set={setControls} controls={OPTIONS}>
        Chart options
      </MoreButton>
      <div className={styles['options']} id={OPTIONS} data-controls={controls}>
        {!comparing && (
          <Segmented
            label="Bars"
            choices={PERIODS.map((name) => [name, name] as const)}
            value={period}
            onChange={setPeriod}
          />
        )}
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
            Show sessions without trades
          </label>
        )}
        <CompareWith products={products} />
      </div>
    </>
  );
}

const OPTIONS = 'chart-options';

function CompareWith({ products }: { readonly products: readonly DeskProduct[] }) {
  const [against, setAgainst] = useUrlState(PRICE_PARAMS.against, 'push');
  const field = useRef<HTMLButtonElement>(null);
  const other = against === '' ? null : findProduct(against, products);
  return (
    <>
      <ProductCombobox
        ref={field}
        label="Compare with"
        placeholder="Compare with…"
        products={products}
        value={other && String(other.id)}
        onChange={setAgainst}
      />
      {against !== '' && (
        <button
          type="button"
          onClick={() => {
            setAgainst('');
            field.current?.focus();
          }}
        >
          Remove comparison
        </button>
      )}
    </>
  );
}
