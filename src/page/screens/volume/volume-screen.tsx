import { type RefObject, useMemo, useRef } from 'react';
import {
  findProduct,
  listSeries,
  type NamedProduct,
  nameProduct,
  toAddressName,
  toSeriesItems,
} from '#model/products/product-directory.ts';
import styles from './shared/volume.module.css';
import { Link, useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { writeQuery } from '#page/kit/navigator.ts';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import { firstDayOf, PERIODS, RANGE_NAMES, type RangeName } from '#model/time/date-range.ts';
import { latestSessionOf } from '#model/time/session.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { ScalePicker } from '#page/kit/chart/chart-switches.tsx';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useExchangeNow } from '#page/panels/use-exchange-time.ts';
import { VOLUME_PARAMS } from './shared/volume-params.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { useFullAddress, useLastViewed } from '#page/kit/last-viewed.ts';
import { LazyProductProposals } from '#page/panels/products/lazy-product-proposals.ts';
import { UnknownSymbol } from '#page/panels/missing-rows.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { selectProducts } from '#model/charts/volume/select-products.ts';
import { VolumePanel } from './volume-panel.tsx';

interface ProductChipsProps {
  readonly products: readonly NamedProduct[];
  readonly remove: (id: string) => void;
  /** Gets the focus when no chips are left. */
  readonly next: RefObject<HTMLElement | null>;
}

function ProductChips({ products, remove, next }: ProductChipsProps) {
  if (products.length < 2) return null;
  return (
    <ul className={styles['chips']} aria-label="Products">
      {products.map(({ id, name }) => (
        <li key={String(id)}>
          <button
            type="button"
            className={styles['chip']}
            aria-label={`Remove ${name}`}
            onClick={({ currentTarget }) => {
              // A last remaining product has no chip.
              keepFocus(currentTarget, products.length > 2 ? null : next.current);
              remove(String(id));
            }}
          >
            {name} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A chip disappears when pressed, so the focus moves to `next`, or else to a neighbouring chip. */
function keepFocus(chip: HTMLElement, next: HTMLElement | null): void {
  const item = chip.closest('li');
  (next ?? (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button'))?.focus();
}

/** Each change of the selection adds an entry to the browser's history. */
function useProductSelection(products: readonly NamedProduct[]) {
  const navigator = useNavigator();
  const go = (change: (query: URLSearchParams) => void): void => {
    const replace = (query: URLSearchParams): void => {
      for (const name of ['product', 'series']) query.delete(name);
      change(query);
    };
    writeQuery(navigator, replace, 'push');
  };
  const show = (ids: readonly string[]): void => {
    go((query) => {
      query.set('product', ids.join(','));
    });
  };
  return {
    select: (id: string) => {
      show([id]);
    },
    add: (id: string) => {
      show([...new Set([...products.map((product) => String(product.id)), id])]);
    },
    remove: (id: string) => {
      show(products.map((product) => String(product.id)).filter((other) => other !== id));
    },
    selectExpiries: (series: string) => {
      go((query) => {
        query.set('series', series);
      });
    },
  };
}

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

function VolumeControls({ directory, products }: VolumeControlsProps) {
  const today = useExchangeNow(latestSessionOf);
  const [series] = useUrlState(VOLUME_PARAMS.series);
  const [range, setRange] = useUrlState(VOLUME_PARAMS.range, 'push');
  const [zoom] = useUrlState(VOLUME_PARAMS.zoom);
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
        isPart={zoom.length > 0}
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
  /** The series of the selected product; undefined if none is selected, or a whole series is. */
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

const NONE: readonly DeskProduct[] = [];

/** Daily volume and open interest of one or more products. */
export function VolumeScreen() {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({}));
  const listed = directory.data?.value.products ?? NONE;
  const { products, name, series } = useSelected(listed);
  const isLoading = products === null && directory.data === undefined;
  return (
    <div className={styles['screen']}>
      <Toolbar title="Volume / OI">
        <VolumeControls directory={listed} products={products ?? []} />
      </Toolbar>
      {isLoading && (
        <Panel title="Products" query={directory} everySeconds={DESK_ENDPOINTS.products.reuseSeconds}>
          {() => null}
        </Panel>
      )}
      {!isLoading && products === null && (
        <Unknown {...(series === '' ? { noun: 'product', name } : { noun: 'series', name: series })} listed={listed} />
      )}
      {products !== null && <VolumePanel products={products} name={name} />}
    </div>
  );
}

/** Returns what the address selects. An address that selects nothing is replaced. */
function useSelected(listed: readonly DeskProduct[]) {
  const [names] = useUrlState(VOLUME_PARAMS.products);
  const [series] = useUrlState(VOLUME_PARAMS.series);
  const last = useLastViewed('product', findProduct(names, listed)?.product?.symbol ?? null);
  const { products, name } = useMemo(
    () => selectProducts({ series, names, last }, listed),
    [series, names, last, listed],
  );
  useFullAddress(names === '' && series === '' && products !== null ? (query) => writeProducts(query, products) : null);
  return { products, name, series };
}

function writeProducts(query: URLSearchParams, products: readonly NamedProduct[]): string {
  VOLUME_PARAMS.products.write(query, products.map(toAddressName).join());
  return '/volume';
}

interface UnknownProps {
  readonly noun: string;
  readonly name: string;
  readonly listed: readonly DeskProduct[];
}

function Unknown({ noun, name, listed }: UnknownProps) {
  const toLink = (product: DeskProduct) => (
    <Link to={`/volume?product=${nameProduct(product)}`}>{nameProduct(product)}</Link>
  );
  return (
    <UnknownSymbol
      noun={noun}
      name={name}
      count={listed.length}
      proposals={<LazyProductProposals text={name} products={listed} toChoice={toLink} />}
    />
  );
}
