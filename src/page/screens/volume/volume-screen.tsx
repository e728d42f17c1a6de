import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import { findProduct, toAddressName, type NamedProduct } from '#model/products/product-directory.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useFullAddress } from '#page/kit/navigation/use-full-address.ts';
import { nameProduct } from '#model/products/name-product.ts';
import { Link } from '#page/kit/navigation/link.tsx';
import { LazyProductProposals } from '#page/panels/products/lazy-product-proposals.ts';
import { UnknownSymbol } from '#page/panels/unknown-symbol.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useLastViewed } from '#page/kit/use-last-viewed.ts';
import { selectProducts } from '#model/charts/volume/select-products.ts';
import { VolumeControls } from './volume-controls.tsx';
import { VolumePanel } from './volume-panel.tsx';
import { VOLUME_PARAMS } from './shared/volume-params.ts';
import styles from './shared/volume.module.css';

const NONE: readonly DeskProduct[] = [];

/** Daily volume and open interest of one product or several. */
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

/** What the address selects. One that selects nothing is replaced. */
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
