import { useMemo, useRef } from 'react';
import { firstDayOf, PERIODS, RANGE_NAMES, type RangeName } from '#model/time/date-range.ts';
import { latestSessionOf } from '#model/time/session.ts';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { ScalePicker } from '#page/kit/chart/chart-switches.tsx';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { Link, useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useExchangeNow } from '#page/panels/use-exchange-time.ts';
import {
  expiredOn,
  findDefaultProduct,
  findProduct,
  type NamedProduct,
  nameProduct,
  toAddressName,
} from '#model/products/product-directory.ts';
import { toPriceAddress } from '#model/products/product-address.ts';
import { OBSERVED_NOW, PRICE_PARAMS } from './shared/price-params.ts';
import { useOpenProduct } from './shared/use-open-product.ts';
import { MoreButton } from './disclosure.tsx';
import styles from './shared/price.module.css';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { LazyProductProposals } from '#page/panels/products/lazy-product-proposals.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useFullAddress, useLastViewed } from '#page/kit/last-viewed.ts';
import { UnknownSymbol } from '#page/panels/missing-rows.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { ProductPrice } from './product-price.tsx';

interface PriceControlsProps {
  readonly named: NamedProduct | null;
  readonly products: readonly DeskProduct[];
  /** A comparison uses settlements only, so bars and gaps cannot be chosen. */
  readonly comparing: boolean;
}

function PriceControls({ named, products, comparing }: PriceControlsProps) {
  const [range, setRange] = useUrlState(PRICE_PARAMS.range, 'push');
  const [zoom] = useUrlState(PRICE_PARAMS.zoom);
  const [observed] = useUrlState(PRICE_PARAMS.observed);
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [gaps, setGaps] = useUrlState(PRICE_PARAMS.gaps);
  const [controls, setControls] = useUrlState(PRICE_PARAMS.controls);
  const today = useExchangeNow(latestSessionOf);
  const end = expiredOn(named?.product ?? null) ?? today;
  return (
    <>
      {(comparing || observed === '') && (
        <RangePicker
          names={RANGE_NAMES}
          value={range}
          isPart={zoom.length > 0}
          onChange={setRange}
          begin={'name' in range ? firstDayOf(range.name as RangeName, end) : end}
          end={end}
          today={today}
        />
      )}
      <MoreButton shown={controls} set={setControls} controls={OPTIONS}>
        Chart options
      </MoreButton>
      <div className={styles['options']} id={OPTIONS} data-controls={controls}>
        {comparing ? <span className={styles['faint']}>Comparing daily settlements</span> : <BarsChoice />}
        <ScalePicker value={scale} onChange={setScale} />
        {!comparing && observed === '' && (
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

/** Bars of the exchange's daily prices, or the prices that Perpdesk observed within a session. */
function BarsChoice() {
  const [period, setPeriod] = useUrlState(PRICE_PARAMS.period);
  const [observed, setObserved] = useUrlState(PRICE_PARAMS.observed);
  return (
    <Segmented
      label="Bars"
      choices={[...PERIODS.map((name) => [name, name] as const), [OBSERVED_NOW, 'Observed'] as const]}
      value={observed === '' ? period : OBSERVED_NOW}
      onChange={(choice) => {
        setObserved(choice === OBSERVED_NOW ? choice : '');
        if (choice !== OBSERVED_NOW) setPeriod(choice);
      }}
    />
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
        value={other && toAddressName(other)}
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

interface PriceScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

const NONE: readonly DeskProduct[] = [];

export function PriceScreen({ parameters: { id: wanted } }: PriceScreenProps) {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({}));
  const products = directory.data?.value.products ?? NONE;
  const open = useOpenProduct();
  const named = useNamed(wanted, products);
  const { other, unknown } = useComparison(named, directory.data?.value.products);
  useSymbols(wanted, named, other);
  const isLoading = named === null && directory.data === undefined;
  return (
    <div className={styles['screen']}>
      <Toolbar title="Price">
        <ProductCombobox
          opensOnTyping
          label="Product"
          placeholder="Product…"
          products={products}
          value={named && toAddressName(named)}
          onChange={open}
        />
        <PriceControls named={named} products={products} comparing={other !== null} />
      </Toolbar>
      {isLoading && (
        <Panel title="Products" query={directory} everySeconds={DESK_ENDPOINTS.products.reuseSeconds}>
          {() => null}
        </Panel>
      )}
      {!isLoading && named === null && (
        <UnknownSymbol
          noun="product"
          name={wanted ?? ''}
          count={products.length}
          proposals={
            <LazyProductProposals
              text={wanted ?? ''}
              products={products}
              toChoice={(product) => <Link to={toPriceAddress(product)}>{nameProduct(product)}</Link>}
            />
          }
        />
      )}
      {unknown !== null && <UnknownComparison name={unknown} />}
      {named !== null && <ProductPrice named={named} other={other} />}
    </div>
  );
}

/** Returns the product in the address, or else the one viewed last. */
function useNamed(wanted: string | undefined, directory: readonly DeskProduct[]): NamedProduct | null {
  const found = useMemo(() => (wanted === undefined ? null : findProduct(wanted, directory)), [wanted, directory]);
  const last = useLastViewed('product', found?.product?.symbol ?? null);
  const named = useMemo(
    () => (wanted === undefined ? findDefaultProduct(directory, last) : found),
    [wanted, directory, last, found],
  );
  return named;
}

/** Names products in the address by their symbols, also where it named them by ID or by underlying. */
function useSymbols(wanted: string | undefined, named: NamedProduct | null, other: NamedProduct | null): void {
  const [against] = useUrlState(PRICE_PARAMS.against);
  const compared = other === null ? against : toAddressName(other);
  useFullAddress(
    named !== null && (wanted !== toAddressName(named) || against !== compared)
      ? (query) => {
          PRICE_PARAMS.against.write(query, compared);
          return `/price/${toAddressName(named)}`;
        }
      : null,
  );
}

/** Returns the product to compare with; `unknown` is a name in the address that matches no product. */
function useComparison(
  named: NamedProduct | null,
  directory: readonly DeskProduct[] | undefined,
): { readonly other: NamedProduct | null; readonly unknown: string | null } {
  const [against] = useUrlState(PRICE_PARAMS.against);
  const found = useMemo(() => (against === '' ? null : findProduct(against, directory ?? NONE)), [against, directory]);
  return {
    other: found?.id === named?.id ? null : found,
    unknown: against !== '' && found === null && directory !== undefined ? against : null,
  };
}

function UnknownComparison({ name }: { readonly name: string }) {
  const problem = `No product “${name}”. Choose another product to compare with.`;
  useAnnounced(`No comparison. ${problem}`);
  return (
    <p className={styles['notice']} role="note">
      <strong>No comparison.</strong> {problem}
    </p>
  );
}
