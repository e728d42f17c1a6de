import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { firstDayOf, PERIODS, RANGE_NAMES, type RangeName } from '#model/time/date-range.ts';
import { latestSessionOf } from '#model/time/session.ts';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { ScalePicker } from '#page/kit/chart/chart-switches.tsx';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { Link, useAddress, useUrlState } from '#page/kit/navigation.tsx';
import { createStoredValue } from '#page/kit/stored-value.ts';
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
import { MOST_COMPARED } from '#model/charts/price/compared-as.ts';
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
import { IndicatorsButton } from '#page/panels/indicators/indicators-button.tsx';
import { DrawButton } from './draw-button.tsx';
import { type DrawMode, DrawModeContext } from './shared/draw-mode.ts';
import { ProductPrice } from './product-price.tsx';
import { indicatorsOf } from './use-indicators.ts';

interface PriceControlsProps {
  readonly named: NamedProduct | null;
  readonly products: readonly DeskProduct[];
  /** A comparison uses settlements only, so it has no sessions without trades. */
  readonly comparing: boolean;
  /** The field that adds a product to compare with. */
  readonly compareField: RefObject<HTMLButtonElement | null>;
}

function PriceControls({ named, products, comparing, compareField }: PriceControlsProps) {
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
        <BarsChoice comparing={comparing} />
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
            Flat bars without trades
          </label>
        )}
        {!comparing && observed === '' && <BarTools named={named} />}
        <CompareWith named={named} products={products} field={compareField} />
      </div>
    </>
  );
}

function BarTools({ named }: Pick<PriceControlsProps, 'named'>) {
  return (
    <>
      <IndicatorsButton params={PRICE_PARAMS} offered={indicatorsOf(named?.product ?? null)} />
      {named !== null && <DrawButton named={named} />}
    </>
  );
}

/** Bars of the exchange's daily prices, or the prices that Perpdesk observed within a session. */
function BarsChoice({ comparing }: Pick<PriceControlsProps, 'comparing'>) {
  const [period, setPeriod] = useUrlState(PRICE_PARAMS.period);
  const [observed, setObserved] = useUrlState(PRICE_PARAMS.observed);
  return (
    <Segmented
      label="Bars"
      choices={[
        ...PERIODS.map((name) => [name, name] as const),
        ...(comparing ? [] : [[OBSERVED_NOW, 'Observed'] as const]),
      ]}
      value={comparing || observed === '' ? period : OBSERVED_NOW}
      onChange={(choice) => {
        setObserved(choice === OBSERVED_NOW ? choice : '');
        if (choice !== OBSERVED_NOW) setPeriod(choice);
      }}
    />
  );
}

const OPTIONS = 'chart-options';

interface CompareWithProps extends Pick<PriceControlsProps, 'named' | 'products'> {
  readonly field: PriceControlsProps['compareField'];
}

