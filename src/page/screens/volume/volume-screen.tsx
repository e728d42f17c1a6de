import { type RefObject, useMemo, useRef } from 'react';
import {
  findProduct,
  listSeries,
  type NamedProduct,
  nameProduct,
  toAddressName,
  toSeriesItems,
} from '#model/products/product-directory.ts';
import { toVolumeAddress } from '#model/products/product-address.ts';
import styles from './shared/volume.module.css';
import { Link, useAddress, useNavigator, useUrlState } from '#page/kit/navigation.tsx';
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
  readonly remove: (name: string) => void;
  /** Gets the focus when no chips are left. */
  readonly next: RefObject<HTMLElement | null>;
}

function ProductChips({ products, remove, next }: ProductChipsProps) {
  if (products.length < 2) return null;
  return (
    <ul className={styles['chips']} aria-label="Products">
      {products.map((product) => (
        <li key={String(product.id)}>
          <button
            type="button"
            className={styles['chip']}
            aria-label={`Remove ${product.name}`}
            onClick={({ currentTarget }) => {
              // A last remaining product has no chip.
              keepFocus(currentTarget, products.length > 2 ? null : next.current);
              remove(toAddressName(product));
            }}
          >
            {product.name} <span aria-hidden="true">×</span>
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
  const { query } = useAddress();
  const names = products.map(toAddressName);
  const go = (chosen: Selection): void => {
    navigator.go(toVolumeLink(chosen, query));
  };
  return {
    select: (name: string) => {
      go({ names: [name] });
    },
    add: (name: string) => {
      go({ names: [...new Set([...names, name])] });
    },
    remove: (name: string) => {
      go({ names: names.filter((other) => other !== name) });
    },
    selectExpiries: (series: string) => {
      go({ series });
    },
  };
}

type Selection = { readonly names: readonly string[] } | { readonly series: string };

/** Returns the address of a selection, which keeps the range, unit and other parameters of the present one. */
function toVolumeLink(chosen: Selection, present: URLSearchParams): string {
  const query = new URLSearchParams(present);
  for (const param of [VOLUME_PARAMS.products, VOLUME_PARAMS.series]) param.write(query, '');
  if ('series' in chosen) VOLUME_PARAMS.series.write(query, chosen.series);
  const path = 'names' in chosen ? toVolumePath(chosen.names) : '/volume';
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function toVolumePath(names: readonly string[]): string {
  return `/volume/${names.map(encodeURIComponent).join(',')}`;
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
        value={series === '' && first ? toAddressName(first) : null}
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

interface VolumeScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

/** Daily volume and open interest of one or more products. */
export function VolumeScreen({ parameters: { products: named = '' } }: VolumeScreenProps) {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({}));
  const listed = directory.data?.value.products ?? NONE;
  const { products, name, series } = useSelected(named, listed);
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
function useSelected(named: string, listed: readonly DeskProduct[]) {
  const [earlier] = useUrlState(VOLUME_PARAMS.products);
  const [series] = useUrlState(VOLUME_PARAMS.series);
  const names = named === '' ? earlier : named;
  const last = useLastViewed('product', findProduct(names, listed)?.product?.symbol ?? null);
  const { products, name } = useMemo(
    () => selectProducts({ series, names, last }, listed),
    [series, names, last, listed],
  );
  const path = products && toVolumePath(products.map(toAddressName));
  useFullAddress(
    series === '' && path !== null && path !== `/volume/${named}`
      ? (query) => {
          VOLUME_PARAMS.products.write(query, '');
          return path;
        }
      : null,
  );
  return { products, name, series };
}

interface UnknownProps {
  readonly noun: string;
  readonly name: string;
  readonly listed: readonly DeskProduct[];
}

function Unknown({ noun, name, listed }: UnknownProps) {
  const toLink = (product: DeskProduct) => <Link to={toVolumeAddress(product)}>{nameProduct(product)}</Link>;
  return (
    <UnknownSymbol
      noun={noun}
      name={name}
      count={listed.length}
      proposals={<LazyProductProposals text={name} products={listed} toChoice={toLink} />}
    />
  );
}
