import type { DeskProduct } from '#contract/desk/desk.ts';
import { toPerpetualItems } from '#model/products/product-directory.ts';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useAddress, useNavigator, useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { RateBasisControl, SignConventionControl } from '../rate-controls.tsx';
import { PERPETUAL_PARAMS, RANGES } from '#model/tables/funding/perpetual-params.ts';

const RANGE_CHOICES = RANGES.map((range) => [range, range === 'all' ? 'Since listing' : range] as const);

export function PerpetualControls({
  baseSymbol,
  products,
}: {
  readonly baseSymbol: string;
  readonly products: readonly DeskProduct[];
}) {
  const [range, setRange] = useUrlState(PERPETUAL_PARAMS.range);
  const [form, setForm] = useUrlState(PERPETUAL_PARAMS.form);
  const [side, setSide] = useUrlState(PERPETUAL_PARAMS.side);
  const open = useOpenPerpetual();
  return (
    <>
      <ProductCombobox
        opensOnTyping
        label="Perpetual"
        placeholder="Search perpetuals"
        products={products}
        toItems={toPerpetualItems}
        value={baseSymbol}
        onChange={open}
      />
      <Segmented label="Range" choices={RANGE_CHOICES} value={range} onChange={setRange} />
      <RateBasisControl value={form} onChange={setForm} />
      <SignConventionControl value={side} onChange={setSide} />
      <Link to="/funding">All perpetuals</Link>
    </>
  );
}

/** Opens another perpetual with the same range, rate basis and sign convention. */
function useOpenPerpetual(): (symbol: string) => void {
  const navigator = useNavigator();
  const { query } = useAddress();
  return (symbol) => {
    const search = query.toString();
    navigator.go(`/funding/${encodeURIComponent(symbol)}${search === '' ? '' : `?${search}`}`);
  };
}
