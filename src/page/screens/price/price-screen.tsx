import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import { nameProduct } from '#model/products/name-product.ts';
import { Link } from '#page/kit/navigation/link.tsx';
import { LazyProductProposals } from '#page/panels/products/lazy-product-proposals.ts';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useAddress, useNavigator, useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useFullAddress } from '#page/kit/navigation/use-full-address.ts';
import { UnknownSymbol } from '#page/panels/unknown-symbol.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useLastViewed } from '#page/kit/use-last-viewed.ts';
import {
  findProduct,
  findDefaultProduct,
  toAddressName,
  type NamedProduct,
} from '#model/products/product-directory.ts';
import { PriceControls } from './price-controls.tsx';
import { PRICE_PARAMS } from './shared/price-params.ts';
import { ProductPrice } from './product-price.tsx';
import styles from './shared/price.module.css';

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
  const isLoading = named === null && directory.data === undefined;
  return (
    <div className={styles['screen']}>
      <Toolbar title="Price">
        <ProductCombobox
          opensOnTyping
          label="Product"
          placeholder="Product…"
          products={products}
          value={named && String(named.id)}
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
              toChoice={(product) => <Link to={`/price/${nameProduct(product)}`}>{nameProduct(product)}</Link>}
            />
          }
        />
      )}
      {unknown !== null && <UnknownComparison name={unknown} />}
      {named !== null && <ProductPrice named={named} other={other} />}
    </div>
  );
}

/** The product in the address, or the one viewed last. */
function useNamed(wanted: string | undefined, directory: readonly DeskProduct[]): NamedProduct | null {
  const found = useMemo(() => (wanted === undefined ? null : findProduct(wanted, directory)), [wanted, directory]);
  const last = useLastViewed('product', found?.product?.symbol ?? null);
  const named = useMemo(
    () => (wanted === undefined ? findDefaultProduct(directory, last) : found),
    [wanted, directory, last, found],
  );
  useFullAddress(wanted === undefined && named !== null ? () => `/price/${toAddressName(named)}` : null);
  return named;
}

/** The product to compare with; `unknown` is a name in the address that no product has. */
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

/** Keeps range, scale and the rest of the address. */
function useOpenProduct(): (id: string) => void {
  const navigator = useNavigator();
  const { query } = useAddress();
  return (id) => {
    const search = query.toString();
    navigator.go(`/price/${id}${search === '' ? '' : `?${search}`}`);
  };
}
