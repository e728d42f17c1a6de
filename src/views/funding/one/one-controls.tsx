import type { DeskProduct } from '#contract/desk.ts';
import { compareCodes } from '#domain/compare-codes.ts';
import { FUNDING_SIDES, SIDE_WORDS } from '#domain/funding/my-side.ts';
import { RATE_FORMS, RATE_FORM_LOOKS } from '#domain/funding/rate-form.ts';
import { FindField } from '#ui/find/find-field.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { useAddress, useNavigator, useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { ONE_PARAMS, RANGES } from './one-params.ts';
import styles from './one.module.css';

const RANGE_NAMES = { '7d': '7 d', '30d': '30 d', '90d': '90 d', '1y': '1 y', all: 'Since launch' } as const;
const RANGE_CHOICES = RANGES.map((range) => [range, RANGE_NAMES[range]] as const);
const FORMS = RATE_FORMS.map((form) => [form, RATE_FORM_LOOKS[form].name] as const);
const SIDES = FUNDING_SIDES.map((side) => [side, side === 'market' ? 'Market' : `My side: ${side}`] as const);

/** Which perpetual, since when, told how. */
export function OneControls({ baseSymbol, products }: { readonly baseSymbol: string; readonly products: readonly DeskProduct[] }) {
  const [range, setRange] = useUrlState(ONE_PARAMS.range);
  const [form, setForm] = useUrlState(ONE_PARAMS.form);
  const [side, setSide] = useUrlState(ONE_PARAMS.side);
  const open = useOpenPerpetual();
  return (
    <>
      <FindField hearsLetters label="Perpetual" placeholder="Perpetual …" items={toItems(products)} value={baseSymbol} onChange={open} />
      <Segmented label="Range" choices={RANGE_CHOICES} value={range} onChange={setRange} />
      <Segmented label="Rates told" choices={FORMS} value={form} onChange={setForm} />
      <Segmented label="Whose side" choices={SIDES} value={side} onChange={setSide} />
      <strong className={styles['side']} data-side={side}>
        {SIDE_WORDS[side]}
      </strong>
      <Link to="/funding">All perpetuals</Link>
    </>
  );
}

function toItems(products: readonly DeskProduct[]) {
  return products
    .filter(({ type, base_symbol: symbol }) => type === 'perpetual' && symbol !== undefined)
    .map(({ base_symbol: symbol = '', product_name: name = '' }) => ({ value: symbol, label: symbol, remark: name }))
    .toSorted((a, b) => compareCodes(a.label, b.label));
}

/** The same range, form and side of another perpetual. */
function useOpenPerpetual(): (symbol: string) => void {
  const navigator = useNavigator();
  const { query } = useAddress();
  return (symbol) => {
    const search = query.toString();
    navigator.go(`/funding/${encodeURIComponent(symbol)}${search === '' ? '' : `?${search}`}`);
  };
}