/** Adds a product to compare with, or says why it cannot be added until the comparison changes. */
function CompareWith({ named, products, field }: CompareWithProps) {
  const [against, setAgainst] = useUrlState(PRICE_PARAMS.against, 'push');
  const [refused, setRefused] = useState<{ readonly why: string; readonly beside: readonly string[] } | null>(null);
  const why = refused?.beside === against ? refused.why : null;
  useAnnounced(why);
  const add = (name: string): void => {
    const [before, after] = [against, [...against, name]].map((names) => toCompared(named, names, products).problems);
    const problem = after?.[before?.length ?? 0];
    if (problem === undefined) setAgainst([...against, name]);
    else setRefused({ why: problem, beside: against });
  };
  return (
    <>
      <ProductCombobox
        ref={field}
        label="Compare with"
        placeholder="Compare with…"
        products={products}
        value={null}
        onChange={add}
      />
      {against.length > 0 && (
        <button
          type="button"
          onClick={() => {
            setAgainst([]);
            field.current?.focus();
          }}
        >
          Remove comparison
        </button>
      )}
      {why !== null && (
        <span className={styles['faint']} role="note">
          {why}
        </span>
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
  const { others, problems } = useComparison(named, directory.data?.value.products);
  const compareField = useRef<HTMLButtonElement>(null);
  const shown = useSymbols(wanted, named, products);
  const drawMode = useState<DrawMode>(null);
  const isLoading = named === null && directory.data === undefined;
  return (
    <DrawModeContext value={drawMode}>
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
          <PriceControls {...{ named, products, compareField }} comparing={others.length > 0} />
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
        {problems.length > 0 && <NotCompared problems={problems} isAny={others.length > 0} />}
        {shown !== null && <ProductPrice {...{ others, compareField }} named={shown} />}
      </div>
    </DrawModeContext>
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

/**
 * Names products in the address by their symbols, also where it named them by ID or by underlying. An address that names
 * nothing gets what this tab showed last; until then it returns no product, whose default range would be read in vain.
 */
function useSymbols(
  wanted: string | undefined,
  named: NamedProduct | null,
  directory: readonly DeskProduct[],
): NamedProduct | null {
  const [against] = useUrlState(PRICE_PARAMS.against);
  const compared = against.map((name) => {
    const found = findProduct(name, directory);
    return found === null ? name : toAddressName(found);
  });
  const { query: shown } = useAddress();
  const [setup] = useState(createSetup);
  useEffect(() => {
    if (wanted !== undefined) setup.write(keepSetup(shown));
  }, [setup, wanted, shown]);
  useFullAddress(
    named !== null && (wanted !== toAddressName(named) || against.join() !== compared.join())
      ? (query) => {
          if (wanted === undefined && query.size === 0)
            for (const [name, value] of new URLSearchParams(setup.read())) query.set(name, value);
          PRICE_PARAMS.against.write(query, compared);
          return `/price/${toAddressName(named)}`;
        }
      : null,
  );
  return wanted === undefined ? null : named;
}

const KEPT: readonly string[] = ['range', 'from', 'to', 'bars', 'ind'];

/** Keeps range, bars and indicators for this tab, as parameters of the address. */
function createSetup() {
  const codec = { parse: (text: string | null) => text ?? '', format: (text: string) => text };
  return createStoredValue(window, 'perpdesk.price.setup', codec, 'sessionStorage');
}

function keepSetup(shown: URLSearchParams): string {
  return new URLSearchParams([...shown].filter(([name]) => KEPT.includes(name))).toString();
}

interface Compared {
  readonly others: readonly NamedProduct[];
  /** Why names in the address are not compared, in sentences. */
  readonly problems: readonly string[];
}

/** Returns the products to compare with. Until the directory is known, a name may be that of a product. */
function useComparison(named: NamedProduct | null, directory: readonly DeskProduct[] | undefined): Compared {
  const [against] = useUrlState(PRICE_PARAMS.against);
  return useMemo(() => {
    const compared = toCompared(named, against, directory ?? NONE);
    return directory === undefined ? { ...compared, problems: [] } : compared;
  }, [named, against, directory]);
}

function toCompared(named: NamedProduct | null, names: readonly string[], directory: readonly DeskProduct[]): Compared {
  const others: NamedProduct[] = [];
  const problems = names.flatMap((name) => {
    const found = findProduct(name, directory);
    if (found === null) return `No product “${name}”. Choose another product to compare with.`;
    if (found.id === named?.id) return `${found.name} is the shown product.`;
    if (others.some(({ id }) => id === found.id)) return `${found.name} is compared already.`;
    if (others.length + 1 >= MOST_COMPARED)
      return `${found.name} is not compared: at most ${String(MOST_COMPARED)} products can be.`;
    others.push(found);
    return [];
  });
  return { others, problems };
}

interface NotComparedProps {
  readonly problems: readonly string[];
  /** Whether other products are compared. */
  readonly isAny: boolean;
}

function NotCompared({ problems, isAny }: NotComparedProps) {
  const title = isAny ? 'Not all are compared.' : 'No comparison.';
  const text = problems.join(' ');
  useAnnounced(`${title} ${text}`);
  return (
    <p className={styles['notice']} role="note">
      <strong>{title}</strong> {text}
    </p>
  );
}
