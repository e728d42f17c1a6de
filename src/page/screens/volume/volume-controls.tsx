import { useRef } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { PERIODS } from '#model/time/period.ts';
import { listSeries, toSeriesItems, type NamedProduct } from '#model/products/product-directory.ts';
import { latestSessionOf } from '#model/time/session.ts';
import { firstDayOf, RANGE_NAMES, type RangeName } from '#model/time/date-range.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { ScalePicker } from '#page/kit/chart/scale-picker.tsx';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { ProductChips } from './select/product-chips.tsx';
import { useProductSelection } from './select/use-product-selection.ts';
import { VOLUME_PARAMS } from './shared/volume-params.ts';

interface VolumeControlsProps {
  readonly directory: readonly DeskProduct[];
  readonly products: readonly NamedProduct[];
}

const UNITS = [
  ['contracts', 'Contracts'],
  ['usd', 'USD'],
] as const;
const SHOWN = [
  ['total', 'Total'],
  ['stacked', 'Stacked'],
] as const;

export function VolumeControls({ directory, products }: VolumeControlsProps) {
  const today = useNowSelector(latestSessionOf);
  const [series] = useUrlState(VOLUME_PARAMS.series);
  const [range, setRange] = useUrlState(VOLUME_PARAMS.range, 'push');
  const [period, setPeriod] = useUrlState(VOLUME_PARAMS.period);
  const [unit, setUnit] = useUrlState(VOLUME_PARAMS.unit);
  const [shown, setShown] = useUrlState(VOLUME_PARAMS.shown);
  const [scale, setScale] = useUrlState(VOLUME_PARAMS.scale);
  const { select, add, remove, selectExpiries } = useProductSelection(products);
  const adder = useRef<HTMLButtonElement>(null);
  const [first] = products;
  const base = series === '' ? first?.product?.base_symbol : undefined;
  const listed = listSeries(directory);
  return (
    <>
      <ProductCombobox
        opensOnTyping
        label="Product"
        placeholder="Product…"
        products={directory}
        value={series === '' && first ? String(first.id) : null}
        onChange={select}
      />
      <ProductCombobox
        ref={adder}
        label="Add product"
        placeholder="Add product…"
        products={directory}
        value={null}
        onChange={add}
      />
      {series === '' && <ProductChips products={products} remove={remove} next={adder} />}
      <AllExpiries base={base} listed={listed} select={selectExpiries} />
      <ProductCombobox
        label="All expiries of a series"
        placeholder="All expiries of…"
        products={directory}
        toItems={toSeriesItems}
        value={series === '' ? null : series}
        onChange={selectExpiries}
      />
      {products.length > 1 && <Segmented label="Show as" choices={SHOWN} value={shown} onChange={setShown} />}
      <Segmented label="Unit" choices={UNITS} value={unit} onChange={setUnit} />
      <RangePicker
        names={RANGE_NAMES}
        value={range}
        onChange={setRange}
        begin={'name' in range ? firstDayOf(range.name as RangeName, today) : today}
        today={today}
      />
      {(shown === 'total' || products.length < 2) && (
        <>
          <Segmented
            label="Bars"
            choices={PERIODS.map((name) => [name, name] as const)}
            value={period}
            onChange={setPeriod}
          />
          <ScalePicker value={scale} onChange={setScale} />
        </>
      )}
    </>
  );
}

interface AllExpiriesProps {
  /** The series of the selected product; undefined where none is selected, or a whole series. */
  readonly base: string | undefined;
  readonly listed: readonly string[];
  readonly select: (series: string) => void;
}

function AllExpiries({ base, listed, select }: AllExpiriesProps) {
  if (base === undefined || !listed.includes(base)) return null;
  return (
    <button
      type="button"
      onClick={() => {
        select(base);
      }}
    >
      All expiries of {base}
    </button>
  );
}
